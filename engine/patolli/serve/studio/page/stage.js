// The arrangement of a table: which panel is drawn where. It follows from the kinds of panels and their declarations.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./preact.js";
import { isFresh, state as classes } from "./board.js";
import { Card, Icon, Shape, compareCards, figure } from "./marks.js";
import { Foldable, Name, Panel, Slots, Track, called, isEmpty, whole } from "./panels.js";

const COUNTED = ["table", "goods"];
const LARGE = ["grid", "ring", "columns", "track"];
const FEW = 3; // panels that are not folded
const [LINE, ABREAST] = [22, 3]; // letters in a line, and things beside each other, in the column beside a board
const ROOM = 44; // lines of panels beside a board; the others are drawn below it
const FOOT = 70; // pixels for what stands below the columns
const MOST = 14; // rows of a table that fit on the plate of a player
const STRIP = 4; // marks of a board in the overview
const SHOWN = 3; // cards of one player beside each other; of more, the last
const AROUND = { 2: ["south", "north"], 3: ["south", "west", "east"], 4: ["south", "west", "north", "east"] };
const small = matchMedia("(max-width: 56rem)");
const screen = matchMedia("(min-width: 66rem) and (min-height: 40rem)"); // as in the style sheet

/** Whether a panel has a place that can be selected. */
function has(panel, can) {
  if (!can.size) return false;
  const text = JSON.stringify(panel);
  for (const id of can) if (text.includes(`"${id}"`)) return true;
  return false;
}

const isPlates = (panel) => panel.shows === "table" && panel.heads.length > 1 && panel.rows.length <= MOST && panel.heads.every((head) => head.owner !== undefined);

/**
 * Return where each panel of a scene is drawn.
 * @param {import("./shapes").Scene} scene
 * @param {Set<string>} can
 * @param {boolean} over whether the match is over
 */
export function arrange(scene, can, over = false) {
  const shown = scene.panels.filter((panel) => !panel.asked && (!isEmpty(panel) || (panel.form === "trick" && (!over || scene.taken?.[panel.id])))); // of an empty trick, the places
  const ring = shown.find((panel) => panel.main && panel.shows === "ring" && panel.shape !== "cross" && panel.boxes.length <= 12);
  const race = ring?.shape === "racetrack";
  const boxed = ring ? shown.filter((panel) => panel.box || (panel.items || []).some((item) => item.box)) : [];
  const heart = ring && shown.find((panel) => !panel.main && panel.shows === "grid" && panel.boards.length === 1);
  const tracks = race ? shown.filter((panel) => panel.shows === "track") : [];
  const tables = shown.filter(isPlates);
  const joined = tables.reduce((sum, panel) => sum + panel.rows.length, 0) <= MOST ? tables : tables.slice(0, 1);
  /** @type {any} */
  const plates = joined[0] && { ...joined[0], rows: joined.flatMap((panel) => panel.rows.map((row) => ({ ...row, panel: panel.id }))) };
  const trick = shown.find((panel) => panel.form === "trick");
  const hands = shown.filter((panel) => panel.form === "hand");
  const cloth = Boolean(trick || hands.length) && !shown.some((panel) => panel.main && LARGE.includes(panel.shows));
  const placed = new Set([ring, heart, ...joined, trick, ...boxed, ...tracks, ...hands]);
  const free = shown.filter((panel) => !placed.has(panel));
  const strip = free.filter((panel) => panel.shows === "goods" && panel.main);
  const shownFirst = free.filter((panel) => panel.main && !COUNTED.includes(panel.shows));
  const isBoard = (panel) => LARGE.includes(panel.shows) || panel.links;
  const mains = small.matches || cloth || !shownFirst.some(isBoard) ? shownFirst : shownFirst.filter(isBoard); // others stand beside a board
  const counted = free.filter((panel) => COUNTED.includes(panel.shows) && !strip.includes(panel));
  const rest = free.filter((panel) => !strip.includes(panel) && !mains.includes(panel) && !counted.includes(panel));
  const reached = (id) => shown.some((panel) => !rest.includes(panel) && has(panel, new Set([id])));
  const above = new Set([...can].filter((id) => !reached(id)));
  const near = rest.filter((panel) => (panel.main && !isBoard(panel)) || has(panel, above));
  const beyond = new Set([...above].filter((id) => !near.some((panel) => has(panel, new Set([id])))));
  const asked = scene.panels.filter((panel) => panel.asked);
  near.push(...asked.filter((panel) => has(panel, beyond))); // a choice needs it now
  return {
    kind: race ? "race" : cloth ? "cloth" : "plain", ring, boxed, heart, tracks, plates, trick, hands, strip, mains, counted, near,
    far: rest.filter((panel) => !near.includes(panel)), later: asked.filter((panel) => !near.includes(panel)),
  };
}

/** Estimate how many lines a panel takes beside a board. */
function lines(panel) {
  const items = panel.items || (panel.groups || []).flatMap((group) => group.items);
  const one = (item) => (item?.mark?.picture || item?.mark?.cells ? 3 : 1) + Math.ceil((item?.says || "").length / LINE);
  return 2 + items.reduce((sum, item) => sum + one(item), 0) / ABREAST + (panel.lines?.length || 0) * 3 + (panel.boards?.length || 0) * 14;
}

/** Return the panels to draw beside the main board, and those below it. */
function share(panels) {
  let left = ROOM;
  const parts = [[], []];
  for (const panel of panels) {
    left -= lines(panel);
    parts[left >= 0 ? 0 : 1].push(panel);
  }
  return parts;
}

/**
 * Return which panels are open at first: as many as fit on one screen, of those beside the board and of those below it.
 * @param {{ current: HTMLElement | null }} box
 * @param {string[][]} parts ids of the panels beside the board, and of those below it
 */
function useRoom(box, parts) {
  const ids = `${innerWidth} ${innerHeight} ${parts.join(" | ")}`;
  const all = parts.map((part) => part.length);
  const [room, setRoom] = useState({ ids: "", open: all });
  const open = room.ids === ids ? room.open : all;
  useLayoutEffect(() => {
    const { scrollHeight, clientHeight } = box.current;
    if (!screen.matches || scrollHeight <= clientHeight + 2) return;
    /** @type {HTMLElement | null} */
    const last = box.current.querySelector(":scope > .rest.near > :last-child");
    const long = Boolean(last && open[0] > 0 && last.offsetTop + last.offsetHeight > clientHeight - FOOT);
    if (open[long ? 0 : 1] > 0) setRoom({ ids, open: long ? [open[0] - 1, open[1]] : [open[0], open[1] - 1] });
  });
  return new Set(parts.flatMap((part, n) => part.slice(0, open[n])));
}

/** The table itself. */
export function Stage({ state, view, can }) {
  const box = useRef(null);
  const at = arrange(state.scene, can, state.over);
  const [beside, below] = share(at.far);
  const ids = (panels) => (at.kind === "race" ? [] : panels.map((panel) => panel.id));
  const open = useRoom(box, [ids(beside), ids(below)]);
  const heart = at.heart && html`<${Panel} panel=${at.heart} view=${view} />`;
  const draw = (panel) => html`<${Panel} key=${panel.id} panel=${panel} view=${view} />`;
  const fold = (panel) => html`<${Foldable} key=${`${panel.id} ${open.has(panel.id)}`} panel=${panel} view=${view} game=${state.pack.id} open=${!small.matches && open.has(panel.id)} forced=${has(panel, can)} />`;
  if (small.matches && at.kind !== "cloth") return html`<${Sections} at=${at} view=${view} state=${state} can=${can} draw=${draw} heart=${heart} box=${box} />`;
  const each = at.near.length + at.far.length <= FEW ? draw : fold;
  return html`<div ref=${box} class=${`stage ${at.kind}`} tabindex="0" role="region" aria-label="The table">
    ${at.strip.length > 0 && html`<div class="strip">${at.strip.map(draw)}</div>`}
    ${at.kind === "race" ? html`<${Racetrack} at=${at} view=${view} state=${state} heart=${heart} />`
    : at.ring && html`<${Panel} panel=${at.ring} view=${view} heart=${heart} inner=${at.boxed} />`}
    ${at.kind === "cloth" && !at.trick && at.plates && html`<div class="seated"><${Plates} panel=${at.plates} view=${view} state=${state} /></div>`}
    ${at.trick && html`<${Trick} panel=${at.trick} plates=${at.plates} view=${view} state=${state} plays=${!state.decision?.several && at.hands.some((panel) => has(panel, can))} />`}
    ${at.mains.length > 0 && html`<div class="mains">${at.mains.map(draw)}${below.length > 0 && at.kind === "plain" && (below.every((panel) => open.has(panel.id)) || small.matches ? html`<div class="rest below">${below.map(each)}</div>` : html`<div class="in-tabs"><${Tabs} id="below" label="More panels" titles=${below.map(called)} needs=${below.map((panel) => has(panel, can))} revision=${state.revision} draw=${(n) => draw(below[n])} /></div>`)}</div>`}
    ${at.hands.map((panel) => html`<${Hand} key=${panel.id} panel=${panel} view=${view} />`)}
    ${at.kind !== "race" && at.near.length + beside.length > 0 && html`<div class="rest near">${at.near.map(draw)}${beside.map(each)}</div>`}
    ${at.kind !== "race" && below.length > 0 && (at.kind !== "plain" || !at.mains.length) && html`<div class="rest">${below.map(each)}</div>`}
    ${at.kind !== "race" && at.later.length > 0 && html`<${More} panels=${at.later} draw=${draw} />`}
  </div>`;
}

// ---- a phone: one section at a time

/** Return the sections of a table, each with its panels; `kind` says how it is drawn. */
function sections(at) {
  const some = (kind, title, ...panels) => ({ kind, title, panels: panels.filter(Boolean) });
  const rest = [...at.near, ...at.far];
  const one = (panel) => some("panels", called(panel), panel);
  return [
    at.ring && some("ring", called(at.ring), at.ring, ...at.boxed),
    ...at.mains.map(one),
    at.heart && one(at.heart),
    at.tracks.length && some("tracks", called(at.tracks[0]), ...at.tracks),
    at.plates && some("plates", called(at.plates), at.plates, ...at.counted),
    ...(rest.length < FEW ? rest.map(one) : [some("panels", `${rest.slice(0, 2).map(called).join(", ")}${rest.length > 2 ? " …" : ""}`, ...rest)]),
    !at.plates && at.counted.length && some("panels", called(at.counted[0]), ...at.counted),
  ].filter(Boolean);
}

/**
 * Parts that are shown one at a time. A part with a possible choice has a mark, and opens if the shown one has none.
 * @param {{ id: string, label: string, titles: string[], needs: boolean[], revision: number, draw: (n: number) => any }} given
 */
function Tabs({ id, label, titles, needs, revision, draw }) {
  const [chosen, choose] = useState(0);
  const now = Math.min(chosen, titles.length - 1);
  useEffect(() => {
    if (needs.some(Boolean) && !needs[now]) choose(needs.indexOf(true)); // a choice is made there
  }, [revision]);
  const walk = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = (now + step + titles.length) % titles.length;
    choose(next);
    event.currentTarget.children[next].focus();
    event.stopPropagation();
    event.preventDefault();
  };
  const several = titles.length > 1;
  return html`${several && html`<div class="tabs" role="tablist" aria-label=${label} onKeyDown=${walk}>${titles.map((title, n) => html`<button role="tab" id=${`${id}-${n}`} aria-controls=${id} aria-selected=${String(n === now)} tabindex=${n === now ? 0 : -1}
      onClick=${() => choose(n)}>${title}${needs[n] && n !== now && html`<i title="Something can be chosen there"><span class="unseen">, has choices</span></i>`}</button>`)}</div>`}
    <div id=${id} class="tabbed" ...${several ? { role: "tabpanel", tabindex: 0, "aria-labelledby": `${id}-${now}` } : {}}>${titles.length > 0 && draw(now)}</div>`;
}

function Sections({ at, view, state, can, draw, heart, box }) {
  const all = sections(at);
  const own = at.plates?.heads.findIndex((head) => head.owner === state.scene.seat) ?? -1;
  const show = (n) => {
    const { kind, panels } = all[n];
    if (kind === "ring") return html`<${Swiped} at=${at} view=${view} />`;
    if (kind === "tracks") return html`<${Tracks} tracks=${panels} view=${view} />`;
    if (kind === "plates") return html`<div class="seated"><${Plates} panel=${at.plates} view=${view} state=${state} />${at.counted.map(draw)}</div>`;
    return panels.length === 1 && panels[0] === at.heart ? heart : panels.map(draw);
  };
  return html`<div ref=${box} class=${`stage sections ${at.kind}`} role="region" aria-label="The table">
    ${own >= 0 && html`<div class="own-goods"><${Plate} panel=${at.plates} n=${own} view=${view} state=${state} /></div>`}
    ${at.strip.length > 0 && html`<div class="strip">${at.strip.map(draw)}</div>`}
    <${Tabs} id="section" label="Parts of the table" titles=${all.map((one) => one.title)} needs=${all.map((one) => one.panels.some((panel) => has(panel, can)))} revision=${state.revision} draw=${show} /></div>`;
}

/** The boards of a ring: all of them in small, and below them one at a time. */
function Swiped({ at, view }) {
  const row = useRef(null);
  const boxes = at.ring.boxes.filter(Boolean);
  const waits = boxes.findIndex((one) => has([one, at.boxed.map((panel) => (panel.items || []).filter((item) => item.box === one.id))], view.show));
  const show = (n, behavior) => {
    const board = row.current?.children[n];
    if (board) row.current.scrollTo({ left: board.offsetLeft - (row.current.clientWidth - board.clientWidth) / 2, behavior });
  };
  useEffect(() => {
    if (waits >= 0) show(waits, "auto");
  }, [waits]);
  return html`<div class="overview" role="group" aria-label="Overview">${boxes.map((one, n) => html`<button class=${`c-${one.colour || "none"}${classes(view, one.id)}`} onClick=${() => show(n, "smooth")} aria-label=${one.title}>
      <b>${one.icon ? html`<${Shape} icon=${one.icon} colour=${one.colour} />` : one.title.slice(0, 2)}</b>
      <span>${one.lines.flatMap((line) => (line.sign.length ? [] : line.marks)).slice(0, STRIP).map((mark) => html`<${Icon} mark=${mark} />`)}</span></button>`)}</div>
    <section class="track-row" ref=${row} aria-label=${at.ring.title} data-rove>${boxes.map((one) => html`<${RingBoard} key=${one.id} box=${one} panel=${at.ring} inner=${at.boxed} view=${view} />`)}</section>`;
}

/** Tracks side by side, with their steps upward. */
function Tracks({ tracks, view }) {
  return html`<div class="upright panel" data-rove>${tracks.map((panel) => html`<section aria-labelledby=${`p-${panel.id}`} class=${`track lines-${panel.lines.length}`} title=${panel.note}>
    <h2 id=${`p-${panel.id}`}>${panel.title}</h2><${Track} panel=${panel} view=${view} /></section>`)}</div>`;
}

/** What stands beside the table: players without a place on it, and panels that are drawn in a column. */
export function Beside({ state, view, can }) {
  const at = arrange(state.scene, can, state.over);
  const draw = (panel) => html`<${Panel} key=${panel.id} panel=${panel} view=${view} />`;
  const race = at.kind === "race";
  if (small.matches && at.kind !== "cloth") return at.later.length > 0 && html`<${More} panels=${at.later} draw=${draw} />`;
  return html`${race && at.near.map(draw)}
    ${at.kind === "plain" && at.plates && html`<section class="panel plates" aria-label=${at.plates.title}><${Plates} panel=${at.plates} view=${view} state=${state} /></section>`}
    ${at.counted.map(draw)}
    ${race && at.far.map(draw)}
    ${race && at.later.length > 0 && html`<${More} panels=${at.later} draw=${draw} />`}`;
}

/** Panels that are drawn on request. */
function More({ panels, draw }) {
  const [open, setOpen] = useState(false);
  return html`<details class="more" onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>More: ${panels.length > SHOWN ? `${panels.length} panels` : panels.map((panel) => panel.title.replace(/^More /, "")).join(", ")}</summary>
    ${open && html`<div class="rest">${panels.map(draw)}</div>`}</details>`;
}

// ---- a racetrack of boards

function Racetrack({ at, view, state, heart }) {
  const boxes = at.ring.boxes.filter(Boolean);
  const half = Math.ceil(boxes.length / 2);
  const row = (some) => some.map((box) => html`<${RingBoard} key=${box.id} box=${box} panel=${at.ring} inner=${at.boxed} view=${view} />`);
  return html`<section class="track-row" aria-label=${at.ring.title} data-rove title=${at.ring.note}>${row(boxes.slice(0, half))}</section>
    <div class="middle">
      ${at.tracks.length > 0 && html`<${Tracks} tracks=${at.tracks} view=${view} />`}
      ${heart && html`<div class="heart">${heart}</div>`}
      ${at.plates && html`<div class="seated"><${Plates} panel=${at.plates} view=${view} state=${state} /></div>`}
    </div>
    <section class="track-row" aria-label=${`${at.ring.title}, way back`} data-rove>${row(boxes.slice(half).reverse())}</section>`;
}

/** A thing on a ring as a board, with the panels that are drawn on it. */
export function RingBoard({ box, panel, inner, view }) {
  const own = inner.flatMap((one) => (one.box === box.id ? [one] : one.items?.some((item) => item.box === box.id) ? [{ ...one, items: one.items.filter((item) => item.box === box.id) }] : []));
  const told = new Set(own.flatMap((one) => (one.items || []).flatMap((item) => item.facts.map((fact) => fact.fact)))); // drawn already
  return html`<div class=${`box board c-${box.colour || "none"}${classes(view, box.id)}`} onClick=${whole(view, [box.id])}>
    <h2>${box.icon && html`<${Shape} icon=${box.icon} colour="white" />`}<${Name} view=${view} ids=${[box.id]}>${box.title}<//>${box.fee && html`<span class="fee" title=${box.fee.says}><span class="unseen">${box.fee.says} </span>−${box.fee.amount}${box.fee.icon && html`<${Shape} icon=${box.fee.icon} colour=${box.fee.colour} />`}</span>`}</h2>
    <div class="inner">${own.map((one) => html`<${Slots} key=${one.id} panel=${one} view=${view} />`)}</div>
    <${Slots} panel=${{ id: panel.id, lines: box.lines.filter((line) => !told.has(line.of)), box: box.id }} view=${view} />
  </div>`;
}

// ---- players

/** What each player has, on a plate for each. */
export function Plates({ panel, view, state }) {
  return panel.heads.map((head, n) => html`<${Plate} key=${head.id} panel=${panel} n=${n} view=${view} state=${state} />`);
}

/** What one player has: the name, the score, and how much of what. */
export function Plate({ panel, n, view, state }) {
  const head = panel.heads[n];
  const seat = head.owner;
  const scores = state.scores || [];
  const counted = scores.some((score) => score);
  const first = counted && panel.rows[0]?.values.every((value, at) => value === scores[at]) ? 1 : 0; // the score is in the head already
  const turn = state.decision?.player === seat;
  const own = seat === (state.scene.seat ?? -1);
  return html`<section class=${`plate c-${view.players[seat]?.colour || "none"}${turn ? " turn" : ""}${own ? " own" : ""}`} aria-label=${head.title}>
    <h2>${view.players[seat] && html`<${Icon} mark=${view.players[seat]} />`}<${Name} view=${view} ids=${[head.id]}>${head.title}<//>
      ${turn && html`<span class="to-play">to play</span>`}${state.bots?.[seat] && html`<span class="quiet">bot</span>`}
      ${counted && html`<b class="score" title=${scores[seat] === null ? "You cannot know this score yet" : "Points"}>${figure(scores[seat])}<span class="unseen"> points</span></b>`}</h2>
    <dl data-rove>${panel.rows.map((row, at) => at >= first && html`<div key=${`${row.id} ${row.title}`} class=${`${row.icon ? "" : "named"}${row.values[n] === 0 ? " none" : ""}${isFresh(view, row.panel, `${row.id} ${row.title} ${n}`) ? " fresh" : ""}`} title=${row.title}>
      <dt><${Name} view=${own || n === 0 ? view : { ...view, can: new Set(), named: new Set(), picked: new Set() }} ids=${[row.id]}>${row.icon ? html`<${Shape} icon=${row.icon} colour=${row.colour} /><span class="unseen">${row.title}</span>` : row.title}<//></dt>
      <dd>${figure(row.values[n])}</dd></div>`)}</dl></section>`;
}

// ---- cards

/** The cards of a trick in one line, each with the player who laid it. */
function Played({ trick, view }) {
  return html`<p class="played">${trick.groups.flatMap((group) => group.items.map((item) => {
    const { rank, suit } = item.mark.card || {};
    return html`<span title=${`${group.title}: ${item.says}`}>${view.players[group.owner] && html`<${Icon} mark=${view.players[group.owner]} />`}<span class="unseen">${group.title}: ${item.says}</span>
      <b aria-hidden="true">${rank ? rank.text ?? rank.sign : item.title}</b>${rank && suit && html`<span class="suit" aria-hidden="true"><${Icon} mark=${{ ...suit, id: undefined }} /></span>`}</span> `;
  }))}</p>`;
}

/** A trick: the card of each player at the side where this player sits, with what the player has. A finished one stays until the next begins. */
function Trick({ panel, plates, view, state, plays }) {
  const [cleared, clear] = useState("");
  const key = JSON.stringify(state.scene.taken?.[panel.id] || []);
  const taken = cleared === key ? [] : state.scene.taken?.[panel.id] || [];
  const kept = isEmpty(panel) ? taken.at(-1) : null;
  const lines = taken.filter((trick) => trick !== kept);
  const number = view.players.length;
  const me = Math.max(0, state.scene.seat ?? 0);
  const sides = AROUND[number] || [];
  const seats = Array.from({ length: number }, (_, n) => (me + n) % number);
  return html`<section class=${`trick ${sides.length ? "around" : "in-line"}`} aria-label=${panel.title} data-rove>
    ${seats.map((seat, n) => {
      const group = (kept || panel).groups.find((one) => (one.owner ?? state.scene.seat) === seat);
      const column = plates ? plates.heads.findIndex((head) => head.owner === seat) : -1;
      const turn = state.decision?.player === seat;
      return html`<div key=${seat} class=${`place ${sides[n] || ""}${kept ? " kept" : ""}${kept?.taker === seat ? " took" : ""}`}>
        ${column >= 0 ? html`<${Plate} panel=${plates} n=${column} view=${view} state=${state} />` : html`<p class="plate">${view.players[seat] && html`<${Icon} mark=${view.players[seat]} />`} ${state.names[seat]}</p>`}
        <ul class="laid">${group?.items.length > SHOWN && html`<li class="below" title=${group.items.slice(0, -1).map((item) => item.says).join(", ")}>${group.items.length - 1} below</li>`}
          ${(group?.items.length > SHOWN ? group.items.slice(-1) : group?.items || []).map((item) => item && (kept ? html`<li key=${item.mark.id} class="card" title=${item.says} data-thing=${item.mark.id}><${Card} mark=${item.mark} title=${item.title} /></li>` : html`<${Laid} key=${item.mark.id} item=${item} panel=${panel} view=${view} />`))}
          ${!group?.items.length && html`<li class=${`gap${turn ? " turn" : ""}`}>${turn ? (!state.decision.mine ? "to play" : plays ? "your card" : "") : ""}</li>`}</ul></div>`;
    })}
    ${taken.length > 0 && html`<div class="taken">${[...lines, kept].map((trick) => trick && html`<p><b>${trick.title}</b></p>${trick !== kept && html`<${Played} trick=${trick} view=${view} />`}`)}
      <button onClick=${() => { clear(key); document.getElementById("asked")?.focus({ preventScroll: true }); }} aria-label="Clear the last trick">Clear</button></div>`}</section>`;
}

/** Cards in a hand, sorted by suit and rank. */
function Hand({ panel, view }) {
  return html`<section class="hand" aria-labelledby=${`p-${panel.id}`}><h2 id=${`p-${panel.id}`} class="unseen">${panel.title}</h2>
    ${panel.groups.map((group) => {
      const items = group.items.filter(Boolean).sort((a, b) => compareCards(a.mark, b.mark));
      return html`<ul class=${`fan of-${Math.min(items.length, 20)}`} data-rove aria-label=${group.title || panel.title}>${items.map((item) => html`<${Laid} key=${item.mark.id} item=${item} panel=${panel} view=${view} />`)}
        ${group.hidden > 0 && html`<li class="laid-back">${group.hidden} hidden</li>`}</ul>`;
    })}${panel.groups.every((group) => !group.items.length && !group.hidden) && html`<p class="quiet">Your hand is empty.</p>`}</section>`;
}

/** A card with its face. */
export function Laid({ item, panel, view }) {
  const ids = item.ids || [item.mark.id];
  const fresh = isFresh(view, panel.id, item.mark.id) ? " fresh" : "";
  return html`<li class=${`card${classes(view, ...ids)}${fresh}`} onClick=${whole(view, ids)} title=${item.says} data-thing=${item.mark.id}>
    <${Name} view=${view} ids=${ids} about=${item.mark.entry}><${Card} mark=${item.mark} title=${item.title} />${item.number > 1 && html`<b class="times">${item.number}×</b>`}<//>
    ${item.facts.length > 0 && !item.mark.card && html`<span class="fact">${item.facts.map((fact) => fact.marks.map((one) => one.text ?? one.says ?? one.sign).join(", ")).join(" · ")}</span>`}</li>`;
}
