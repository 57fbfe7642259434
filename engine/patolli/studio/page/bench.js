// The workbench beside the table: why something is not offered, what a thing or a rule says, records of what was played.
import { html, useEffect, useState } from "./preact.js";
import { ask } from "./net.js";
import { download } from "./time.js";

export function Bench({ state, token, about, say }) {
  return html`<details class="bench" open=${about ? true : undefined}><summary>Workbench</summary>
    <${Why} state=${state} token=${token} />
    <${Source} state=${state} token=${token} about=${about} />
    <${Record} state=${state} token=${token} say=${say} />
  </details>`;
}

function Why({ state, token }) {
  const [text, setText] = useState("");
  const [told, setTold] = useState(null);
  const find = async (event) => {
    event.preventDefault();
    try {
      setTold(await ask(`/api/tables/${state.table}/why?text=${encodeURIComponent(text)}`, { token }));
    } catch (error) {
      setTold({ error: error.message });
    }
  };
  return html`<form class="why" onSubmit=${find}><h3>Why is it not offered?</h3>
    <label>An answer, as it would be written <input type="text" value=${text} onInput=${(event) => setText(event.target.value)} /></label>
    <button type="submit" disabled=${!text.trim()}>Why?</button>
    ${told && html`<pre class="why-not">${told.error || told.text || words(told)}</pre>`}</form>`;
}

const words = (told) => (typeof told === "string" ? told : JSON.stringify(told, null, 1));

function Source({ state, token, about }) {
  const [told, setTold] = useState(null);
  useEffect(() => {
    if (!about) return;
    ask(`/api/tables/${state.table}/source?piece=${encodeURIComponent(about)}`, { token })
      .then(setTold, (error) => setTold({ error: error.message }));
  }, [about]);
  if (!about) return html`<p class="quiet">Click anything on the table that cannot be chosen to see what its pack says of it.</p>`;
  if (!told) return html`<p class="quiet">One moment …</p>`;
  return html`<section class="source"><h3>${told.title || about.split(":").at(-1)}</h3>
    ${told.error && html`<p class="quiet">${told.error}</p>`}
    ${(told.sentences || []).map((sentence) => html`<p>${typeof sentence === "string" ? sentence : sentence.join(": ")}</p>`)}
    ${told.yaml && html`<pre class="yaml">${told.yaml}</pre>`}
    ${told.file && html`<p class="quiet">${told.file}${told.line ? `:${told.line}` : ""}</p>`}
    ${told.layers?.length > 0 && html`<ul>${told.layers.map((layer) => html`<li>${typeof layer === "string" ? layer : words(layer)}</li>`)}</ul>`}</section>`;
}

function Record({ state, token, say }) {
  const record = async () => {
    try {
      const text = await ask(`/api/tables/${state.table}/record`, { token, asText: true });
      let data = text;
      try {
        const read = JSON.parse(text);
        data = read.yaml || read.text || text;
      } catch {
        // it is YAML already
      }
      download(`${state.pack.id}-${state.table}.yaml`, data, "text/yaml");
    } catch (error) {
      say(error.message);
    }
  };
  return html`<p><button onClick=${record}>Record as a scenario</button></p>`;
}
