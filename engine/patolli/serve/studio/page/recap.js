// What happened since the last choice of this client, per player: their choices, and what changed for them.
import { html, useEffect, useRef, useState } from "./preact.js";
import { Control, Icon, Rich, Shape } from "./marks.js";
import { arrange } from "./stage.js";

const NONE = new Set();
const MOST = 8; // players' turns that are listed
const LINES = 3; // of what happened in one of them
const STEP = 600;

/** Group the new lines of the log by the player who chose. */
function grouped(state, since) {
  const first = state.told - state.telling.length;
  const groups = [];
  for (const line of state.telling.slice(Math.max(0, since - first))) {
    if (line.kind === "heading") continue;
    const last = groups.at(-1);
    if (line.kind !== "answer") last ? last.lines.push(line) : groups.push({ seat: -1, lines: [line] });
    else if (last && last.seat === line.seat) last.lines.push(line);
    else groups.push({ seat: line.seat, lines: [line] });
  }
  return groups;
}

/** Return what changed on the plates of players between two scenes: for each seat, amounts with their icons. */
function deltas(before, now) {
  const [was, is] = [before, now].map((scene) => arrange(scene, NONE).plates);
  const found = new Map();
  for (const row of is && was ? is.rows : []) {
    const old = was.rows.find((one) => one.id === row.id && one.title === row.title);
    row.values.forEach((value, n) => {
      const by = old && typeof value === "number" && typeof old.values[n] === "number" ? value - old.values[n] : 0;
      if (by) found.set(is.heads[n].owner, [...(found.get(is.heads[n].owner) || []), { by, row }]);
    });
  }
  return found;
}

/** An amount that is gained or lost. */
export function Change({ by, icon, colour, words }) {
  return html`<span class=${`change ${by < 0 ? "loss" : "gain"}`} title=${words}>${icon ? html`${by > 0 ? `+${by}` : `−${-by}`}<${Shape} icon=${icon} colour=${colour} /><span class="unseen"> ${words}</span>` : words}</span>`;
}

export function Recap({ state, base, since, go, past }) {
  const [watching, setWatching] = useState(false);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  if (!base || state.moves <= base.moves || since >= state.told) return null;
  const groups = grouped(state, since);
  if (!groups.some((group) => group.seat !== state.seat)) return null;
  const changes = deltas(base.scene, state.scene);
  const left = new Map(changes);
  const shown = groups.slice(-MOST).reverse();
  /** Show each choice on the boards; any key ends it. */
  const watch = () => {
    let number = base.moves;
    const end = () => {
      clearInterval(timer);
      removeEventListener("keydown", end);
      setWatching(false);
      stop.current = () => {};
      go(null);
    };
    const timer = setInterval(() => (++number < state.moves ? go(number) : end()), STEP);
    addEventListener("keydown", end);
    stop.current = () => clearInterval(timer);
    setWatching(true);
    go(number);
  };
  const take = (seat) => {
    const found = left.get(seat) || [];
    left.delete(seat);
    return found;
  };
  const rows = shown.map((group) => ({ ...group, changes: take(group.seat) })).reverse();
  return html`<section class="recap" aria-labelledby="since"><h2 id="since">Since your last choice</h2>
    ${!past && state.moves - base.moves > 1 && html`<button class="watch" onClick=${watch} disabled=${watching}><${Control} name="play" /> Watch</button>`}
    ${rows.map((group) => html`<div class="turn">${group.seat >= 0 && state.scene.players[group.seat] ? html`<${Icon} mark=${state.scene.players[group.seat]} />` : html`<span class="icon" aria-hidden="true">•</span>`}
      <div>${group.lines.slice(0, LINES).map((line) => html`<p class=${line.kind}><${Rich} text=${line.words} /></p>`)}
        ${group.lines.length > LINES && html`<p class="quiet">${group.lines.length - LINES} more in the log</p>`}
        ${group.changes.length > 0 && html`<p>${group.changes.map(({ by, row }) => html` <${Change} by=${by} icon=${row.icon} colour=${row.colour} words=${`${by > 0 ? "+" : "−"}${Math.abs(by)} ${row.title.toLowerCase()}`} />`)}</p>`}</div></div>`)}
    ${groups.length > MOST && html`<p class="quiet">${groups.length - MOST} earlier turns are in the log.</p>`}
  </section>`;
}
