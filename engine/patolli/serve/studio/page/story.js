// The log of the match and its result.
import { html, useEffect, useRef } from "./preact.js";
import { Icon } from "./marks.js";

/** The lines of the log, with the last in view. Lines after `since` are new. */
export function Story({ state, since, jump }) {
  const box = useRef(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [state.told, state.moves]);
  const first = state.told - state.telling.length;
  return html`<section class="story" aria-labelledby="happened"><h2 id="happened">Log</h2>
    ${!state.telling.length && html`<p class="quiet">Nothing yet.</p>`}
    <div class="lines" ref=${box} tabindex="0" role="region" aria-label="Log so far">
      ${first > 0 && html`<p class="quiet">${first} earlier lines</p>`}
      ${state.telling.map((line, n) => html`<p key=${first + n} class=${`${line.kind} deep-${Math.min(line.level, 4)}${first + n >= since ? " new" : ""}`}>
        ${line.seat >= 0 && line.kind === "answer" && state.scene.players[line.seat] && html`<${Icon} mark=${state.scene.players[line.seat]} /> `}${line.words}
        ${line.kind === "answer" && html` <button class="jump" onClick=${() => jump(line.at)} aria-label=${`Go to choice ${line.at}`}>${line.at}</button>`}</p>`)}
    </div></section>`;
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The winners and the sources of their points. */
export function Results({ state }) {
  const { results, names, sheet } = state;
  const won = results.winners.map((seat) => names[seat]);
  const words = !won.length ? "No one wins." : won.length === 1 ? `${capital(won[0])} wins.` : `${capital(won.slice(0, -1).join(", "))} and ${won.at(-1)} share the win.`;
  return html`<section class="results" aria-labelledby="ended"><h2 id="ended" tabindex="-1">${words}</h2>
    <${Sheet} names=${names} sheet=${sheet} players=${state.scene.players} winners=${results.winners} scores=${results.scores} /></section>`;
}

/** The score sheet, with one row for each source of points. */
export function Sheet({ names, sheet, players, winners = [], scores }) {
  const several = sheet.categories.length > 1;
  const totals = several ? sheet.totals : scores || sheet.totals;
  if (!several && totals.every((total) => !total)) return null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Score sheet"><table class="sheet">
    <thead><tr><td></td>${names.map((name, seat) => html`<th scope="col">${players[seat] && html`<${Icon} mark=${players[seat]} /> `}${name}${winners.includes(seat) && html` <span class="won">wins</span>`}</th>`)}</tr></thead>
    <tbody>${several && sheet.categories.map((source, at) => html`<tr><th scope="row">${source}</th>${sheet.points.map((row) => html`<td>${row[at] === null ? "?" : row[at] || "–"}</td>`)}</tr>`)}</tbody>
    <tfoot><tr><th scope="row">${several ? "Total" : "Score"}</th>${totals.map((total) => html`<td>${total ?? "?"}</td>`)}</tr></tfoot></table></div>`;
}
