// Boards drawn as SVG: grids with their cells and stacks, and rings and crosses of squares.
// Properties of `view`: `can` (ids that can be selected), `named` (ids that any choice names), `picked`, `hint` (places
// that the focused choice names), `ghosts` (by place, what will lie there after the focused choice), `fresh` (places that
// have just changed), `point(id)`, `look(id)` for the workbench, and `miss(id, words)` for a click on a thing that no
// choice names.
import { html } from "./preact.js";
import { Emblem, Piece, art, isShape, isWords, tint } from "./marks.js";

const SIZE = 48;
const EDGE = 22;

/** The classes of a place. */
export function state(view, ...ids) {
  const has = (set) => ids.some((id) => id && set.has(id));
  return `${has(view.can) ? " can" : ""}${has(view.show) ? " show" : ""}${has(view.picked) ? " picked" : ""}${has(view.hint) ? " hint" : ""}`;
}

export const isFresh = (view, panel, id) => view.fresh.has(`${panel} ${id}`);

/** Return the attributes of a place in a picture. It can be focused, and the arrow keys move between places. */
export function place(view, words, about, ...ids) {
  const id = ids.find((one) => one && view.can.has(one)) || ids.find((one) => one && view.picked.has(one)) || ids[0];
  const can = ids.some((one) => one && (view.can.has(one) || view.picked.has(one)));
  const other = ids.find((one) => one && view.named.has(one)); // a click on another thing selects that one instead
  return {
    role: "button",
    tabIndex: -1,
    "data-place": id,
    "aria-label": words + (view.picked.has(id) ? ", chosen" : ""),
    "aria-disabled": can || other ? undefined : "true",
    onClick: (event) => {
      event.stopPropagation();
      if (can || other) view.point(can ? id : other);
      else view.miss(about || id.slice(0, id.indexOf(":")), words);
    },
  };
}

// ---- grids

/** Return the position of each cell's center, and the outline around it. */
function plan(panel, board) {
  const columns = board.letters.length;
  const row = (y) => (panel.up ? board.rows - 1 - y : y);
  if (panel.hex) {
    const [w, h] = [SIZE * 1.02, SIZE * 0.884];
    const hexagon = `M0${-h * 0.667}l${w / 2} ${h * 0.333}v${h * 0.667}l${-w / 2} ${h * 0.333}l${-w / 2} ${-h * 0.333}v${-h * 0.667}z`;
    return {
      at: (y, x) => [EDGE + w * (x + 0.5 + row(y) / 2), EDGE + h * (row(y) + 0.667)],
      size: [EDGE * 2 + w * (columns + (board.rows - 1) / 2), EDGE * 2 + h * (board.rows + 0.334)],
      outline: hexagon, row, wide: w, high: h,
    };
  }
  const high = panel.pattern === "wedges" ? SIZE * 4.6 : SIZE;
  const gap = panel.pattern === "wedges" ? SIZE * 0.7 : 0;
  const side = panel.pattern === "wedges" ? 8 : EDGE;
  return {
    at: (y, x) => [side + SIZE * (x + 0.5), EDGE + high * (row(y) + 0.5) + gap * row(y)],
    size: [side * 2 + SIZE * columns, EDGE * 2 + high * board.rows + gap * (board.rows - 1)],
    outline: `M${-SIZE / 2}${-high / 2}h${SIZE}v${high}h${-SIZE}z`, row, wide: SIZE, high,
  };
}

/** Return offset and scale for each of several things in one cell. */
function spread(count) {
  if (count === 1) return [[0, 0, 1]];
  if (count === 2) return [[-11, 0, 0.56], [11, 0, 0.56]];
  const side = count <= 4 ? 2 : 3;
  const step = 44 / side;
  return Array.from({ length: Math.min(count, side * side) }, (_, n) => [
    (n % side) * step - 22 + step / 2, Math.floor(n / side) * step - 22 + step / 2, 1 / side - 0.02,
  ]);
}

export function Grid({ panel, view }) {
  return html`<div class="boards">${panel.boards.map((board) => html`<figure class="board" key=${board.id || ""}>
    ${panel.boards.length > 1 && html`<figcaption><${Owner} view=${view} board=${board} />${board.title}</figcaption>`}
    <${Board} panel=${panel} board=${board} view=${view} />
  </figure>`)}</div>`;
}

function Owner({ view, board }) {
  const mark = board.owner === undefined ? null : view.players[board.owner];
  return mark && html`<svg class="icon" viewBox="-21 -21 42 42" aria-hidden="true"><${Piece} mark=${mark} /></svg>`;
}

/** Return a board with what will lie on it after the focused choice. */
function foreseen(board, ghosts) {
  const raised = (board.spots || []).filter((spot) => ghosts[spot.id]).map((spot) => ({ ...spot, mark: ghosts[spot.id][0], ghost: true }));
  return {
    ...board, cells: board.cells.map((cell) => (ghosts[cell.id] ? { ...cell, marks: ghosts[cell.id], ghost: true } : cell)),
    sides: (board.sides || []).map((side) => (ghosts[side.id] ? { ...side, marks: ghosts[side.id], ghost: true } : side)),
    raised: [...(board.raised || []), ...raised], spots: (board.spots || []).filter((spot) => !ghosts[spot.id]),
  };
}

function Board({ panel, board: now, view }) {
  const board = view.ghosts ? foreseen(now, view.ghosts) : now;
  const lay = plan(panel, board);
  const [width, height] = lay.size.map((n) => Math.round(n * 10) / 10);
  const named = board.cells.every((cell) => cell.name);
  const wedges = panel.pattern === "wedges";
  const blocks = wide(board.cells);
  const label = [panel.title, board.title].filter(Boolean).join(", ");
  return html`<svg class=${`grid ${panel.pattern || "plain"}${panel.art ? " pictured" : ""}${panel.hex ? " hexes" : ""}`} viewBox=${`0 0 ${width} ${height}`}
      role="group" aria-label=${label} data-rove data-wide=${Math.round(width)}
      style=${{ maxWidth: `${Math.round(Math.max(width * 1.8, 240))}px` }}>
    <rect class="under" x="1" y="1" width=${width - 2} height=${height - 2} rx="8" />
    ${panel.art && html`<${Under} panel=${panel} board=${board} lay=${lay} />`}
    ${!named && html`<${Letters} panel=${panel} board=${board} lay=${lay} />`}
    ${wedges && html`<${Bar} board=${board} lay=${lay} height=${height} />`}
    ${panel.pattern === "lines" && html`<${Lines} board=${board} lay=${lay} />`}
    ${(panel.lines || []).map((line) => html`<path class="way" d=${`M${line.map(([y, x]) => lay.at(y, x).join(" ")).join("L")}`} />`)}
    ${board.cells.map((cell) => html`<${Cell} key=${cell.id} ...${{ panel, board, cell, lay, view, blocks, named }} />`)}
    <g class="blocks">${board.cells.flatMap((cell) => (cell.marks || []).filter((mark) => blocks.has(mark.id)).map((mark) => html`<g
      key=${cell.id} transform=${`translate(${lay.at(cell.row, cell.column).join(" ")})`}><${Block} ...${{ mark, cell, of: blocks.get(mark.id), up: panel.up }} /></g>`))}</g>
    <${Parts} board=${board} lay=${lay} />
    ${(board.sides || []).map((side) => html`<${Side} key=${side.id} ...${{ panel, side, lay, view }} />`)}
    ${(board.raised || []).map((tile) => html`<${Tile} key=${tile.id} ...${{ panel, tile, lay, view }} />`)}
    ${(board.spots || []).map((spot) => html`<${Spot} key=${spot.id} ...${{ spot, lay, view }} />`)}
  </svg>`;
}

/** The picture of a board, stretched over all cells. */
function Under({ panel, board, lay }) {
  const spots = board.cells.map((cell) => lay.at(cell.row, cell.column));
  const [xs, ys] = [spots.map((spot) => spot[0]), spots.map((spot) => spot[1])];
  const [left, top] = [Math.min(...xs) - lay.wide / 2, Math.min(...ys) - lay.high / 2];
  return html`<image x=${left} y=${top} width=${Math.max(...xs) + lay.wide / 2 - left} height=${Math.max(...ys) + lay.high / 2 - top}
    preserveAspectRatio="none" href=${`${art.base}/${panel.art}`} />`;
}

function Letters({ panel, board, lay }) {
  const last = panel.up ? 0 : board.rows - 1;
  const down = panel.hex ? 18 : lay.high / 2 + 15;
  return html`<g class="letters" aria-hidden="true">
    ${board.letters.map((letter, x) => {
      const [cx, cy] = lay.at(panel.hex && !panel.up ? 0 : last, x);
      return html`<text x=${cx} y=${panel.hex && !panel.up ? 14 : cy + down}>${letter}</text>`;
    })}
    ${Array.from({ length: board.rows }, (_, y) => {
      const [cx, cy] = lay.at(y, 0);
      return html`<text x=${cx - lay.wide / 2 - 10} y=${cy + 4}>${y + 1}</text>`;
    })}
  </g>`;
}

/** The bar in the middle of an odd number of wedges. */
function Bar({ board, lay, height }) {
  const middle = (board.letters.length - 1) / 2;
  if (middle % 1) return null;
  const [x] = lay.at(0, middle);
  return html`<rect class="bar" x=${x - SIZE / 2 + 3} y="1" width=${SIZE - 6} height=${height - 2} />`;
}

function Lines({ board, lay }) {
  const [columns, rows] = [board.letters.length, board.rows];
  const parts = [];
  for (let y = 0; y < rows; y++) parts.push(`M${lay.at(y, 0).join(" ")}L${lay.at(y, columns - 1).join(" ")}`);
  for (let x = 0; x < columns; x++) parts.push(`M${lay.at(0, x).join(" ")}L${lay.at(rows - 1, x).join(" ")}`);
  const star = rows > 12 ? 3 : 2;
  const stars = rows === columns && rows % 2 && rows > 6 ? [star, (rows - 1) / 2, rows - 1 - star] : [];
  return html`<path class="way" d=${parts.join("")} />${stars.flatMap((y) => stars.map((x) => {
    const [cx, cy] = lay.at(y, x);
    return (y === stars[1]) === (x === stars[1]) && html`<circle class="star" cx=${cx} cy=${cy} r="3.4" />`;
  }))}`;
}

/** Return the things that cover several cells, by id. Each is drawn as one block. */
function wide(cells) {
  const count = new Map();
  for (const cell of cells) {
    for (const mark of cell.marks || []) if (mark.piece && (mark.icon || !isShape(mark))) count.set(mark.id, [...(count.get(mark.id) || []), cell]);
  }
  for (const [id, found] of count) if (found.length < 2) count.delete(id);
  return count;
}

function Cell({ panel, board, cell, lay, view, blocks, named }) {
  const [x, y] = lay.at(cell.row, cell.column);
  const marks = cell.marks || [];
  const says = `${cell.says}${view.can.has(cell.id) ? ", can be chosen" : ""}`;
  const shade = (cell.row + cell.column) % 2 ? "odd" : "even";
  const fresh = isFresh(view, panel.id, cell.id) ? " fresh" : "";
  const lone = marks.filter((mark) => !blocks.has(mark.id));
  const wedge = panel.pattern === "wedges";
  const ground = (cell.ground || [])[0];
  const soil = ground?.colour && !["points", "lines"].includes(panel.pattern) ? ` soil c-${ground.colour}` : "";
  const full = marks.length ? " full" : "";
  const void_ = panel.pattern === "points" && !marks.length && !ground ? " void" : "";
  return html`<g class=${`cell ${shade}${state(view, cell.id, cell.below)}${fresh}${cell.inner ? " inner" : ""}${soil}${void_}${full}${cell.ghost ? " ghost" : ""}`}
      transform=${`translate(${x} ${y})`} ...${place(view, says, marks.find((mark) => mark.piece)?.entry, cell.id, cell.below)}>
    <title>${cell.says}</title>
    ${wedge ? html`<${Wedge} board=${board} cell=${cell} lay=${lay} />` : html`<path class="floor" d=${lay.outline} />`}
    <path class="glow" d=${lay.outline} />
    ${ground && html`<${Ground} mark=${ground} panel=${panel} />`}
    ${lone.length === 1 && lone[0].tile ? html`<g transform=${`scale(${Math.min(lay.wide, lay.high) / 40})`}><${Piece} mark=${lone[0]} /></g>` : wedge ? html`<${Pile} marks=${marks} cell=${cell} lay=${lay} />` : spread(lone.length).map(([dx, dy, scale], n) => html`<g
      transform=${`translate(${dx} ${dy})${scale === 1 ? "" : ` scale(${scale})`}`}><${Piece} mark=${lone[n]} /></g>`)}
    <path class="aim" d=${wedge ? lay.outline : lay.outline} />
    ${(view.show.has(cell.id) || view.show.has(cell.below)) && !wedge && html`<circle class="dot" r=${marks.length ? 0 : 7} />`}
    ${named && !wedge && html`<text class="name" y=${lay.high / 2 - 4}>${cell.name}</text>`}
  </g>`;
}

const WAYS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/** The things at one side of a cell, or a mark where one can go. */
function Side({ panel, side, lay, view }) {
  const [x, y] = lay.at(side.row, side.column);
  const [dx, dy] = WAYS[side.side];
  const count = side.marks.length;
  return html`<g class=${`side${state(view, side.id)}${isFresh(view, panel.id, side.id) ? " fresh" : ""}${side.ghost ? " ghost" : ""}`}
      transform=${`translate(${x + dx * (lay.wide / 2 - 9)} ${y + dy * (lay.high / 2 - 9)})`}
      ...${place(view, `${side.says}${view.can.has(side.id) ? ", can be chosen" : ""}`, side.marks.find((mark) => mark.piece)?.entry, side.id)}>
    <title>${side.says}</title>
    <circle class="spot" r=${count ? 11 : 6} />
    ${side.marks.map((mark, n) => html`<g transform=${`translate(${(n - (count - 1) / 2) * 9 * Math.abs(dy)} ${(n - (count - 1) / 2) * 9 * Math.abs(dx)}) scale(.48)`}><${Piece} mark=${mark} /></g>`)}
  </g>`;
}

function Ground({ mark, panel }) {
  if (panel.pattern === "points") return html`<circle class="star" r="5" />`;
  const text = mark.sign || mark.text || "";
  return isWords(mark) || mark.text ? html`<text class=${`faint ${tint(mark)}`} y="5">${text}</text>`
    : html`<g class="dim" transform="scale(.5)"><${Piece} mark=${mark} thing=${false} /></g>`;
}

/** One cell of a thing that covers several cells, without an edge towards its other cells. */
function Block({ mark, cell, of, up }) {
  const has = (dy, dx) => of.some((other) => other.row === cell.row + dy && other.column === cell.column + dx);
  const [north, south] = up ? [has(1, 0), has(-1, 0)] : [has(-1, 0), has(1, 0)];
  const [west, east] = [has(0, -1), has(0, 1)];
  const half = SIZE / 2;
  const inset = (open) => (open ? half : half - 3);
  const [l, r, t, b] = [inset(west), inset(east), inset(north), inset(south)];
  const edge = `${north ? "" : `M${-l}${-t}H${r}`}${south ? "" : `M${-l} ${b}H${r}`}${west ? "" : `M${-l}${-t}V${b}`}${east ? "" : `M${r}${-t}V${b}`}`;
  const first = of[0] === cell;
  return html`<g class=${`block ${tint(mark)}${cell.ghost ? " ghost" : ""}`}>
    <path class="body" d=${`M${-l}${-t}H${r}V${b}H${-l}z`} /><path class="edge" d=${edge} />
    ${first && (mark.icon ? html`<${Emblem} mark=${mark} />` : html`<text class="in" y="6" font-size="16">${mark.sign || ""}</text>`)}
    ${mark.tag && html`<g transform="scale(.5)"><${Piece} mark=${{ sign: mark.tag }} /></g>`}
  </g>`;
}

function Wedge({ board, cell, lay }) {
  const middle = (board.letters.length - 1) / 2;
  if (cell.column === middle) return html`<path class="nothing" d=${lay.outline} />`;
  const down = lay.row(cell.row) === 0;
  const [w, h] = [SIZE / 2 - 1.5, lay.high / 2];
  const tip = down ? h - 12 : -h + 12;
  return html`<path class="nothing" d=${lay.outline} />
    <path class="spike" d=${`M${-w} ${down ? -h : h}L0 ${tip}L${w} ${down ? -h : h}z`} />
    <text class="name" y=${down ? -h - 6 : h + 15}>${cell.name}</text>`;
}

/** Pieces in a line on a wedge, as many as fit. */
function Pile({ marks, cell, lay }) {
  const mark = marks[0];
  if (!mark) return null;
  const count = Math.max(1, Number(mark.tag) || 1);
  const down = lay.row(cell.row) === 0;
  const step = Math.min(38, (lay.high - 40) / Math.max(1, Math.min(count, 5) - 1));
  return Array.from({ length: Math.min(count, 5) }, (_, n) => {
    const y = (lay.high / 2 - 21 - n * step) * (down ? -1 : 1);
    const top = n === Math.min(count, 5) - 1;
    return html`<g transform=${`translate(0 ${y})`}><${Piece} mark=${{ ...mark, tag: top && count > 5 ? String(count) : "" }} /></g>`;
  });
}

/** The lines between the parts of a board. */
function Parts({ board, lay }) {
  const at = new Map(board.cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
  const parts = [];
  for (const cell of board.cells) {
    if (cell.part === undefined) continue;
    const [x, y] = lay.at(cell.row, cell.column);
    const [right, under] = [at.get(`${cell.row} ${cell.column + 1}`), at.get(`${cell.row + 1} ${cell.column}`)];
    const [w, h] = [lay.wide / 2, lay.high / 2];
    const side = lay.row(1) > lay.row(0) ? h : -h;
    if (right && right.part !== undefined && right.part !== cell.part) parts.push(`M${x + w} ${y - h}v${lay.high}`);
    if (under && under.part !== undefined && under.part !== cell.part) parts.push(`M${x - w} ${y + side}h${lay.wide}`);
  }
  return parts.length ? html`<path class="parts" d=${parts.join("")} />` : null;
}

/** The frame around some cells. */
function frame(cells, lay) {
  const spots = cells.map(([y, x]) => lay.at(y, x));
  const [xs, ys] = [spots.map((spot) => spot[0]), spots.map((spot) => spot[1])];
  const [left, top] = [Math.min(...xs) - lay.wide / 2, Math.min(...ys) - lay.high / 2];
  return { left, top, wide: Math.max(...xs) + lay.wide / 2 - left, high: Math.max(...ys) + lay.high / 2 - top };
}

function Tile({ panel, tile, lay, view }) {
  const { left, top, wide: w, high: h } = frame(tile.cells, lay);
  const side = Math.min(w, h) - 4 - Math.min(tile.level - 1, 4) * 2;
  const fresh = isFresh(view, panel.id, tile.id) ? " fresh" : "";
  const lift = (tile.level - 1) * 3;
  return html`<g class=${`stacked level-${Math.min(tile.level, 5)}${state(view, tile.id)}${fresh}${tile.ghost ? " ghost" : ""}`}
      transform=${`translate(${left + w / 2} ${top + h / 2 - lift})`} ...${place(view, tile.says, tile.mark.entry, tile.id)}>
    <title>${tile.says}</title>
    ${tile.mark.picture ? html`<g transform=${`scale(${side / 40})`}><${Piece} mark=${tile.mark} /></g>`
    : html`<g class=${`piece ${tint(tile.mark)}`} data-thing=${tile.mark.id}>
        <rect class="shade" x=${-side / 2} y=${-side / 2 + 3} width=${side} height=${side} rx="4" />
        <rect class="body" x=${-side / 2} y=${-side / 2} width=${side} height=${side} rx="4" />
        ${tile.mark.icon ? html`<${Emblem} mark=${tile.mark} />` : html`<text class="in" y="6" font-size="17">${tile.mark.sign || ""}</text>`}</g>`}
    <text class=${`height${tile.mark.picture ? "" : ` on ${tint(tile.mark)}`}`} x=${side / 2 - 4} y=${side / 2 - 4}>${tile.level}</text>
    <rect class="aim" x=${-side / 2} y=${-side / 2} width=${side} height=${side} rx="4" />
  </g>`;
}

function Spot({ spot, lay, view }) {
  const { left, top, wide: w, high: h } = frame(spot.cells, lay);
  return html`<g class=${`spot${state(view, spot.id)}`} transform=${`translate(${left + w / 2} ${top + h / 2})`}
      ...${place(view, `${spot.says}, free${view.can.has(spot.id) ? ", can be chosen" : ""}`, "", spot.id)}>
    <title>${spot.says}</title>
    <rect class="outline" x=${-w / 2 + 5} y=${-h / 2 + 5} width=${w - 10} height=${h - 10} rx="5" />
    <circle r="13" /><text y="5">${spot.level}</text>
  </g>`;
}

// ---- rings of many squares, and crosses

function loop(number) {
  const half = Math.floor((number + 5) / 2);
  const columns = number <= 12 ? Math.floor((half + 1) / 2) : Math.max(Math.floor(half / 2), half - 10);
  const rows = half - columns;
  const spots = [];
  for (let x = 0; x < columns; x++) spots.push([0, x]);
  for (let y = 1; y < rows - 1; y++) spots.push([y, columns - 1]);
  if (rows > 1) for (let x = columns - 1; x >= 0; x--) spots.push([rows - 1, x]);
  if (columns > 1) for (let y = rows - 2; y > 0; y--) spots.push([y, 0]);
  return { spots, rows, columns };
}

function cross(number) {
  const arm = (number / 4 - 1) / 2;
  let one = [];
  for (let n = 0; n <= arm; n++) one.push([arm - n, arm]);
  for (let n = 0; n < arm; n++) one.push([n, arm + 1]);
  const spots = [];
  for (let turn = 0; turn < 4; turn++) {
    spots.push(...one);
    one = one.map(([row, column]) => [column, 2 * arm + 1 - row]);
  }
  return { spots, rows: 2 * arm + 2, columns: 2 * arm + 2 };
}

export const around = loop;

export function Squares({ panel, view }) {
  const lay = panel.shape === "cross" && panel.boxes.length % 8 === 4 ? cross(panel.boxes.length) : loop(panel.boxes.length);
  const size = 44;
  return html`<figure class="board"><svg class="grid cloth" viewBox=${`0 0 ${lay.columns * size + 20} ${lay.rows * size + 20}`} role="group"
      aria-label=${panel.title} data-rove data-wide=${lay.columns * size}
      style=${{ maxWidth: `${Math.max(lay.columns * size * 1.1, 320)}px` }}>
    ${panel.boxes.map((box, n) => box && html`<${Square} key=${box.id} box=${box} view=${view} panel=${panel}
      x=${lay.spots[n][1] * size + 10 + size / 2} y=${lay.spots[n][0] * size + 10 + size / 2} size=${size} />`)}
  </svg></figure>`;
}

function Square({ box, view, panel, x, y, size }) {
  const marks = box.lines.flatMap((line) => line.marks);
  const ids = [box.id, ...marks.map((mark) => mark.id)];
  const fresh = marks.some((mark) => isFresh(view, panel.id, `${box.id} ${mark.id}`)) ? " fresh" : "";
  const half = size / 2;
  return html`<g class=${`cell${state(view, ...ids)}${fresh}`} transform=${`translate(${x} ${y})`}
      ...${place(view, `${box.says}${ids.some((id) => view.can.has(id)) ? ", can be chosen" : ""}`, "", ...ids)}>
    <title>${box.says}</title>
    <rect class="floor" x=${-half} y=${-half} width=${size} height=${size} /><rect class="glow" x=${-half} y=${-half} width=${size} height=${size} />
    ${box.number % 5 === 0 && !marks.length && html`<text class="faint" y="5">${box.number}</text>`}
    ${spread(marks.length).map(([dx, dy, scale], n) => html`<g transform=${`translate(${dx} ${dy}) scale(${scale * 0.88})`}>
      <${Piece} mark=${marks[n]} /></g>`)}
    <rect class="aim" x=${-half} y=${-half} width=${size} height=${size} />
  </g>`;
}
