// The rules in short: what the game is about, what the panels show, what the signs mean, and where all cards are.
import { html, useEffect, useRef, useState } from "./preact.js";
import { Control } from "./marks.js";

const FEW = 6; // sources of points that are listed

/** Whether this browser has shown the guide to a game. With `value`, note that it has. */
function read(pack, value = "") {
  try {
    if (value) localStorage.setItem(`patolli guide ${pack}`, value);
    return Boolean(localStorage.getItem(`patolli guide ${pack}`));
  } catch {
    return Boolean(value); // private windows store nothing
  }
}

/** All sources of points that the pack declares, or else those that have brought some. */
const categories = ({ pack, sheet }) => (pack.points.length > 1 ? pack.points : sheet.categories);

/** What a new player needs to know at the first choice in a game. It goes when it is closed, and after this choice. */
export function Guide({ state }) {
  const { pack, decision, scene, moves } = state;
  const [first] = useState(moves);
  const [closed, setClosed] = useState(() => read(pack.id));
  const close = () => setClosed(read(pack.id, "read"));
  useEffect(() => {
    if (moves !== first && !closed) close();
  }, [moves]);
  if (closed || moves !== first) return null;
  const sources = categories(state);
  const ends = scene.panels.flatMap((panel) => (panel.shows === "goods" ? panel.items : [])).filter((item) => item.limit?.end);
  return html`<section class="panel guide" aria-labelledby="guide"><h2 id="guide">New to this game?</h2>
    <p>${pack.text}</p>
    ${sources.length > 1 && html`<p><b>Points:</b> ${sources.slice(0, FEW).join(", ")}${sources.length > FEW ? ", and more" : ""}.</p>`}
    ${ends.length > 0 && html`<p><b>The end:</b> ${ends.map((item) => `${item.title} at ${item.limit.at}: ${item.limit.end === "won" ? "you all win" : "all is lost"}.`).join(" ")}</p>`}
    ${decision.rule && html`<p><b>Now:</b> ${decision.rule}</p>`}
    <p class="acts"><button onClick=${() => document.querySelector("[data-shortcut=r]")?.dispatchEvent(new MouseEvent("click"))}>Rules</button> <button class="main" onClick=${close}>Got it</button></p></section>`;
}

export function Rules({ state }) {
  const box = useRef(null);
  const panels = state.scene.panels.filter((panel) => panel.note);
  const { pack, scene } = state;
  return html`<button class="bar-button" data-shortcut="r" onClick=${() => box.current.showModal()}><${Control} name="rules" /><span>Rules</span></button>
    <dialog ref=${box} class="rules" aria-labelledby="rules" onClick=${(event) => event.target === box.current && box.current.close()}><div>
      <h2 id="rules">${pack.title}</h2>
      <p>${pack.text}</p>
      ${panels.length > 0 && html`<h3>On the table</h3><dl>${panels.map((panel) => html`<div><dt>${panel.title}</dt><dd>${panel.note}</dd></div>`)}</dl>`}
      ${categories(state).length > 1 && html`<h3>What scores</h3><p>${categories(state).join(", ")}.</p>`}
      ${scene.signs.length > 0 && html`<h3>Signs</h3><dl class="signs">${scene.signs.map((sign) => html`<div><dt>${sign.sign}</dt><dd>${sign.means}</dd></div>`)}</dl>`}
      <h3>At the table</h3>
      <p>Click a marked thing, or choose from the list. Green amounts are gained, red ones are paid. The keys 1 to 9 go to a choice, the arrow keys move on a board, U undoes, H asks for a hint, R opens these rules, Escape clears the selection.</p>
      <p class="acts">${!pack.id.includes("/") && html`<a href=${`/gallery/${pack.id}${pack.modules.length > 1 ? `?modules=${pack.modules.slice(1).join(",")}` : ""}`} target="_blank">All pieces</a>`} <button onClick=${() => box.current.close()}>Close</button></p></div></dialog>`;
}
