// The rules in short: what the game is about, what the panels show, what the signs mean, and where all cards are.
import { html, useRef } from "./preact.js";
import { Control } from "./marks.js";

export function Rules({ state }) {
  const box = useRef(null);
  const panels = state.scene.panels.filter((panel) => panel.note);
  const { pack, sheet, scene } = state;
  return html`<button class="bar-button" data-shortcut="r" onClick=${() => box.current.showModal()}><${Control} name="rules" /><span>Rules</span></button>
    <dialog ref=${box} class="rules" aria-labelledby="rules" onClick=${(event) => event.target === box.current && box.current.close()}><div>
      <h2 id="rules">${pack.title}</h2>
      <p>${pack.text}</p>
      ${panels.length > 0 && html`<h3>On the table</h3><dl>${panels.map((panel) => html`<div><dt>${panel.title}</dt><dd>${panel.note}</dd></div>`)}</dl>`}
      ${sheet.categories.length > 1 && html`<h3>What scores</h3><p>${sheet.categories.join(", ")}.</p>`}
      ${scene.signs.length > 0 && html`<h3>Signs</h3><dl class="signs">${scene.signs.map((sign) => html`<div><dt>${sign.sign}</dt><dd>${sign.means}</dd></div>`)}</dl>`}
      <h3>At the table</h3>
      <p>Click a marked thing, or choose from the list. Green amounts are gained, red ones are paid. The keys 1 to 9 go to a choice, the arrow keys move on a board, U undoes, H asks for a hint, R opens these rules, Escape clears the selection.</p>
      <p class="acts">${!pack.id.includes("/") && html`<a href=${`/gallery/${pack.id}${pack.modules.length > 1 ? `?modules=${pack.modules.slice(1).join(",")}` : ""}`} target="_blank">All pieces</a>`} <button onClick=${() => box.current.close()}>Close</button></p></div></dialog>`;
}
