// After the end: play again with the same people, or find another game.
import { html } from "./preact.js";
import { ask } from "./net.js";

/** The link of a seat is valid at the table of a rematch, too. */
export function Again({ state, token, say }) {
  const go = (table) => location.assign(`/t/${table}#${token}`);
  const begin = async () => {
    try {
      go((await ask(`/api/tables/${state.table}/rematch`, { token, body: {} })).table);
    } catch (error) {
      say(error.message);
    }
  };
  const plays = state.seat !== null || state.host;
  const starts = state.names[1 % state.names.length];
  return html`<section class="panel play-again" aria-label="Play again">
    ${plays ? html`<button class="main" onClick=${begin}>${state.rematch ? "Join the rematch" : "Rematch"}</button>` : state.rematch && html`<button class="main" onClick=${() => go(state.rematch)}>Watch the rematch</button>`}
    ${(plays || state.rematch) && html`<p class="quiet">The same game and modules; ${starts} sits first. All links stay valid.</p>`}
    <p><a href="/">Another game</a></p></section>`;
}
