// Who sits where: names, links to hand out, and who is played by a bot.
import { html, useEffect, useState } from "./preact.js";
import { Icon } from "./marks.js";
import { ask, kept, key } from "./net.js";
import { capital } from "./story.js";

/** The seats in a line: whose turn it is, and their points. */
export function Seats({ state }) {
  const turn = state.decision?.player;
  const scores = state.scores || [];
  const counted = scores.some((score) => score);
  return html`<ul class="seats" aria-label="Players">${state.names.map((name, seat) => html`<li class=${`${seat === turn ? "turn" : ""}${seat === state.seat ? " me" : ""}`}>
    ${state.scene.players[seat] && html`<${Icon} mark=${state.scene.players[seat]} />`}<span class="who">${name}</span>
    ${state.bots[seat] && html`<span class="quiet">bot</span>`}
    ${counted && html`<b>${scores[seat] ?? "?"}</b>`}
    ${seat === turn && html`<span class="unseen">, to decide</span>`}${state.thinking === seat && html`<span class="quiet">thinks …</span>`}</li>`)}</ul>`;
}

export function People({ state, token, say }) {
  const [links, setLinks] = useState(null);
  const [bots, setBots] = useState([]);
  useEffect(() => {
    ask("/api/bots", { token }).then(setBots, () => {});
    if (state.host) ask(`/api/tables/${state.table}/tokens`, { token }).then(setLinks, () => {});
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
    if (await change(seat, { link: true })) say(`There is a new link for ${name}. Whoever came by the one before only looks on now, and all at the table are told.`);
  };
  const mine = (seat) => state.host || seat === state.seat;
  const copy = (words, opens) => async () => {
    const address = `${location.origin}/t/${state.table}#${words}`;
    try {
      await navigator.clipboard.writeText(address);
      say(`The link is in the clipboard. ${opens}`);
    } catch {
      prompt("The link", address);
    }
  };
  return html`<details class="people"><summary>People</summary>
    ${state.names.map((name, seat) => html`<div class="seat" key=${seat}>
      <label>Name of player ${seat + 1}<input type="text" maxlength="24" value=${name} disabled=${!mine(seat)} onChange=${(event) => change(seat, { name: event.target.value })} /></label>
      <label>Played by<select disabled=${!mine(seat)} aria-label=${`${name} is played by`} onChange=${(event) => change(seat, event.target.value ? { bot: event.target.value } : { person: true })}>
        <option value="" selected=${!state.bots[seat]}>a person</option>${[...new Set([...bots, state.bots[seat]].filter(Boolean))].map((bot) => html`<option value=${bot} selected=${state.bots[seat] === bot}>bot: ${bot}</option>`)}</select></label>
      ${links?.seat?.[seat] && html`<button onClick=${copy(links.seat[seat], `Whoever has it plays as ${name}.`)}>Copy the link of ${name}</button>`}
      ${state.host && state.taken[seat] && !state.bots[seat] && !links?.seat?.[seat] && html`<button onClick=${renew(seat, name)}>Make a new link for ${name}</button>`}
      ${state.links[seat] > 0 && html`<p class="quiet">${state.links[seat] === 1 ? "A new link was made for this seat." : `A new link was made for this seat ${state.links[seat]} times.`}</p>`}</div>`)}
    ${links?.watch && html`<p><button onClick=${copy(links.watch, "Whoever has it sees what all may see, and decides nothing.")}>Copy a link to look on</button></p>`}
  </details>`;
}

/** Why somebody who has sat at the table only looks on. */
export function Away({ live, token, say }) {
  const { seat, why } = live.away;
  const back = () => ask(`/api/tables/${live.table}/seats/${seat}`, { token, body: { key: key(), person: true } }).catch((error) => say(error.message));
  if (why === "link") return html`<p class="banner">A new link was made for ${live.names[seat]}, so with this one you only look on. Ask whoever has made the table for the new one.</p>`;
  return html`<p class="banner">A bot plays for ${live.names[seat]} now, and you look on. ${!live.over && html`<button onClick=${back}>Play on myself</button>`}</p>`;
}

/** What a link leads to that opens nothing: it is forgotten, and what else this browser knows of the table is offered. */
export function Locked({ table, words }) {
  const [watch, setWatch] = useState("");
  const other = kept.get(table);
  const owner = kept.get("owner");
  useEffect(() => {
    if (!other && owner) ask("/api/tables", { token: owner }).then((all) => setWatch(all.find((one) => one.table === table)?.tokens.watch || ""), () => {});
  }, [table]);
  return html`<main class="start"><h1>This table cannot be opened</h1><p class="fault" role="alert">${capital(words)}.</p>
    <p>The link was forgotten.</p>
    <p class="acts">${other && html`<a href=${`/t/${table}`}>Go on as this browser was here before</a>`}
      ${watch && html`<a href=${`/t/${table}#${watch}`}>Look on</a>`} <a href="/">All games</a></p></main>`;
}

/** What covers the table while it goes from one person to another. */
export function HandOver({ name, mark, ready }) {
  useEffect(() => document.getElementById("mine")?.focus(), []);
  return html`<main class="cover"><div>${mark && html`<${Icon} mark=${mark} large=${true} />`}
    <h1>${name} decides next</h1><p>Hand over the screen. What ${name} alone may see is covered until then.</p>
    <p><button class="main" id="mine" onClick=${ready}>I am ${name}</button></p></div></main>`;
}
