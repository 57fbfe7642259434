// The workbench beside the table: look up entries and rules, explain missing choices, inspect the state, and record
// the match as a scenario.
import { html, useEffect, useRef, useState } from "./preact.js";
import { ask } from "./net.js";
import { Coverage, Editor, Lines } from "./sandbox.js";
import { download } from "./time.js";
import { useReply } from "./reply.js";

const NAMED = 3;

export function Bench({ state, token, about, say }) {
  const box = useRef(null);
  useEffect(() => {
    if (about && box.current) box.current.open = true;
  }, [about]);
  return html`<details class="bench" ref=${box}><summary>Workbench</summary>
    <${Source} state=${state} token=${token} about=${about} />
    <${Why} state=${state} token=${token} />
    ${state.all && html`<${Inspect} state=${state} token=${token} />`}
    ${state.host && state.open && !state.over && html`<${Editor} state=${state} token=${token} say=${say} />`}
    ${state.all && html`<${Coverage} state=${state} token=${token} />`}
    ${state.all && html`<${Record} state=${state} token=${token} say=${say} />`}
  </details>`;
}

// ---- look up an entry

function Source({ state, token, about }) {
  const [typed, setTyped] = useState("");
  const [entry, setEntry] = useState("");
  useEffect(() => {
    if (about) setEntry(about);
  }, [about]);
  const [kind, name] = entry.includes(":") ? [entry.slice(0, entry.indexOf(":")), entry.slice(entry.indexOf(":") + 1)] : ["", entry];
  const base = `/api/tables/${state.table}/source?entry=`;
  const first = useReply(name && base + encodeURIComponent(name), token);
  // A cell and the like has no entry of its own: look up its kind.
  const other = useReply(first?.error && kind && kind !== "counter" ? base + encodeURIComponent(kind) : "", token);
  const reply = first?.error && other && !other.error ? other : first;
  const find = (event) => {
    event.preventDefault();
    setEntry(typed.trim());
  };
  return html`<section class="source"><h3>Look up in the pack</h3>
    <form onSubmit=${find}><label>Id of a piece, rule, counter, or place. You can also click a name on the table.
      <input type="text" value=${typed} onInput=${(event) => setTyped(event.target.value)} /></label> <button type="submit" disabled=${!typed.trim()}>Look up</button></form>
    ${reply?.error && html`<p class="fault">${reply.error}</p>`}
    ${reply && !reply.error && html`<${Entry} reply=${reply} />`}
    ${reply && !reply.error && state.all && html`<${Lines} key=${reply.id} state=${state} token=${token} entry=${reply.id} />`}</section>`;
}

/** Return the name of an entry. For a name with placeholders, return the names of its first copies. */
function titled({ called, examples, id }) {
  if (!examples?.length) return called || id;
  return `${examples.slice(0, NAMED).join(", ")}${examples.length > NAMED ? " …" : ""}`;
}

function Entry({ reply }) {
  const written = typeof reply.written === "string" ? reply.written : reply.layers?.at(-1)?.words || "";
  return html`<div class="entry" role="region" aria-live="polite" aria-label="Entry">
    <h4>${titled(reply)} <span class="quiet">${reply.section} ${reply.id}</span></h4>
    ${reply.text && html`<p>${reply.text}</p>`}
    ${(reply.does || []).map((one) => html`<p>${one.part && html`<span class="quiet">${one.part}: </span>`}${one.sentence}</p>`)}
    ${written && html`<pre class="yaml" tabindex="0">${written}</pre>`}
    ${(reply.layers || []).length > 1 && html`<ul>${reply.layers.map((layer) => html`<li class="quiet">${layer.pack} ${layer.how}${layer.where ? `, ${layer.where}` : ""}</li>`)}</ul>`}
    ${reply.card && html`<p><a href=${reply.card}>Card in the gallery</a></p>`}
    ${reply.file && html`<p><a href=${`vscode://file/${reply.file}:${reply.line}:${reply.column || 1}`}>${reply.file.split("/").slice(-3).join("/")}:${reply.line}</a></p>`}
  </div>`;
}

// ---- why not

function Why({ state, token }) {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const mine = Boolean(state.decision?.mine);
  const at = `${state.revision}`;
  const base = `/api/tables/${state.table}`;
  const reply = useReply(asked && mine ? `${base}/why?text=${encodeURIComponent(asked)}&at=${at}` : "", token);
  const [open, setOpen] = useState(false);
  const refused = useReply(open && mine ? `${base}/refused?at=${at}` : "", token);
  if (!mine) return null;
  return html`<section class="why"><h3>Why can I not choose this?</h3>
    <form onSubmit=${(event) => { event.preventDefault(); setAsked(text.trim()); }}>
      <label>A choice as written or shown, or a rule with its values <input type="text" value=${text} onInput=${(event) => setText(event.target.value)} /></label> <button type="submit" disabled=${!text.trim()}>Why?</button></form>
    <details onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>Not available now</summary>
      ${Array.isArray(refused) && (refused.length ? html`<ul>${refused.map((one) => html`<li><button onClick=${() => { setText(one.label); setAsked(one.label); }}>${one.words || one.label}</button></li>`)}</ul>` : html`<p class="quiet">All choices of this question are available.</p>`)}
      ${refused?.error && html`<p class="fault">${refused.error}</p>`}</details>
    <div aria-live="polite">${reply && html`<pre class="why-not" tabindex="0">${reply.error || reply.words}</pre>`}</div></section>`;
}

// ---- inspect the whole state

function Inspect({ state, token }) {
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const reply = useReply(open ? `/api/tables/${state.table}/inspect?at=${state.revision}` : "", token);
  const rows = reply && !reply.error ? [
    ...reply.counters.map((one) => [`${one.name}${one.of ? ` of ${one.of}` : ""}`, one.value]),
    ...reply.fields.map((one) => [`${one.piece}.${one.name}`, one.value]),
    ...reply.places.map((one) => [one.place, one.holds.join(", ") || "empty"]),
  ] : [];
  const found = rows.filter(([name]) => name.toLowerCase().includes(search.toLowerCase())).slice(0, 200);
  return html`<details class="inspect" onToggle=${(event) => setOpen(event.currentTarget.open)}><summary>State</summary>
    ${reply?.error && html`<p class="fault">${reply.error}</p>`}
    ${rows.length > 0 && html`<p class="quiet">Digest ${reply.digest.slice(0, 16)}, seed ${reply.seed}</p>
      <p><label class="find">Find <input type="search" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label></p>
      <div class="scroll tall" tabindex="0" role="region" aria-label="State"><table><tbody>${found.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${String(value)}</td></tr>`)}</tbody></table></div>`}</details>`;
}

function Record({ state, token, say }) {
  const base = `/api/tables/${state.table}/record`;
  const get = (work) => async () => {
    try {
      await work();
    } catch (error) {
      say(error.message);
    }
  };
  return html`<section><h3>Record</h3><p class="acts">
    <button onClick=${get(async () => { const { name, text } = await ask(base, { token }); download(name, text, "text/yaml"); })}>Save as a scenario</button>
    ${state.host && html`<button onClick=${get(async () => say(`Written to ${(await ask(base, { token, body: {} })).path}`))}>Write it into the pack</button>`}</p></section>`;
}

/** Report how an edited file has changed the match. */
export function Content({ content }) {
  if (!content) return null;
  const { lost, differs, problems, fault } = content;
  if (!lost && !differs?.length && !problems?.length && !fault) return null;
  const broken = (problems || []).some((one) => one.severity === "error");
  return html`<section class="content banner" aria-label="The content has changed" role="status">
    ${fault && html`<p class="fault">${fault}</p>`}
    ${broken && html`<p>The files have an error. Until you fix it, the match uses the previous content.</p>`}
    ${lost && html`<p>The match went back to ${lost.number ? `choice ${lost.number}` : "its beginning"}. The next choice, '${lost.label}', is no longer possible: ${lost.why}.</p>`}
    ${differs?.length > 0 && html`<p>The current content offers other options at ${differs.length === 1 ? "choice" : "choices"} ${differs.slice(0, 20).join(", ")}${differs.length > 20 ? " …" : ""}.</p>`}
    ${(problems || []).slice(0, 8).map((one) => html`<p class=${one.severity === "error" ? "fault" : ""}>${one.file}:${one.line}: ${one.severity}[${one.code}]: ${one.message}${one.help ? ` (${one.help})` : ""}</p>`)}
  </section>`;
}
