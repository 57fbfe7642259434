// Calls a player back to the table: a sound and a notification of the browser when the turn comes while the page is hidden.
import { html, useState } from "./preact.js";

const KINDS = { sound: "Sound", notice: "Notification" };

function wanted() {
  try {
    return JSON.parse(localStorage.getItem("patolli calls") || "{}");
  } catch {
    return {};
  }
}

/** Call the player, as far as the player wants it. The words are those of the player's own question. */
export function call(title, words) {
  if (!document.hidden) return;
  const { sound, notice } = wanted();
  if (sound) ring();
  if (notice && "Notification" in window && Notification.permission === "granted") {
    const shown = new Notification(title, { body: words, tag: location.pathname });
    shown.onclick = () => {
      focus();
      shown.close();
    };
  }
}

/** Two short tones. */
function ring() {
  try {
    const context = new AudioContext();
    for (const [at, high] of [[0, 660], [0.16, 880]]) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      tone.frequency.value = high;
      volume.gain.setValueAtTime(0.12, context.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + at + 0.25);
      tone.connect(volume).connect(context.destination);
      tone.start(context.currentTime + at);
      tone.stop(context.currentTime + at + 0.3);
    }
  } catch {
    // without sound, the title still says whose turn it is
  }
}

/** Choose how to be called. */
export function Calls() {
  const [now, setNow] = useState(wanted());
  const turn = (kind) => async () => {
    const on = !now[kind];
    if (kind === "notice" && on && (!("Notification" in window) || (await Notification.requestPermission()) !== "granted")) return;
    const next = { ...now, [kind]: on };
    setNow(next);
    try {
      localStorage.setItem("patolli calls", JSON.stringify(next));
    } catch {
      // private windows store nothing
    }
    if (kind === "sound" && on) ring();
  };
  return html`<p class="pick" role="group" aria-label="When it is your turn and you look elsewhere"><span class="quiet">When it is your turn and you look elsewhere:</span>
    ${Object.entries(KINDS).map(([kind, words]) => html`<label class="radio"><input type="checkbox" checked=${Boolean(now[kind])} onChange=${turn(kind)} /><span>${words}</span></label>`)}</p>`;
}
