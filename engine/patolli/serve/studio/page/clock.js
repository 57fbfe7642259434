// The clocks of the seats. They tick here between two states of the server.
import { html, useEffect, useState } from "./preact.js";

const LOW = 30; // seconds, and never more than a tenth of the whole time
const pad = (number) => String(number).padStart(2, "0");

/** Seconds as a clock shows them. */
function shown(seconds) {
  const all = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(all % 60)}` : `${minutes}:${pad(all % 60)}`;
}

/** The time that a seat has left. `clock.at` is the moment at which the page got it. */
export function Left({ clock, seat, name, mine }) {
  const runs = clock.running.includes(seat);
  const [, tick] = useState(0);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => tick((count) => count + 1), 250);
    return () => clearInterval(timer);
  }, [runs]);
  const left = Math.max(0, clock.left[seat] - (runs ? (performance.now() - clock.at) / 1000 : 0));
  const low = left <= Math.min(LOW, clock.seconds / 10);
  return html`<span role="timer" aria-label=${`Time of ${name}`} class=${`left${runs ? " runs" : ""}${low ? " low" : ""}`}>${low && html`<b aria-hidden="true">!</b> `}${shown(left)}</span>
    ${mine && runs && html`<span class="unseen" role="status">${low ? "You have little time left." : ""}</span>`}`;
}

/** The seat for which a bot plays because its time is up, and for which this client can take over again. */
export function outOfTime({ away, host, clock, bots }) {
  if (away || !host || !clock) return away;
  const seat = clock.left.findIndex((left, at) => left === 0 && bots[at]);
  return seat < 0 ? null : { seat, why: "bot" };
}

/** Choose whether there is a clock. Without minutes, there is none. */
export function ClockSetup({ clock, put }) {
  return html`<label class="option">Minutes for each player <input type="number" min="0.5" max="1440" step="0.5" placeholder="no clock" value=${clock.minutes} onInput=${(event) => put({ ...clock, minutes: event.target.value })} /></label>
    ${clock.minutes && html`<label class="option">Seconds that each choice adds <input type="number" min="0" max="3600" value=${clock.added} onInput=${(event) => put({ ...clock, added: event.target.value })} /></label>
      <p class="quiet">When the time of a player is up, a bot takes over. The player can take over again after its choice.</p>`}`;
}

/** The clock as the server wants it; null without one. */
export const wantedClock = ({ minutes, added }) => (minutes ? { seconds: Math.round(minutes * 60), increment: Number(added) } : null);
