// A map: pieces at their spots, with lines between those that are joined. Pieces without a spot find one by themselves.
import { html, useMemo } from "./preact.js";
import { Item } from "./panels.js";

const [WIDE, HIGH] = [1000, 620];
const STEPS = 300;

/**
 * Return a spot for each piece: the declared one, or the rest of a system of springs that begins on a circle.
 * It is the same each time, because nothing in it is random.
 * @param {(number[] | null)[]} declared
 * @param {number[][]} links
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

export function PlaceMap({ panel, view }) {
  const spots = useMemo(() => settled(panel.spots, panel.links), [JSON.stringify([panel.spots, panel.links])]);
  // What only names other places of the map is drawn as lines.
  const facts = (item) => item.facts.filter((fact) => !fact.marks.every((one) => one.id?.startsWith(`${panel.of}:`)));
  return html`<div class="place-map" data-rove><svg viewBox=${`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
      ${panel.links.map(([a, b]) => html`<path class="link" d=${`M${spots[a].join(" ")}L${spots[b].join(" ")}`} />`)}</svg>
    <ul class="things">${panel.items.map((item, n) => html`<${Item} key=${item.mark.id} item=${{ ...item, facts: facts(item) }} view=${view} panel=${panel} spot=${{ left: `${spots[n][0] / 10}%`, top: `${(100 * spots[n][1]) / HIGH}%` }} />`)}</ul></div>`;
}
