// Covers: a panel of a match as the picture of a game. They are requested one after the other, and only when in view.
import { html, useEffect, useRef, useState } from "./preact.js";
import { Grid, Squares } from "./board.js";
import { Card, Icon, Shape, isWords, setNouns } from "./marks.js";
import { ask } from "./net.js";
import { Track } from "./panels.js";
import { PlaceMap } from "./placemap.js";

const NONE = new Set();
const MOST = 5; // cards of a picture
const known = new Map();
const waiting = [];
let busy = false;

/** Return the scene of the cover of a game; those of own tables come before others. */
function sceneOf(pack, token, first) {
  const asked = known.get(pack) || new Promise((done) => waiting[first ? "unshift" : "push"]({ pack, token, done }));
  known.set(pack, asked);
  work();
  return asked;
}

async function work() {
  if (busy || !waiting.length) return;
  busy = true;
  const { pack, token, done } = waiting.shift();
  done(await ask(`/api/covers/${encodeURIComponent(pack)}`, { token }).then(({ scene }) => scene, () => null));
  busy = false;
  work();
}

/** The picture of a game. It stands for the title, so screen readers skip it. */
export function Cover({ pack, token, first = false }) {
  const box = useRef(null);
  const [scene, setScene] = useState(null);
  useEffect(() => {
    let live = true;
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      sceneOf(pack, token, first).then((found) => live && setScene(found));
    }, { rootMargin: "200px" });
    watch.observe(box.current);
    return () => {
      live = false;
      watch.disconnect();
    };
  }, [pack]);
  const panel = scene?.panels[0];
  return html`<div ref=${box} class=${`game-cover${panel ? ` of-${panel.form || (panel.links ? "map" : panel.shows)}` : ""}`} aria-hidden="true" inert>${panel && html`<${Picture} scene=${scene} panel=${panel} />`}</div>`;
}

function Picture({ scene, panel }) {
  setNouns([]);
  const view = { can: NONE, named: NONE, show: NONE, picked: NONE, hint: NONE, fresh: NONE, players: scene.players, point: () => {}, look: () => {}, miss: () => {} };
  const [, inside] = scene.panels;
  if (panel.shows === "grid") return html`<${Grid} panel=${{ ...panel, boards: panel.boards.slice(0, 1) }} view=${view} />`;
  if (panel.shows === "ring" && (panel.shape === "cross" || panel.boxes.length > 12)) return html`<${Squares} panel=${panel} view=${view} />`;
  if (panel.shows === "ring") return html`<${Boards} boxes=${panel.boxes.filter(Boolean)} heart=${inside && html`<${Grid} panel=${{ ...inside, boards: inside.boards.slice(0, 1) }} view=${view} />`} />`;
  if (panel.links) return html`<${PlaceMap} panel=${panel} view=${view} small=${true} />`;
  if (panel.shows === "track") return html`<${Track} panel=${panel} view=${view} />`;
  const items = (panel.groups ? panel.groups.flatMap((group) => group.items) : panel.items || []).filter((item) => item?.mark);
  if (items.length) return html`<ul class="fan">${items.slice(0, MOST).map((item) => html`<li class="card"><${Card} mark=${item.mark.card ? item.mark : { ...item.mark, card: isWords(item.mark) ? undefined : { suit: item.mark } }} title=${item.title} /></li>`)}</ul>`;
  if (panel.heads) return html`<p class="pawns">${scene.players.map((mark) => html`<${Icon} mark=${mark} large=${true} />`)}</p>`;
  return html`<p class="pawns">${(panel.items || []).map((item) => item.icon && html`<${Shape} icon=${item.icon} colour=${item.colour} />`)}</p>`;
}

/** A ring of boards in small: their colors, icons, and what stands there. */
function Boards({ boxes, heart }) {
  const half = Math.ceil(boxes.length / 2);
  const row = (some) => html`<div class="row">${some.map((box) => html`<div class=${`small-board c-${box.colour || "none"}`}><b>${box.icon && html`<${Shape} icon=${box.icon} colour="white" />`}</b>
    <span>${box.lines.flatMap((line) => (line.sign.length ? [] : line.marks)).slice(0, 4).map((mark) => html`<${Icon} mark=${mark} />`)}</span></div>`)}</div>`;
  return html`${row(boxes.slice(0, half))}<div class="heart">${heart}</div>${row(boxes.slice(half).reverse())}`;
}
