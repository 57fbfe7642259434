// The timeline of the match: move through it, undo, branch, share links, and save.
import { html, useState } from "./preact.js";
import { Control } from "./marks.js";
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
    await navigator.clipboard?.writeText(address).then(() => say("Link copied. Anyone with it can watch from this moment. Spectators see only what is public."), () => {});
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
    ${past && html`<p class="banner">Viewing choice ${at} of ${now}. <button onClick=${() => go(null)}>Back to now</button></p>`}
    <div class="slide">
      <button aria-label="Previous choice" disabled=${at <= 0} onClick=${() => go(at - 1)}>‹</button>
      <input type="range" min="0" max=${now} value=${at} aria-label="Moment of the match" aria-valuetext=${`choice ${at} of ${now}`} onInput=${(event) => go(Number(event.target.value))} />
      <button aria-label="Next choice" disabled=${!past} onClick=${() => go(at + 1)}>›</button>
      <output>${at} of ${now}</output>
    </div>
    <p class="acts">
      ${!live.undo?.may && live.undo?.why && now > 0 && html`<span class="quiet">No undo: ${live.undo.why}.</span>`}
      ${!live.undo?.may && now > 0 && live.seat !== null && !wish && html`<button onClick=${undo({ all: true })}>Ask everyone to undo</button>`}
      ${live.all && html`<button onClick=${tries(async () => enter(await ask(`${base}/fork`, { token, body: { at } })))}>Branch from here</button>`}
      <button onClick=${share}>Copy link to this moment</button>
      <button onClick=${save}>Save</button>
    </p>
    ${link && html`<p><label>Link <input class="link" type="text" readonly value=${link} onFocus=${(event) => event.target.select()} /></label></p>`}
  </section>`;
}

/** The button that undoes the last choice. It says why that is impossible. */
export function Undo({ live, token, say }) {
  const undo = () => ask(`/api/tables/${live.table}/undo`, { token, body: { revision: live.revision, key: key() } }).catch((error) => say(error.message));
  return html`<button class="bar-button" data-shortcut="u" disabled=${!live.undo?.may} title=${live.undo?.why || ""} onClick=${undo}><${Control} name="undo" /><span>Undo</span></button>`;
}

/** The request of a player to undo, which everyone has to accept. */
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
  return html`<p class="banner wish">${mine ? "You ask" : `${live.names[wish.by] || "A player"} asks`} to go back to choice ${wish.to}.
    ${waits && " The other players have to agree. "}
    ${live.seat !== null && !waits && html` <button onClick=${answer(true)}>Agree</button>`}
    ${live.seat !== null && html` <button onClick=${answer(false)}>${mine ? "Withdraw" : waits ? "Refuse now" : "Refuse"}</button>`}</p>`;
}

/** Save a text as a file through the browser. */
export function download(name, text, type = "application/json") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
