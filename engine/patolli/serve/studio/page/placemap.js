// A map: pieces at their spots, with lines between those that are joined. Pieces without a spot find one by themselves.
import { html, useMemo } from "./preact.js";
import { isFresh, state } from "./board.js";
import { Icon, Run, isWords } from "./marks.js";
import { Item, Name, mark, whole } from "./panels.js";

const [WIDE, HIGH] = [1000, 620];
const STEPS = 300;

/**
 * Return a spot for each piece: the declared one, or the rest of a system of springs that begins on a circle.
 * It is the same each time, because nothing in it is random.
 * @param {(number[] | null)[]} declared
 * @param {[number, number, string?][]} links with the color of who holds a line
 * @returns {number[][]}
 */
export function settled(declared, links) {
  const count = declared.length;
  const spots = declared.map((spot, n) => (spot ? [...spot] : [0.5 + 0.4 * Math.cos((2 * Math.PI * n) / count), 0.5 + 0.4 * Math.sin((2 * Math.PI * n) / count)].map((part, axis) => part * [WIDE, HIGH][axis])));
  const apart = Math.sqrt((WIDE * HIGH) / Math.max(count, 1));
  for (let step = 0; step < (declared.every(Boolean) ? 0 : STEPS); step++) {
    const moves = spots.map(() => [0, 0]);
    const push = (a, b, strength) => {
      const [dx, dy] = [spots[a][0] - spots[b][0], spots[a][1] - spots[b][1]];
      const far = Math.hypot(dx, dy) || 1;
      for (const [one, sign] of [[a, 1], [b, -1]]) moves[one] = [moves[one][0] + (sign * strength(far) * dx) / far, moves[one][1] + (sign * strength(far) * dy) / far];
    };
    for (let a = 0; a < count; a++) for (let b = 0; b < a; b++) push(a, b, (far) => (apart * apart) / far);
    for (const [a, b] of links) push(a, b, (far) => -(far * far) / apart);
    const most = (apart / 2) * (1 - step / STEPS);
    spots.forEach((spot, n) => {
      const far = Math.hypot(...moves[n]) || 1;
      if (declared[n]) return;
      for (const axis of [0, 1]) spot[axis] += (moves[n][axis] / far) * Math.min(far, most);
    });
  }
  /** @returns {[number, number]} */
  const range = (axis) => [Math.min(...spots.map((spot) => spot[axis])), Math.max(...spots.map((spot) => spot[axis]))];
  const [across, down] = [range(0), range(1)];
  const scale = (value, [low, high], size) => ((value - low) / (high - low || 1)) * size * 0.8 + size * 0.1;
  return spots.map(([x, y]) => [scale(x, across, WIDE), scale(y, down, HIGH)]);
}

export function PlaceMap({ panel, view, small = false }) {
  const spots = useMemo(() => settled(panel.spots, panel.links), [JSON.stringify([panel.spots, panel.links])]);
  // What only names other places of the map is drawn as lines.
  const facts = (item) => item.facts.filter((fact) => !fact.marks.every((one) => one.id?.startsWith(`${panel.of}:`)));
  const filled = Boolean(panel.level);
  const at = (n) => ({ left: `${spots[n][0] / 10}%`, top: `${(100 * spots[n][1]) / HIGH}%` });
  const lines = (kind) => panel.links.map(([a, b, colour], n) => html`<path class=${`${kind}${colour ? ` held c-${colour}` : ""}${panel.ways ? state(view, panel.ways[n].id) : ""}`} d=${`M${spots[a].join(" ")}L${spots[b].join(" ")}`} />`);
  return html`<div class=${`place-map${filled ? " filled" : ""}`} data-rove><svg viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">${lines("link")}${lines("link inner")}</svg>
    ${panel.rim && !small && html`<${Rims} panel=${panel} />`}
    <ul class="things">${panel.ways && !small && panel.ways.map((way, n) => html`<${Way} key=${way.id} way=${way} panel=${panel} view=${view} spot=${between(spots, panel.links[n])} />`)}
    ${panel.items.map((item, n) => (filled ? html`<${Node} key=${item.mark.id} item=${{ ...item, facts: facts(item) }} view=${view} panel=${panel} spot=${at(n)} small=${small} />`
    : html`<${Item} key=${item.mark.id} item=${{ ...item, facts: small ? [] : facts(item) }} view=${view} panel=${panel} spot=${at(n)} />`))}</ul></div>`;
}

/** Return the middle of a line in percent. */
function between(spots, [a, b]) {
  return { left: `${(spots[a][0] + spots[b][0]) / 20}%`, top: `${(50 * (spots[a][1] + spots[b][1])) / HIGH}%` };
}

/** What is known of a line, in its middle, where it can be chosen. */
function Way({ way, panel, view, spot }) {
  const fresh = isFresh(view, panel.id, way.id) ? " fresh" : "";
  return html`<li class=${`thing way${state(view, way.id)}${fresh}`} style=${spot} title=${way.says} onClick=${whole(view, [way.id])}>
    <${Name} view=${view} ids=${[way.id]}><span class="unseen">${way.says}</span>${way.marks.map((one) => (isWords(one) ? html`<b aria-hidden="true">${one.text ?? one.says}</b>` : html`<${Icon} mark=${one} />`))}<//></li>`;
}

/** The meanings of the colors at the edges of places. */
function Rims({ panel }) {
  const found = new Map(panel.items.flatMap((item) => item.facts.filter((one) => one.fact === panel.rim).flatMap((one) => one.marks.slice(0, 1))).map((one) => [one.colour, one.says || one.text]));
  return html`<p class="rims">${[...found].map(([colour, words]) => html`<span><i class=${`c-${colour || "none"}`}></i>${words}</span>`)}</p>`;
}

/** A place of a map as a disc, filled as far as its level goes, with its name and what else is known of it. */
function Node({ item, view, panel, spot, small }) {
  const { fact, most, colour } = panel.level;
  const ids = item.ids || [item.mark.id];
  const value = item.facts.find((one) => one.fact === fact)?.marks[0]?.text ?? "0";
  const rim = item.facts.find((one) => one.fact === panel.rim)?.marks[0];
  const rest = item.facts.filter((one) => one.fact !== fact && one.fact !== panel.rim);
  const level = most ? Math.min(1, Number(value) / most) : 0;
  const fresh = isFresh(view, panel.id, item.mark.id) ? " fresh" : "";
  return html`<li class=${`thing node${state(view, ...ids)}${fresh}${level === 1 ? " full" : ""}`} style=${spot} onClick=${whole(view, ids)} title=${item.says}>
    <${Name} view=${view} ids=${ids} about=${item.mark.entry}><span class=${`disc c-${rim?.colour || "none"}`}><span class=${`fill c-${colour || "blue"}`} style=${{ height: `${100 * level}%` }}></span><b>${value}</b></span>
      ${!small && html`<span class="called">${item.title}</span><span class="unseen">${rim ? rim.says || rim.text : ""}</span>`}<//>
    ${rest.length > 0 && html`<span class="on-node">${rest.map((one) => (one.icon ? html`<${Run} marks=${[{ icon: one.icon, colour: one.colour, says: one.title }]} />` : html`<${Run} marks=${one.marks} place=${mark(view, panel.id, item.mark.id)} />`))}</span>`}</li>`;
}
