// One component for each kind of panel; board.js draws boards.
import { html, useState } from "./preact.js";
import { Backs, Icon, Piece, Rich, Run, Shape, figure, isWords } from "./marks.js";
import { Grid, Squares, around, isFresh, state } from "./board.js";
import { PlaceMap } from "./placemap.js";
import { Laid, RingBoard } from "./stage.js";

/** Return the heading of a panel. */
export const called = (panel) => panel.title.split(/[:;]/)[0];

/**
 * Return which panels of a game were folded or unfolded by hand; other panels have their default.
 * @param {string} game
 */
export function folds(game) {
  try {
    return JSON.parse(localStorage.getItem(`patolli folds ${game}`) || "{}");
  } catch {
    return {};
  }
}

function keep(game, id, open) {
  try {
    localStorage.setItem(`patolli folds ${game}`, JSON.stringify({ ...folds(game), [id]: open }));
  } catch {
    // private windows store nothing
  }
}

/** A panel that can be folded. While it is folded, its heading says when something has changed. */
export function Foldable({ panel, view, game, open, forced }) {
  const Draw = DRAW[panel.shows];
  const [now, setNow] = useState(folds(game)[panel.id] ?? open);
  const shown = now || forced;
  const news = !shown && [...view.fresh].some((id) => id.startsWith(`${panel.id} `));
  const turn = (event) => {
    if (event.currentTarget.open === shown) return;
    setNow(event.currentTarget.open);
    keep(game, panel.id, event.currentTarget.open);
  };
  return html`<section class=${`panel folds shows-${panel.shows}`} aria-labelledby=${`p-${panel.id}`}><details open=${shown} onToggle=${turn}>
    <summary title=${panel.note}><h2 id=${`p-${panel.id}`}>${called(panel)}${news && html` <span class="news">changed</span>`}</h2></summary>
    ${shown && html`<${Draw} panel=${panel} view=${view} />${panel.note && html`<p class="note">${panel.note}</p>`}`}</details></section>`;
}

/** A panel with its heading and note. */
export function Panel({ panel, view, heart, inner }) {
  const Draw = DRAW[panel.shows];
  const title = called(panel);
  return html`<section class=${`panel shows-${panel.shows}${panel.main ? " main" : ""}`} aria-labelledby=${`p-${panel.id}`}>
    <h2 id=${`p-${panel.id}`}>${title}</h2>
    <${Draw} panel=${panel} view=${view} heart=${heart} inner=${inner} />
    ${panel.note && html`<p class="note">${panel.note}</p>`}
  </section>`;
}

/** Whether there is anything to see in a panel. */
export function isEmpty(panel) {
  if (panel.groups) return panel.groups.every((group) => !group.items.length && !group.hidden);
  return panel.shows === "list" && !panel.items.length;
}

/** Return a function that draws a mark, as a button if it can be selected. */
export function mark(view, panel, where) {
  return (one, inner) => {
    const classes = `mark${state(view, one.id)}${one.id && isFresh(view, panel, `${where} ${one.id}`) ? " fresh" : ""}`;
    if (!one.id || !(view.named.has(one.id) || view.picked.has(one.id))) return html`<span class=${classes} title=${one.says}>${inner}</span>`;
    return html`<button class=${classes} title=${one.says} data-place=${one.id} tabIndex="-1" aria-pressed=${String(view.picked.has(one.id))}
      onClick=${(event) => { event.stopPropagation(); view.point(one.id); }}>${inner}</button>`;
  };
}

/** A name that can be selected or looked up. */
export function Name({ view, ids, about, children, className = "" }) {
  const id = ids.find((one) => view.can.has(one)) || ids.find((one) => view.picked.has(one)) || ids.find((one) => view.named.has(one));
  if (!id) {
    return html`<button class=${`name ${className}`} tabIndex="-1" data-about=${ids[0]}
      onClick=${(event) => { event.stopPropagation(); view.miss(about || ids[0], event.currentTarget.innerText); }}>${children}</button>`;
  }
  return html`<button class=${`name ${className}${state(view, id)}`} data-place=${id} tabIndex="-1" aria-pressed=${String(view.picked.has(id))}
    onClick=${(event) => { event.stopPropagation(); view.point(id); }}>${children}</button>`;
}

/** Treat a click on the box as a click on its name. Keys and screen readers use the button. */
export const whole = (view, ids) => (event) => {
  const id = ids.find((one) => view.can.has(one)) || ids.find((one) => view.named.has(one));
  if (id && !event.defaultPrevented) view.point(id);
};

// ---- rings and columns of boxes

function Ring({ panel, view, heart, inner = [] }) {
  if (panel.shape === "cross" || panel.boxes.length > 12) return html`<${Squares} panel=${panel} view=${view} />`;
  const lay = around(panel.boxes.length);
  return html`<div class=${`round of-${lay.columns}`} data-rove>
    ${panel.boxes.map((box, n) => box && html`<div class=${`at-${lay.spots[n][0]}-${lay.spots[n][1]}`} key=${box.id}>
      ${inner.length ? html`<${RingBoard} box=${box} view=${view} panel=${panel} inner=${inner} />` : html`<${Box} box=${box} view=${view} panel=${panel} />`}</div>`)}
    ${heart && html`<div class=${`heart rows-${lay.rows}`}>${heart}</div>`}
  </div>`;
}

function Columns({ panel, view }) {
  return html`<div class="across" data-rove>${panel.columns.map((boxes) => html`<div>${boxes.map((box) => html`<${Box}
    key=${box.id} box=${box} view=${view} panel=${panel} />`)}</div>`)}</div>`;
}

function Box({ box, view, panel }) {
  return html`<div class=${`box${state(view, box.id)}`} onClick=${whole(view, [box.id])}>
    <h3><${Name} view=${view} ids=${[box.id]}>${box.sign && panel.shows === "columns" ? html`<span class="tag">${box.sign}</span> ` : ""}${box.title}<//></h3>
    ${box.lines.map((line) => html`<p class="marks">${line.sign.length > 0 && html`<span class="quiet">${line.sign[0].sign} </span>`}
      ${line.title && html`<span class="quiet">${line.title} </span>`}<${Run} marks=${line.marks} place=${mark(view, panel.id, box.id)} /></p>`)}
  </div>`;
}

// ---- tracks, tables, and goods

export function Track({ panel, view }) {
  const steps = Array.from({ length: panel.last + 1 }, (_, step) => step);
  return html`<div class="tracks" data-rove>${panel.lines.map((line) => {
    const on = (step) => line.markers.filter((marker) => marker.step === step);
    const beside = line.beside.filter((one) => one.marks.length || one.hidden);
    const words = line.markers.map((marker) => marker.says).join(", ");
    const steady = beside.every((one) => !one.hidden);
    return html`<div class=${line.colour ? `line hued c-${line.colour}` : "line"}>
      ${line.title && html`<h3>${line.id ? html`<${Name} view=${view} ids=${[line.id]}>${line.title}<//>` : line.title}</h3>`}
      <span class="unseen">${words}</span>
      <ol class=${`steps${steps.length > 16 ? " long" : ""}`} role="none">${steps.map((step) => {
        const marks = on(step);
        const lying = steady ? beside.filter((one) => one.step === step) : [];
        return html`<li role="none" class=${`${marks.length ? "held" : ""}${marks.length > 1 ? " several" : ""}${lying.length ? " gift" : ""}`}>${(!marks.length || lying.length > 0) && html`<span class="step" aria-hidden="true">${step}</span>`}
          ${!marks.length && !lying.length && line.rewards?.[step].map((one) => html`<span class="reward" title=${`${one.amount} ${one.says}`}><span class="unseen">${step}: ${one.amount} ${one.says}</span><b aria-hidden="true">${one.amount}</b><${Shape} icon=${one.icon} colour=${one.colour} /></span>`)}
          ${lying.map((one) => html`<${Lying} one=${one} view=${view} place=${mark(view, panel.id, one.id)} />`)}
          ${marks.map((marker, n) => html`<svg key=${marker.mark.id || n} viewBox="-21 -21 42 42" aria-hidden="true"
              class=${isFresh(view, panel.id, `${line.title} ${marker.mark.id || n}`) ? "icon fresh" : "icon"}><${Piece} mark=${marker.mark} /></svg>`)}</li>`;
      })}</ol>
      ${!steady && beside.map((one) => html`<p class="marks"><span class="quiet">at ${one.step}: </span><${Run} marks=${one.marks}
        place=${mark(view, panel.id, one.id)} />${one.hidden > 0 && html`<span class="mark"><${Backs} count=${one.hidden} /> <span class="quiet">${one.hidden} hidden</span></span>`}</p>`)}
    </div>`;
  })}</div>`;
}

/** What lies at a step: one tile for each thing, whose words are in its title; in words if it can be chosen. */
function Lying({ one, view, place }) {
  const words = one.marks.map((each) => each.says || each.text).join(", ");
  const named = one.marks.some((each) => view.named.has(each.id));
  return html`<span class="lying" title=${words}><span class="unseen">at ${one.step}: ${named ? "" : words}</span>${named ? html`<${Run} marks=${one.marks} place=${place} />` : html`<${Shape} icon=${one.icon || one.marks[0]?.icon || "tile"} colour=${one.colour || one.marks[0]?.colour || "yellow"} />${one.marks.length > 1 && html`<b aria-hidden="true">×${one.marks.length}</b>`}`}</span>`;
}

function Table({ panel, view }) {
  const lying = panel.heads.length > 5 && panel.rows.length < panel.heads.length;
  const head = (one) => html`<${Head} one=${one} view=${view} />`;
  const value = (row, n) => html`<td class=${isFresh(view, panel.id, `${row.id} ${row.title} ${n}`) ? "fresh" : ""}>${figure(row.values[n])}</td>`;
  if (lying) {
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${panel.title}><table><thead><tr><td></td>${panel.rows.map((row) => html`<th scope="col">${row.title || panel.title}</th>`)}</tr></thead>
      <tbody>${panel.heads.map((one, n) => html`<tr><th scope="row">${head(one)}</th>${panel.rows.map((row) => value(row, n))}</tr>`)}</tbody></table></div>`;
  }
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${panel.title} data-rove><table><thead><tr><td></td>${panel.heads.map((one) => html`<th scope="col">${head(one)}</th>`)}</tr></thead>
    <tbody>${panel.rows.map((row) => html`<tr><th scope="row"><${Name} view=${view} ids=${[row.id]}>${row.icon ? html`<${Shape} icon=${row.icon} colour=${row.colour} />` : row.colour && html`<i class=${`spot c-${row.colour}`}></i>`}${row.title || panel.title}<//></th>
      ${panel.heads.map((one, n) => value(row, n))}</tr>`)}</tbody></table></div>`;
}

function Head({ one, view }) {
  if (one.owner === undefined) return one.title;
  const seat = view.players[one.owner];
  return html`${seat && html`<${Icon} mark=${seat} />`} ${one.title}`;
}

function Goods({ panel, view }) {
  const meters = panel.items.filter((item) => item.limit);
  const rest = panel.items.filter((item) => !item.limit);
  return html`${meters.map((item) => html`<${Meter} key=${item.id} item=${item} view=${view} fresh=${isFresh(view, panel.id, item.id)} />`)}
  ${rest.length > 0 && html`<dl class="goods" data-rove>${rest.map((item) => html`<div class=${isFresh(view, panel.id, item.id) ? "fresh" : ""}>
    <dt>${item.icon && html`<${Shape} icon=${item.icon} colour=${item.colour} />`}${item.title}</dt><dd><${Run} marks=${item.marks} /></dd></div>`)}</dl>`}`;
}

const STEPS = 24; // steps of a meter that are drawn one by one

/** A counter on its way to the value that ends the match, with how much is left in words. */
function Meter({ item, fresh, view }) {
  const now = Number(item.marks[0]?.text) || 0;
  const { at, end } = item.limit;
  const left = Math.max(0, at - now);
  const words = left === 0 ? (end === "won" ? "reached" : "all is lost") : view.over ? `${now} of ${at}` : `${left} more and ${end === "won" ? "you all win" : "all is lost"}`;
  return html`<div class=${`meter to-be-${end}${fresh ? " fresh" : ""}`} role="group" aria-label=${`${item.title}: ${now} of ${at}`}>
    <p><b>${item.icon && html`<${Shape} icon=${item.icon} colour=${item.colour} />`}${item.title}</b><span>${words}</span></p>
    <ol aria-hidden="true" style=${{ "--share": `${Math.min(100, (100 * now) / at)}%` }} class=${at > STEPS ? "bar" : ""}>${at <= STEPS && Array.from({ length: at }, (_, n) => html`<li class=${n < now ? "full" : ""}>${n + 1}</li>`)}</ol></div>`;
}

// ---- lists of pieces

function Groups({ panel, view }) {
  const row = panel.shows === "row";
  if (panel.main && panel.groups.every((group) => !group.title && !group.hidden && group.items.every((item) => item?.mark.card))) {
    return html`<ul class="laid" data-rove>${panel.groups.flatMap((group) => group.items).map((item) => html`<${Laid} key=${item.mark.id} item=${item} panel=${panel} view=${view} />`)}</ul>`;
  }
  return html`<div data-rove>${panel.groups.map((group) => html`<div class="group">
    ${group.title && html`<h3>${group.owner !== undefined && view.players[group.owner] && html`<${Icon} mark=${view.players[group.owner]} /> `}${group.title}</h3>`}
    <ul class=${panel.groups.some((one) => one.items.some((item) => item?.facts.length)) ? "things full" : "things"}>
      ${group.items.map((item) => item ? html`<${Item} key=${item.mark.id} item=${item} view=${view} panel=${panel} />` : html`<li class="thing gap"><span class="quiet">${row ? "empty" : ""}</span></li>`)}
      ${group.hidden > 0 && html`<li class="thing back"><${Backs} count=${group.hidden} /> <span class="quiet">${group.hidden} hidden</span></li>`}
    </ul></div>`)}</div>`;
}

function Members({ panel, view }) {
  if (panel.links) return html`<${PlaceMap} panel=${panel} view=${view} />`;
  return html`<ul class="things full" data-rove>${panel.items.map((item) => html`<${Item} key=${item.mark.id} item=${item} view=${view} panel=${panel} />`)}</ul>`;
}

/** A piece with its facts. */
export function Item({ item, view, panel, spot }) {
  const ids = item.ids || [item.mark.id];
  const drawn = item.mark.picture || item.mark.tile || item.mark.cells || !isWords(item.mark);
  const fresh = isFresh(view, panel.id, item.mark.id) ? " fresh" : "";
  const title = item.mark.picture ? "" : item.title;
  return html`<li class=${`thing${state(view, ...ids)}${fresh}`} style=${spot} onClick=${whole(view, ids)}>
    <${Name} view=${view} ids=${ids} about=${item.mark.entry}>
      ${item.number > 1 && html`<b class="times">${item.number}×</b> `}${drawn && html`<${Icon} mark=${item.mark} large=${Boolean(item.mark.picture || item.mark.tile || item.mark.cells)} />`}
      ${title ? html`<span>${title}</span>` : html`<span class="unseen">${item.title}</span>`}
    <//>
    ${item.facts.map((fact) => fact.fact !== "shape" && html`<${Fact} fact=${fact} view=${view} panel=${panel} item=${item} />`)}
  </li>`;
}

function Fact({ fact, view, panel, item }) {
  const words = fact.marks.every((one) => one.text !== undefined);
  const long = words && fact.marks.map((one) => one.text).join(" ");
  if (long && long.includes(" | ")) {
    const lines = long.split("\n");
    const numbered = panel.headings?.length > lines[0].split(" | ").length;
    return html`<table class="fact">${panel.headings && html`<thead><tr>${panel.headings.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>`}<tbody>${lines.map((line, n) => html`<tr>${numbered && html`<th scope="row">${n + 1}</th>`}${line.split(" | ").map((part) => html`<td><${Rich} text=${part} /></td>`)}</tr>`)}</tbody></table>`;
  }
  if (long && (long.length > 14 || fact.fact === "text")) return html`<p class="fact">${long.split("\n").map((line) => html`<span><${Rich} text=${line} /></span>`)}</p>`;
  if (fact.icon) {
    const yes = fact.marks.length === 1 && fact.marks[0].text === "yes";
    const short = fact.marks.every((one) => one.text?.length < 5);
    return html`<p class=${`fact marks${short ? " short" : ""}`} title=${fact.title}><${Shape} icon=${fact.icon} colour=${fact.colour} /><span class="unseen">${fact.title} ${yes ? "yes" : ""}</span>${!yes && html`<b><${Run} marks=${fact.marks} /></b>`}</p>`;
  }
  const plain = fact.marks.every((one) => one.owner !== undefined); // marks of players say whose they are
  return html`<p class="fact marks">${fact.title && html`<span class=${plain ? "unseen" : "quiet"}>${fact.title} </span>`}<${Run} marks=${fact.marks} place=${mark(view, panel.id, item.mark.id)} /></p>`;
}

// ---- on a board

/** What lies on a board of a ring: the items of a panel, or lines of marks, without their headings. */
export function Slots({ panel, view }) {
  if (panel.lines) {
    return html`<div class="lines">${panel.lines.map((line) => html`<p class=${`marks${line.sign.length ? " tile" : ""}`} title=${line.sign[0]?.says}>${line.sign.length > 0 && html`<span class="quiet"><${Sign} sign=${line.sign[0]} /></span>`}
      ${line.title && html`<span class="quiet">${line.title} </span>`}<${Run} marks=${line.marks} place=${mark(view, panel.id, panel.box)} /></p>`)}</div>`;
  }
  const items = panel.groups ? panel.groups.flatMap((group) => group.items) : panel.items;
  return html`<ul class=${`slots shows-${panel.shows}`} aria-label=${called(panel)} title=${panel.note}>${items.map((item) => item && html`<${Slot} key=${item.mark.id} item=${item} view=${view} panel=${panel} />`)}</ul>`;
}

/** The sign in front of a line. */
function Sign({ sign }) {
  return sign.icon ? html`<${Icon} mark=${sign} /><span class="unseen">${sign.says}</span>` : `${sign.sign} `;
}

function Slot({ item, view, panel }) {
  const ids = item.ids || [item.mark.id];
  const drawn = item.mark.id !== item.box && (item.mark.picture || item.mark.tile || item.mark.cells || item.mark.icon || (!item.facts.length && !isWords(item.mark)));
  const told = item.facts.filter((fact) => fact.fact !== "shape");
  const fresh = isFresh(view, panel.id, item.mark.id) ? " fresh" : "";
  return html`<li class=${`slot${state(view, ...ids)}${fresh}`} onClick=${whole(view, ids)} title=${item.says}>
    <${Name} view=${view} ids=${ids} about=${item.mark.entry} className=${!drawn && told.length ? "over" : ""}>${drawn && html`<${Icon} mark=${item.mark} large=${Boolean(item.mark.picture || item.mark.tile || item.mark.cells)} />`}
      <span class=${drawn || told.length ? "unseen" : ""}>${item.title}</span><//>
    ${told.map((fact) => html`<${Fact} fact=${fact.fact === "text" ? fact : { ...fact, title: "" }} view=${view} panel=${panel} item=${item} />`)}</li>`;
}

const DRAW = {
  grid: Grid, ring: Ring, columns: Columns, track: Track, table: Table, goods: Goods, row: Groups, pieces: Groups, list: Members,
};
