// The log of the match and its result.
import { html, useEffect, useRef } from "./preact.js";
import { Icon, figure } from "./marks.js";

/** The lines of the log, with the last in view. Lines after `since` are new. */
export function Story({ state, since, jump }) {
  const box = useRef(null);
  const scroll = () => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  useEffect(scroll, [state.told, state.moves]);
  const first = state.told - state.telling.length;
  return html`<section class="story" aria-label="Log"><details onToggle=${scroll}><summary>Log</summary>
    ${!state.telling.length && html`<p class="quiet">Nothing yet.</p>`}
    <div class="lines" ref=${box} tabindex="0" role="region" aria-label="Log so far">
      ${first > 0 && html`<p class="quiet">${first} earlier lines</p>`}
      ${state.telling.map((line, n) => html`<p key=${first + n} class=${`${line.kind} deep-${Math.min(line.level, 4)}${first + n >= since ? " new" : ""}`}>
        ${line.seat >= 0 && line.kind === "answer" && state.scene.players[line.seat] && html`<${Icon} mark=${state.scene.players[line.seat]} /> `}${line.words}
        ${line.kind === "answer" && html` <button class="jump" onClick=${() => jump(line.at)} aria-label=${`Go to choice ${line.at}`}>${line.at}</button>`}</p>`)}
    </div></details></section>`;
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** The winners, by how much, what ended the match, and the sources of all points. */
export function Results({ state, children }) {
  const { results, names, sheet } = state;
  const { winners, scores } = results;
  const won = winners.map((seat) => names[seat]);
  const all = won.length > 1 && won.length === names.length;
  const by = won.length === 1 && scores?.[winners[0]] ? ` with ${scores[winners[0]]} ${scores[winners[0]] === 1 ? "point" : "points"}` : "";
  const words = !won.length ? "No one wins." : all ? "Everyone wins." : won.length === 1 ? `${capital(won[0])} wins${by}.` : `${capital(won.slice(0, -1).join(", "))} and ${won.at(-1)} share the win.`;
  const others = scores?.filter((_, seat) => !winners.includes(seat)) || [];
  const ahead = won.length === 1 && others.length ? scores[winners[0]] - Math.max(...others) : 0;
  const near = ahead > 0 ? names.filter((_, seat) => !winners.includes(seat) && scores[winners[0]] - scores[seat] === ahead) : [];
  const limits = state.scene.panels.flatMap((panel) => (panel.shows === "goods" ? panel.items : [])).filter((item) => item.limit && Number(item.marks[0]?.text) >= item.limit.at);
  const reason = limits[0] && (limits[0].limit.reason || `${limits[0].title}: ${limits[0].limit.at} of ${limits[0].limit.at}.`);
  const last = !reason && state.telling?.findLast?.((line) => ["change", "move", "said"].includes(line.kind))?.words;
  return html`<section class="results" aria-labelledby="ended"><h2 id="ended" tabindex="-1">${winners.length === 1 && state.scene.players[winners[0]] && html`<${Icon} mark=${state.scene.players[winners[0]]} />`}${words}</h2>
    ${ahead > 0 && html`<p>${ahead} ahead of ${near.join(" and ")}.</p>`}
    ${reason && html`<p class="reason">${reason}</p>`}
    ${last && html`<p class="quiet">The last event: ${last}</p>`}
    <${Sheet} names=${names} sheet=${sheet} players=${state.scene.players} winners=${winners} scores=${scores} bars=${true} />${children}</section>`;
}

/** The score sheet, with one row for each source of points. With bars, amounts can be compared at a glance. */
export function Sheet({ names, sheet, players, winners = [], scores, bars }) {
  const several = sheet.categories.length > 1;
  const totals = several ? sheet.totals : scores || sheet.totals;
  if (!several && totals.every((total) => !total)) return null;
  const most = Math.max(1, ...sheet.points.flat().map((value) => Math.abs(value || 0)));
  const value = (row, seat, at) => html`<td class=${bars && row[at] && row[at] === Math.max(...sheet.points.map((one) => one[at])) ? "best" : ""}>${row[at] === null ? "?" : row[at] ? figure(row[at]) : "–"}
    ${bars && row[at] ? html`<i class=${`share c-${players[seat]?.colour || "none"}${row[at] < 0 ? " loss" : ""}`} style=${{ width: `${Math.round((100 * Math.abs(row[at])) / most)}%` }}></i>` : ""}</td>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Score sheet"><table class="sheet">
    <thead><tr><td></td>${names.map((name, seat) => html`<th scope="col">${players[seat] && html`<${Icon} mark=${players[seat]} /> `}${name}${winners.includes(seat) && html` <span class="won">wins</span>`}</th>`)}</tr></thead>
    <tbody>${several && sheet.categories.map((source, at) => html`<tr><th scope="row">${source}</th>${sheet.points.map((row, seat) => value(row, seat, at))}</tr>`)}</tbody>
    <tfoot><tr><th scope="row">${several ? "Total" : "Score"}</th>${totals.map((total) => html`<td>${figure(total)}</td>`)}</tr></tfoot></table></div>`;
}
