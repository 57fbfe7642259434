// Going back and forth over the match, taking back, playing on from anywhere, links, saves.
import { html, useState } from "./preact.js";
import { ask, key } from "./net.js";
import { enter } from "./start.js";

export function Time({ state, live, go, token, say }) {
  const [link, setLink] = useState("");
  const now = live.moves;
  const at = state.moves;
  const past = at < now || state !== live;
  const base = `/api/tables/${live.table}`;
  const tries = (work) => async () => {
    try {
      await work();
    } catch (error) {
      say(error.message);
    }
  };
  const undo = (more) => tries(() => ask(`${base}/undo`, { token, body: { revision: live.revision, key: key(), ...more } }));
  const wish = live.undo?.wish;
  const share = tries(async () => {
    const { watch } = await ask(`${base}/tokens`, { token });
    const address = `${location.origin}/t/${live.table}#${watch}@${at}`;
    setLink(address);
    await navigator.clipboard?.writeText(address).then(() => say("The link to this moment is in the clipboard. Whoever has it sees what all may see, and decides nothing."), () => {});
  });
  const save = tries(async () => {
    let text;
    try {
      text = await ask(`${base}/save`, { token, asText: true });
    } catch {
      text = await ask(`${base}/save?seat=`, { token, asText: true });
    }
    download(`${live.pack.id}-${live.table}.json`, text);
  });
  return html`<section class="time" aria-label="Time">
    ${past && html`<p class="banner">You look at choice ${at} of ${now}. <button onClick=${() => go(null)}>Back to now</button></p>`}
    <div class="slide">
      <button aria-label="One choice back" disabled=${at <= 0} onClick=${() => go(at - 1)}>‹</button>
      <input type="range" min="0" max=${now} value=${at} aria-label="Moment of the match" aria-valuetext=${`choice ${at} of ${now}`} onInput=${(event) => go(Number(event.target.value))} />
      <button aria-label="One choice on" disabled=${!past} onClick=${() => go(at + 1)}>›</button>
      <output>${at} of ${now}</output>
    </div>
    <p class="acts">
      <button disabled=${!live.undo?.may} title=${live.undo?.why || ""} onClick=${undo({})}>Take back</button>
      ${!live.undo?.may && live.undo?.why && now > 0 && html`<span class="quiet">${live.undo.why}</span>`}
      ${!live.undo?.may && now > 0 && live.seat !== null && !wish && html`<button onClick=${undo({ all: true })}>Ask all to take back</button>`}
      ${live.all && html`<button onClick=${tries(async () => enter(await ask(`${base}/fork`, { token, body: { at } })))}>Play on from here at a new table</button>`}
      <button onClick=${share}>Link to this moment</button>
      <button onClick=${save}>Save</button>
    </p>
    ${link && html`<p><label>Link <input class="link" type="text" readonly value=${link} onFocus=${(event) => event.target.select()} /></label></p>`}
  </section>`;
}

/** That somebody would like to take back what needs all; whoever has agreed can only wait. */
export function Wish({ live, token, say }) {
  const wish = live.undo?.wish;
  if (!wish) return null;
  const answer = (agree) => async () => {
    try {
      await ask(`/api/tables/${live.table}/undo`, { token, body: { revision: live.revision, key: key(), agree } });
    } catch (error) {
      say(error.message);
    }
  };
  const mine = wish.by === live.seat;
  const waits = wish.agreed.includes(live.seat);
  return html`<p class="banner wish">${mine ? "You have" : `${live.names[wish.by] || "Somebody"} has`} asked to go back to choice ${wish.to}.
    ${waits && " The others have to agree. "}
    ${live.seat !== null && !waits && html` <button onClick=${answer(true)}>Agree</button>`}
    ${live.seat !== null && html` <button onClick=${answer(false)}>${mine ? "Withdraw" : waits ? "Refuse after all" : "Refuse"}</button>`}</p>`;
}

/** Let the browser keep a text as a file. */
export function download(name, text, type = "application/json") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
