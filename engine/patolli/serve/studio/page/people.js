// The seats: names, links to share, and bots.
import { html, useEffect, useState } from "./preact.js";
import { Left } from "./clock.js";
import { Icon, figure } from "./marks.js";
import { ask, kept, key } from "./net.js";
import { Calls } from "./notify.js";
import { capital } from "./story.js";

const small = matchMedia("(max-width: 56rem)"); // where the row may scroll

/** The seats in a row, with the acting player marked and the scores. */
export function Seats({ state, clock }) {
  const turn = state.decision?.player;
  const scores = state.scores || [];
  const counted = scores.some((score) => score);
  return html`<ul class=${`seats${clock ? " timed" : ""}`} aria-label="Players" tabindex=${small.matches ? 0 : undefined}>${state.names.map((name, seat) => html`<li class=${`${seat === turn ? "turn" : ""}${seat === state.seat ? " me" : ""}`}>
    ${state.scene.players[seat] && html`<${Icon} mark=${state.scene.players[seat]} />`}<span class="who">${name}</span>
    ${state.bots[seat] && html`<span class="quiet">bot</span>`}
    ${counted && html`<b title=${scores[seat] === null ? "You cannot know this score yet" : "Points"}>${figure(scores[seat])}</b>`}
    ${clock?.left[seat] !== undefined && html`<${Left} clock=${clock} seat=${seat} name=${name} mine=${seat === state.seat} />`}
    ${seat === turn && html`<span class="unseen">, to decide</span>`}${state.thinking === seat && html`<span class="quiet">thinks …</span>`}</li>`)}</ul>`;
}

export function People({ state, token, say }) {
  const [links, setLinks] = useState(null);
  const [bots, setBots] = useState([]);
  useEffect(() => {
    ask("/api/bots", { token }).then(setBots, () => {});
    let current = true; // an answer that comes late must not replace newer links
    if (state.host) ask(`/api/tables/${state.table}/tokens`, { token }).then((found) => current && setLinks(found), () => {});
    return () => { current = false; };
  }, [state.table, state.host, String([state.taken, state.bots, state.links])]);
  const change = async (seat, body) => {
    try {
      const told = await ask(`/api/tables/${state.table}/seats/${seat}`, { token, body: { key: key(), ...body } });
      if (told.tokens) setLinks(told.tokens);
      return true;
    } catch (error) {
      say(error.message);
      return false;
    }
  };
  const renew = (seat, name) => async () => {
    if (await change(seat, { link: true })) say(`There is a new link for ${name}. The old link now only lets people watch. Everyone at the table is notified.`);
  };
  const mine = (seat) => state.host || seat === state.seat;
  const copy = (words, opens) => async () => {
    const address = `${location.origin}/t/${state.table}#${words}`;
    try {
      await navigator.clipboard.writeText(address);
      say(`Link copied. ${opens}`);
    } catch {
      prompt("Link", address);
    }
  };
  return html`<details class="people"><summary>People</summary>
    ${state.names.map((name, seat) => html`<div class="seat" key=${seat}>
      <label>Name of player ${seat + 1}<input type="text" maxlength="24" value=${name} disabled=${!mine(seat)} onChange=${(event) => change(seat, { name: event.target.value })} /></label>
      <label>Played by<select disabled=${!mine(seat)} aria-label=${`${name} is played by`} onChange=${(event) => change(seat, event.target.value ? { bot: event.target.value } : { person: true })}>
        <option value="" selected=${!state.bots[seat]}>a person</option>${[...new Set([...bots, state.bots[seat]].filter(Boolean))].map((bot) => html`<option value=${bot} selected=${state.bots[seat] === bot}>bot: ${bot}</option>`)}</select></label>
      ${links?.seat?.[seat] && html`<button onClick=${copy(links.seat[seat], `Anyone with this link plays as ${name}.`)}>Copy the link of ${name}</button>`}
      ${state.host && state.taken[seat] && !state.bots[seat] && !links?.seat?.[seat] && html`<button onClick=${renew(seat, name)}>Make a new link for ${name}</button>`}
      ${state.links[seat] > 0 && html`<p class="quiet">${state.links[seat] === 1 ? "A new link was made for this seat." : `A new link was made for this seat ${state.links[seat]} times.`}</p>`}</div>`)}
    ${links?.watch && html`<p><button onClick=${copy(links.watch, "Anyone with this link can watch. Spectators see only what is public.")}>Copy spectator link</button></p>`}
    ${(state.seat !== null || state.host) && html`<${Calls} />`}
  </details>`;
}

/** Tell a former player why they are a spectator now, or the host that the time of a seat is up. */
export function Away({ live, away, token, say }) {
  const { seat, why } = away;
  const back = () => ask(`/api/tables/${live.table}/seats/${seat}`, { token, body: { key: key(), person: true } }).catch((error) => say(error.message));
  if (why === "link") return html`<p class="banner">There is a new link for ${live.names[seat]}, so you are a spectator now. Ask the host for the new link.</p>`;
  return html`<p class="banner">${live.clock?.left[seat] === 0 ? `Time is up for ${live.names[seat]}, so a bot plays now.` : `A bot plays for ${live.names[seat]} now${live.away ? ", so you are a spectator" : ""}.`} ${!live.over && html`<button onClick=${back}>Take over from the bot</button>`}</p>`;
}

/** The page for an invalid link. The browser forgets the link, and offers other ways to open the table. */
export function Locked({ table, words }) {
  const [watch, setWatch] = useState("");
  const other = kept.get(table);
  const owner = kept.get("owner");
  useEffect(() => {
    if (!other && owner) ask("/api/tables", { token: owner }).then((all) => setWatch(all.find((one) => one.table === table)?.tokens.watch || ""), () => {});
  }, [table]);
  return html`<main class="start"><h1>This table cannot be opened</h1><p class="fault" role="alert">${capital(words)}.</p>
    <p>This browser has forgotten the link.</p>
    <p class="acts">${other && html`<a href=${`/t/${table}`}>Continue with the link that this browser used before</a>`}
      ${watch && html`<a href=${`/t/${table}#${watch}`}>Watch</a>`} <a href="/">All games</a></p></main>`;
}

/** The screen between two players who share a device. */
export function HandOver({ name, mark, ready }) {
  useEffect(() => document.getElementById("mine")?.focus(), []);
  return html`<main class="cover"><div>${mark && html`<${Icon} mark=${mark} large=${true} />`}
    <h1>${name} decides next</h1><p>Hand over the screen. The secrets of ${name} are covered until then.</p>
    <p><button class="main" id="mine" onClick=${ready}>I am ${name}</button></p></div></main>`;
}
