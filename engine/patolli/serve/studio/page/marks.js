// Marks that represent things: drawn shapes for common signs, a token in the shape of its seat, a tile, or words.
// A shape is drawn around 0,0 in a box of 40 by 40.
import { CONTROLS, ICONS } from "./icons.js";
import { html } from "./preact.js";

/** The shapes of seats, so that nothing is shown by color alone. */
const SEATS = [
  html`<circle r="17" />`,
  html`<rect x="-15.5" y="-15.5" width="31" height="31" rx="5" />`,
  html`<path d="M0-18.5 16-9.2V9.2L0 18.5-16 9.2V-9.2z" />`,
  html`<path d="M0-20 18.5 0 0 20-18.5 0z" />`,
  html`<path d="M-7.5-18h15L18-7.500v15L7.500 18h-15L-18 7.500v-15z" />`,
  html`<path d="M0-19 18-5 11 16H-11L-18-5z" />`,
];

const CROSS = "M-1.500-20h3v2.500h2.700v3h-2.700v3h-3v-3h-2.700v-3h2.700z";
/** Signs that are drawn; `line` is the engraving. */
const SHAPES = {
  "●": { path: "M0-17a17 17 0 1 1 0 34 17 17 0 1 1 0-34z" },
  "○": { path: "M0-17a17 17 0 1 1 0 34 17 17 0 1 1 0-34z", line: "M0-10a10 10 0 1 1 0 20 10 10 0 1 1 0-20z" },
  "▲": { path: "M0-17 16 13q-16 6-32 0z" },
  "△": { path: "M0-17 16 13q-16 6-32 0z", line: "M0-6 7 7q-7 2.500-14 0z" },
  "▼": { path: "M0 17 16-13q-16-6-32 0z" },
  "▽": { path: "M0 17 16-13q-16-6-32 0z", line: "M0 6 7-7q-7-2.500-14 0z" },
  "◆": { path: "M0-18 16 0 0 18-16 0z" },
  "◇": { path: "M0-18 16 0 0 18-16 0z", line: "M0-9 8 0 0 9-8 0z" },
  "■": { path: "M-14-14h28v28h-28z" },
  "□": { path: "M-14-14h28v28h-28z", line: "M-7-7h14v14h-14z" },
  "|": { path: "M-2.500-24h5v48h-5z" },
  "-": { path: "M-24-2.500h48v5h-48z" },
  "·": { path: "M0-4a4 4 0 1 1 0 8 4 4 0 1 1 0-8z" },
  "♟": { path: "M0-16a6 6 0 0 1 4 10.500h3v3H3.500C4 5 6 8 9 11q2 2 2 6h-22q0-4 2-6c3-3 5-6 5.500-13.500H-7v-3h3A6 6 0 0 1 0-16z", line: "M-8 11H8" },
  "♜": { path: "M-13-16h6v4h4v-4h6v4h4v-4h6v9l-4 4 2 13 4 3v4h-30v-4l4-3 2-13-4-4z", line: "M-8.500-3H8.500M-10 10h20" },
  "♞": { path: "M-9 17c0-9 8-11 8-18-2 3-5 4-8 5-2 3-5 3-6 1-1-3 2-5 3-8 1-5 3-8 6-9l1-5 4 4C9-13 13-4 12 17z", line: "M-5-6h.1M5-9c4 5 4 12 3 20" },
  "♝": { path: "M0-19a3 3 0 0 1 2.200 5C7-10 10-6 10 0c0 4-2 6-5 7l1 4c4 0 7 1 8 6h-28c1-5 4-6 8-6l1-4c-3-1-5-3-5-7 0-6 3-10 7.800-14A3 3 0 0 1 0-19z", line: "M0-7V3M-4-2.500h8M-6 7.500H6" },
  "♛": { path: "M-18-9a2.500 2.500 0 1 1 3.600 2.200L-9 2l-.6-13.200a2.500 2.500 0 1 1 3.200 0L0-1l6.400-10.200a2.500 2.500 0 1 1 3.200 0L9 2l5.400-8.800A2.500 2.500 0 1 1 18-9c-1 0-3 8-5 17l1 9h-28l1-9c-2-9-4-17-5-17z", line: "M-12.500 8q12.500-3 25 0M-12 12q12-3 24 0" },
  "♚": { path: `${CROSS}M0-12c3 0 4.500 3 3.500 6C7-11 15-10 16.500-4 18 2 13 5 12 9l1 8h-26l1-8c-1-4-6-7-4.500-13C-15-10-7-11-3.500-6-4.500-9-3-12 0-12z`, line: `M0-5V8M-11.500 9q11.500-3 23 0M-12 13q12-3 24 0` },
};
for (const [light, dark] of ["♙♟", "♖♜", "♘♞", "♗♝", "♕♛", "♔♚"].map((pair) => [...pair])) SHAPES[light] = { ...SHAPES[dark], light: true };
for (const sign of "♟♜♞♝♛♚") SHAPES[sign].dark = true;

export const isShape = (mark) => Boolean(mark.icon || (mark.sign && SHAPES[mark.sign]));

/** Return the class for the color of a thing: that of its symbol or of its seat. */
export const tint = (mark) => (mark.colour ? `c-${mark.colour}` : "c-none");

/** Text inside a shape; longer text is smaller. */
function Words({ text, size = 18 }) {
  const length = [...text].length;
  const fit = Math.min(size, (length > 2 ? 42 : 48) / Math.max(length, 2) + 2);
  return html`<text class="in" y=${fit * 0.36} font-size=${fit}>${text}</text>`;
}

/** The address of the pack's pictures, and its words with icons. The page of a table sets them before drawing. */
export const art = { base: "", /** @type {Map<string, {icon: string, colour: string}>} */ nouns: new Map(), /** @type {RegExp | null} */ amount: null };

/** Prepare the words whose amounts are drawn with icons. */
export function setNouns(nouns) {
  art.nouns = new Map((nouns || []).flatMap((noun) => noun.words.map((word) => [word, noun])));
  const words = [...art.nouns.keys()].filter(Boolean).sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  art.amount = words.length ? new RegExp(`([+-]?\\d+) (${words.join("|")})(?![\\p{L}\\p{N}])`, "gu") : null;
}

/** A shape of the page as an icon within text. */
export function Shape({ icon, colour }) {
  return html`<svg class="icon" viewBox="-21 -21 42 42" aria-hidden="true"><${Outline} icon=${icon} kind=${`c-${colour || "none"}`} /></svg>`;
}

/** A shape for a control, in the color of the text. */
export function Control({ name }) {
  return html`<svg class="control" viewBox="0 0 256 256" aria-hidden="true"><path d=${CONTROLS[name] || ICONS[name]} /></svg>`;
}

function Outline({ icon, kind, name }) {
  return html`<g class=${`piece icon-shape ${kind}`} data-thing=${name}><g transform="scale(.152) translate(-128 -128)"><path class="body" d=${ICONS[icon]} /></g></g>`;
}

/** An icon in the color of text, on a thing that has the color of the icon. */
export function Emblem({ mark }) {
  return html`<g class=${`emblem ${tint(mark)}`} transform="scale(.11) translate(-128 -128)"><path d=${ICONS[mark.icon]} /></g>`;
}

/** A text in which amounts of things with icons are drawn. The words stay for screen readers. */
export function Rich({ text }) {
  if (!art.amount || !text) return text;
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(art.amount)) {
    const noun = art.nouns.get(found[2]);
    parts.push(text.slice(at, found.index), html`<span class="amount" title=${found[0]}><b>${found[1]}</b><${Shape} ...${noun} /><span class="unseen"> ${found[2]}</span></span>`);
    at = found.index + found[0].length;
  }
  return at ? html`${parts}${text.slice(at)}` : text;
}

const PIPS = 12;

/** Compare two cards by suit and rank. */
export function compareCards(a, b) {
  const [suits, ranks] = [[a, b].map((mark) => mark.card?.suit?.says ?? ""), [a, b].map((mark) => Number(mark.card?.rank?.text ?? 0))];
  return suits[0] < suits[1] ? -1 : suits[0] > suits[1] ? 1 : ranks[0] - ranks[1];
}

/** The face of a card: rank and suit in the corner, and as many pips. Cards without a rank or suit have their title. */
export function Card({ mark, title }) {
  const { rank, suit } = mark.card || {};
  const number = Number(rank?.text);
  const one = suit && html`<${Icon} mark=${{ ...suit, id: undefined }} />`;
  const pips = one && number > 0 && number <= PIPS ? Array.from({ length: number }, () => one) : one ? [one] : [];
  return html`<span class=${`face t-${suit?.colour || "none"}`}><span class="unseen">${title}</span>
    <span class="corner" aria-hidden="true">${rank ? html`<b>${rank.text ?? rank.sign}</b>` : html`<b class="called">${suit?.says}</b>`}${rank && one}</span>
    ${pips.length > 0 ? html`<span class=${`pips of-${pips.length}`} aria-hidden="true">${pips}</span>` : !rank && html`<span class="caption" aria-hidden="true">${title}</span>`}
    ${rank && !one && html`<span class="caption number" aria-hidden="true">${rank.text ?? rank.sign}</span>`}</span>`;
}

/** A thing around 0,0. */
export function Piece({ mark, thing }) {
  const seat = mark.owner ?? -1;
  const shape = mark.icon ? null : SHAPES[mark.sign];
  const name = mark.piece && thing !== false ? mark.id : undefined;
  if (mark.tile) return html`<g data-thing=${name}><${TilePicture} tile=${mark.tile} /></g>`;
  if (mark.art) {
    return html`<g class="piece art" data-thing=${name}>${seat >= 0 && html`<g class=${`of ${tint(mark)}`}><g class="rim">${SEATS[seat % SEATS.length]}</g></g>`}
      <image x="-18" y="-18" width="36" height="36" href=${`${art.base}/${mark.art}`} />
      ${mark.tag && html`<${Words} text=${mark.tag} size="16" />`}</g>`;
  }
  if (shape) {
    const kind = shape.light ? "c-white" : shape.dark ? "c-black" : tint(mark);
    const plain = kind === "c-white" || kind === "c-black";
    return html`<g class=${`piece ${kind}`} data-thing=${name}>
      <path class="shade" d=${shape.path} transform="translate(0 1.6)" />
      <path class="body" d=${shape.path} />
      ${shape.line && !(plain && mark.sign === "○") && html`<path class="line" d=${shape.line} />`}
      ${mark.tag && html`<${Words} text=${mark.tag} size="16" />`}
    </g>`;
  }
  if (mark.icon && ICONS[mark.icon]) {
    return html`<${Outline} icon=${mark.icon} kind=${tint(mark)} name=${name} />${mark.badge && html`<g transform="translate(13 13) scale(.5)"><${Outline} icon=${mark.badge.icon} kind=${tint(mark.badge)} /></g>`}${mark.tag && html`<g class=${`piece ${tint(mark)}`}><${Words} text=${mark.tag} size="16" /></g>`}`;
  }
  if (mark.hidden) {
    return html`<g class="face-down"><rect class="back" x="-12" y="-16" width="24" height="32" rx="3.5" /><path class="weave" d="M-8 0L0 -12L8 0L0 12z" />
      ${mark.hidden > 1 && html`<${Words} text=${String(mark.hidden)} size="16" />`}</g>`;
  }
  if (mark.picture) return html`<g data-thing=${name}><${Picture} mark=${mark} /></g>`;
  if (seat >= 0) {
    return html`<g class=${`piece ${tint(mark)}`} data-thing=${name}>
      <g class="shade" transform="translate(0 1.6)">${SEATS[seat % SEATS.length]}</g>
      <g class="body">${SEATS[seat % SEATS.length]}</g>
      <${Words} text=${(mark.named ? "" : mark.sign || "") + (mark.tag || "")} />
    </g>`;
  }
  if (mark.cells && !mark.sign) return html`<g data-thing=${name}><${Cells} rows=${mark.cells} of=${mark} /></g>`;
  const text = (mark.sign || mark.text || mark.says || "") + (mark.tag || "");
  if ([...text].length === 1 && !/[\p{L}\p{N}]/u.test(text)) {
    return html`<g class=${`sign ${tint(mark)}`} data-thing=${name}><text class="plain" y="9" font-size="26">${text}</text></g>`;
  }
  return html`<g class=${`piece ${tint(mark)}`} data-thing=${name}>
    <rect class="shade" x="-17" y="-13.4" width="34" height="30" rx="5" />
    <rect class="body" x="-17" y="-15" width="34" height="30" rx="5" />
    <${Words} text=${text} size="17" />
  </g>`;
}

const ENDS = [[0, -20], [20, 0], [0, 20], [-20, 0]];

/** A tile with lines, bulges and fields at its sides. Two lines of one kind join; others end in a node. */
function TilePicture({ tile }) {
  const kinds = [...new Set(tile.sides.map((side) => side.order))].sort((a, b) => a - b);
  return html`<g class=${`sided c-${tile.ground || "none"}`}><rect class="ground" x="-20" y="-20" width="40" height="40" />${kinds.map((order) => {
    const ends = ENDS.filter((_, n) => tile.sides[n].order === order);
    const { look, colour } = tile.sides.find((side) => side.order === order);
    if (look === "field") return null;
    if (look === "bulge") return ends.map(([x, y]) => html`<path class=${`bulge c-${colour}`} d=${x ? `M${x}-20Q${-x / 4} 0 ${x} 20z` : `M-20 ${y}Q0 ${-y / 4} 20 ${y}z`} />`);
    const joined = ends.length === 2 && !tile.node;
    const path = joined ? `M${ends[0].join(" ")}Q0 0 ${ends[1].join(" ")}` : ends.map((end) => `M${end.join(" ")}L0 0`).join("");
    return html`<g class=${`c-${colour}`}><path class="bank" d=${path} />${!joined && html`<circle class="bank" r="5" />`}<path class="course" d=${path} />${!joined && html`<circle class="node" r="5" />`}</g>`;
  })}</g>`;
}

/** A tile with a mark in each of its parts. */
function Picture({ mark }) {
  const rows = mark.picture;
  const [high, wide] = [rows.length, Math.max(...rows.map((row) => row.length))];
  return html`<rect class="tile shade" x="-20" y="-18.4" width="40" height="40" rx="4" />
    <rect class="tile" x="-20" y="-20" width="40" height="40" rx="4" />
    ${rows.map((row, y) => row.map((part, x) => part.text !== "" && html`<g
      transform=${`translate(${(40 * (x + 0.5)) / wide - 20} ${(40 * (y + 0.5)) / high - 20}) scale(${0.74 / Math.max(wide, high)})`}>
      <${Piece} mark=${part} thing=${false} /></g>`))}`;
}

/** The cells that a thing covers. */
export function Cells({ rows, of = {} }) {
  const size = Math.min(12, 38 / Math.max(rows.length, ...rows.map((row) => row.length)));
  const [top, side] = [(-size * rows.length) / 2, (-size * Math.max(...rows.map((row) => row.length))) / 2];
  return html`<g class=${`piece ${tint(of)}`}>${rows.map((row, y) => [...row].map((sign, x) => sign === "#" && html`<rect class="body"
    x=${side + x * size} y=${top + y * size} width=${size} height=${size} rx="1.5" />`))}</g>`;
}

/** A thing as an icon within text. */
export function Icon({ mark, large }) {
  return html`<svg class=${large ? "icon large" : "icon"} viewBox="-21 -21 42 42" aria-hidden="true"><${Piece} mark=${mark} /></svg>`;
}

/** Return a number as text, with a minus sign; a question mark for what cannot be known. */
export const figure = (value) => String(value ?? "?").replace(/^-(?=\d)/, "−");

/** Whether a mark is shown as words. */
export const isWords = (mark) => !isShape(mark) && !mark.tile && !mark.art && !mark.picture && !mark.cells && (mark.owner ?? -1) < 0 && (mark.named || !mark.sign);

/** The backs of hidden things: up to three, one above the other. */
export function Backs({ count }) {
  const shown = Math.min(count, 3);
  return html`<svg class="icon backs" viewBox=${`0 0 ${20 + 6 * shown} 34`} aria-hidden="true">${Array.from({ length: shown }, (_, n) => html`<g
    transform=${`translate(${1 + 6 * n} 1)`}><rect class="back" width="23" height="31" rx="3.5" /><path class="weave" d="M4 15.5L11.5 4L19 15.5L11.5 27z" /></g>`)}</svg>`;
}

/** Marks in a line: signs are drawn, others are written, with commas between words. */
export function Run({ marks, place }) {
  return marks.map((mark, n) => {
    if (mark.hidden) return html`<span class="mark"><${Backs} count=${mark.hidden} /> <span class="quiet">${mark.text}</span></span>`;
    const next = marks[n + 1];
    const comma = next && !next.hidden && isWords(mark) && isWords(next) ? "," : "";
    const several = mark.number > 1 ? html`<b class="times">${mark.number}× </b>` : "";
    const inner = isWords(mark)
      ? html`${several}<span class=${`words ${mark.colour ? `t-${mark.colour}` : ""}`}><${Rich} text=${mark.text ?? mark.says ?? mark.sign} />${comma}</span>`
      : html`${several}<${Icon} mark=${mark} /><span class="unseen">${mark.says || mark.sign || mark.text}</span>`;
    return place ? place(mark, inner) : html`<span class="mark" title=${mark.says}>${inner}</span>`;
  });
}
