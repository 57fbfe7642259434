// The chat of a table. Players and spectators each have a room; the server sends only the messages of one of them.
import { html, useEffect, useRef, useState } from "./preact.js";
import { ask, key } from "./net.js";
import { capital } from "./story.js";

/** Return the messages after an event of the stream. */
export const hear = (known, { room, after, lines }) => ({ room, lines: [...(known?.room === room ? known.lines.slice(0, after) : []), ...lines] });

/** Return who wrote a message. */
export const writer = (state, line) => (line.seat < 0 ? "Spectator" : capital(state.names[line.seat]));

export function Chat({ state, chat, token, say }) {
  const [words, setWords] = useState("");
  const [read, setRead] = useState(null); // how many messages were on the screen
  const [open, setOpen] = useState(false);
  const box = useRef(null);
  const number = chat?.lines.length ?? 0;
  useEffect(() => {
    if (chat && (open || read === null)) setRead(number);
    if (open && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [number, open, Boolean(chat)]);
  const others = state.taken.some((taken, seat) => taken && seat !== state.seat) || (state.seat !== null && !state.host) || chat?.room === "spectators";
  if (!chat || (!others && !number)) return null;
  const send = async (event) => {
    event.preventDefault();
    if (!words.trim()) return;
    try {
      await ask(`/api/tables/${state.table}/chat`, { token, body: { words, key: key() } });
      setWords("");
    } catch (error) {
      say(capital(error.message));
    }
  };
  const fresh = open ? 0 : number - (read ?? number);
  return html`<section class="story chat" aria-label="Chat"><details onToggle=${(event) => setOpen(event.target.open)}><summary>Chat${fresh > 0 && html` <span class="count">${fresh} new</span>`}</summary>
    <p class="quiet">${chat.room === "players" ? "Only players read this." : "Only spectators read this."}</p>
    <div class="lines" ref=${box} tabindex="0" role="region" aria-label="Messages">${chat.lines.map((line, n) => html`<p key=${n}><b>${writer(state, line)}:</b> <bdi>${line.words}</bdi></p>`)}</div>
    <form onSubmit=${send}><input type="text" maxlength="300" autocomplete="off" aria-label=${`Message to ${chat.room}`} value=${words} onInput=${(event) => setWords(event.target.value)} /> <button type="submit">Send</button></form>
  </details></section>`;
}
