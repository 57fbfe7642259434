// Tools for the host of a sandbox: edit the state, and show which rules the match has reached.
import { html, useState } from "./preact.js";
import { ask, key } from "./net.js";
import { useReply } from "./reply.js";

const MOST = 60;

/** Edit counters, fields, positions of pieces, and the acting player: a searchable list with one input for each. */
export function Editor({ state, token }) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const [fault, setFault] = useState(null); // the field and its error
  const base = `/api/tables/${state.table}`;
  const reply = useReply(open ? `${base}/editable?at=${state.revision}` : "", token, true);
  const change = async (kind, name, to) => {
    setFault(null);
    try {
      await ask(`${base}/edits`, { token, body: { revision: state.revision, key: key(), kind, name, to } });
    } catch (error) {
      setFault({ at: `${kind} ${name}`, words: error.message });
    }
  };
  const rows = reply && !reply.error ? found(reply, search) : [];
  return html`<details class="editor" onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Edit the state</summary>
    ${reply?.error && html`<p class="fault">${reply.error}</p>`}
    ${reply && !reply.error && html`<p class="quiet">Everyone at the table is notified of an edit. You can undo edits.</p>
      ${reply.turn && reply.players.length > 1 && html`<p><label>Acting player <${Pick} value=${reply.turn} values=${reply.players} name="Acting player" put=${(to) => change("turn", "", to)} /></label>${fault?.at === "turn " && html` <span class="fault" role="alert">${fault.words}</span>`}</p>`}
      <p><label class="find">Find a counter, field or piece <input type="search" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label></p>
      <ul class="edits">${rows.slice(0, MOST).map((row) => html`<li key=${`${row.kind} ${row.name}`}><${Field} row=${row} change=${change} />${fault?.at === `${row.kind} ${row.name}` && html`<p class="fault" role="alert">${fault.words}</p>`}</li>`)}</ul>
      ${rows.length > MOST && html`<p class="quiet">${rows.length - MOST} more; type more of the name.</p>`}
      ${!rows.length && html`<p class="quiet">No counter, field, or piece matches.</p>`}
      ${reply.edits.length > 0 && html`<h4>Edits so far</h4><ol class="changed">${reply.edits.map((edit) => html`<li>${edit.words} <span class="quiet">after choice ${edit.at}</span></li>`)}</ol>`}`}</details>`;
}

/** Return the entries whose names contain the search text: counters, then fields, then pieces. */
function found(reply, search) {
  const words = search.toLowerCase();
  const rows = [
    ...reply.counters.map((one) => ({ ...one, kind: "counter" })),
    ...reply.fields.map((one) => ({ ...one, kind: "field" })),
    ...reply.pieces.map((one) => ({ name: one.name, kind: "piece", value: one.at, values: reply.places[one.kind] })),
  ];
  return rows.filter((row) => row.name.toLowerCase().includes(words));
}

function Field({ row, change }) {
  const put = (to) => change(row.kind, row.name, to);
  const label = row.kind === "piece" ? `${row.name} is in` : row.name;
  return html`<label>${label} ${row.values ? html`<${Pick} value=${row.value} values=${row.values} name=${label} put=${put} />` : row.list ? html`<${Several} row=${row} put=${put} />` : html`<${Amount} row=${row} put=${put} />`}</label>`;
}

/** A number input. It sends its value when it loses the focus or on Enter, not at every key. */
function Amount({ row, put }) {
  const send = (event) => {
    const typed = event.target.value;
    const value = Number(typed);
    if (value !== row.value || typed === "") put(Number.isSafeInteger(value) && typed !== "" ? value : typed); // the server reports invalid values
  };
  return html`<input type="number" step="1" min=${row.low ?? undefined} max=${row.high ?? undefined} value=${row.value} aria-label=${row.name} onChange=${send} />`;
}

/** A list as text: names and numbers separated by commas, inner lists in brackets. */
function Several({ row, put }) {
  return html`<input type="text" value=${row.value} aria-label=${row.name} onChange=${(event) => event.target.value !== row.value && put(event.target.value)} />`;
}

function Pick({ value, values, name, put }) {
  return html`<select aria-label=${name} onChange=${(event) => put(values[event.target.selectedIndex])}>${values.map((one) => html`<option selected=${one === value}>${one}</option>`)}</select>`;
}

// ---- coverage

/** Coverage of the whole match, and per file. */
export function Coverage({ state, token }) {
  const [open, setOpen] = useState(false);
  const reply = useReply(open ? `/api/tables/${state.table}/coverage?at=${state.revision}` : "", token, true);
  return html`<details class="coverage" onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Rules that this match has reached</summary>
    ${open && !reply && html`<p class="quiet">Replaying the match to measure coverage …</p>`}
    ${reply?.error && html`<p class="fault">${reply.error}</p>`}
    ${reply && !reply.error && html`<p><b>${share(reply.reached, reply.lines)}</b> of the rule lines (${reply.reached} of ${reply.lines}), ${share(reply.taken, reply.ways)} of the branches (${reply.taken} of ${reply.ways})</p>
      <table class="files"><thead><tr><th scope="col">File</th><th scope="col">Lines reached</th></tr></thead><tbody>${reply.files.map((one) => html`<tr><th scope="row">${one.file}</th><td>${one.reached} of ${one.lines}</td></tr>`)}</tbody></table>
      <p class="quiet">Look up a rule above to see its lines.</p>`}</details>`;
}

const share = (part, all) => (all ? `${Math.floor((100 * part) / all)} %` : "none");

const SIGNS = { reached: "✓", partly: "±", missed: "✗" };
const SAID = { reached: "reached", partly: "reached, but not every branch", missed: "not reached" };

/** The lines of a rule, each marked as reached or not. */
export function Lines({ state, token, entry }) {
  const [open, setOpen] = useState(false);
  const reply = useReply(open ? `/api/tables/${state.table}/coverage?entry=${encodeURIComponent(entry)}&at=${state.revision}` : "", token, true);
  const lines = reply?.entry?.lines || [];
  return html`<details class="lines-reached" onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Lines that this match has reached</summary>
    ${reply?.error && html`<p class="fault">${reply.error}</p>`}
    ${reply?.entry && html`<p class="quiet">${reply.entry.file}, from line ${reply.entry.first}</p><div class="scroll" tabindex="0" role="region" aria-label="Lines of the rule"><table class="source-lines"><tbody>${lines.map((line, n) => html`<tr class=${line.state}>
      <td class="number">${reply.entry.first + n}</td><td class="sign">${line.state && html`<span aria-hidden="true">${SIGNS[line.state]}</span><span class="unseen">${SAID[line.state]}</span>`}</td>
      <td class="code">${line.text}${line.missed.map((way) => html` <em class="quiet">${way}</em>`)}</td></tr>`)}</tbody></table></div>`}</details>`;
}
