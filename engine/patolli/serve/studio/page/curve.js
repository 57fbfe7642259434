// How the points of all players grew in a finished match, drawn when asked for.
import { html, useState } from "./preact.js";
import { Icon, Piece } from "./marks.js";
import { ask } from "./net.js";

const MOMENTS = 24; // of the match that are read
const [WIDE, HIGH] = [320, 110];

/** Points at moments of a match that is over: `[choices, [points by seat]]`. */
async function read(state, token) {
  const step = Math.max(1, Math.ceil(state.moves / MOMENTS));
  const found = [];
  for (let at = 0; at < state.moves; at += step) found.push([at, (await ask(`/api/tables/${state.table}/at/${at}`, { token })).scores]);
  return [...found, [state.moves, state.results.scores]];
}

/** Say since when the winner has led. */
function lead(state, curve) {
  const [winner, ...others] = state.results.winners;
  if (winner === undefined || others.length) return "";
  const behind = curve.findLastIndex(([, points]) => points.some((value, seat) => seat !== winner && value >= points[winner]));
  return behind < 0 ? "" : `${state.names[winner]} has led since about choice ${curve[behind + 1][0]} of ${state.moves}.`;
}

export function Curve({ state, token, say }) {
  const [curve, setCurve] = useState(null);
  if (!(state.results.scores && Math.max(...state.results.scores) > 2)) return null;
  const open = (event) => {
    if (event.currentTarget.open && !curve) read(state, token).then(setCurve, (error) => say(error.message));
  };
  const all = (curve || []).flatMap(([, points]) => points.map(Number));
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (at) => (WIDE * at) / state.moves;
  const y = (value) => HIGH - (HIGH * (value - low)) / (high - low);
  const line = (seat) => curve.filter(([, points]) => points[seat] !== null).map(([at, points]) => `${x(at).toFixed(1)},${y(points[seat]).toFixed(1)}`).join(" ");
  const words = state.names.map((name, seat) => `${name}: ${state.results.scores[seat]}`).join(", ");
  return html`<details class="curve" onToggle=${open}><summary>How it went</summary>
    ${!curve && html`<p class="quiet">Reading the match …</p>`}
    ${curve && html`<p>${lead(state, curve)}</p><div class="drawn"><svg viewBox=${`-4 -6 ${WIDE + 8} ${HIGH + 12}`} role="img" aria-label=${`Points during the match. At the end: ${words}.`}>
      ${[low, high].map((value) => html`<path class="level" d=${`M0 ${y(value)}H${WIDE}`} />`)}
      ${state.names.map((_, seat) => html`<polyline class=${`c-${state.scene.players[seat]?.colour || "none"}`} points=${line(seat)} />`)}
      ${state.scene.players.map((mark, seat) => mark && html`<g transform=${`translate(${WIDE} ${y(state.results.scores[seat])}) scale(.2)`}><${Piece} mark=${mark} /></g>`)}</svg>
      <ul aria-hidden="true">${state.names.map((name, seat) => html`<li>${state.scene.players[seat] && html`<${Icon} mark=${state.scene.players[seat]} />`} ${name} <b>${state.results.scores[seat]}</b></li>`)}</ul></div>`}</details>`;
}
