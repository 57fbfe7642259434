// The open decision: the question, its choices as buttons, and a preview of the focused choice.
import { html, useEffect, useMemo, useState } from "./preact.js";
import { left, marks, texts } from "./aim.js";
import { Card, Control, Icon, Rich, compareCards, isWords } from "./marks.js";
import { ask } from "./net.js";
import { Change } from "./recap.js";

const MANY = 60;
const FEW = 12; // choices beyond which a phone shows the board first
const SHOWN = 6; // changes of an option
const SHORT = 16; // letters of an option; two such options stand beside each other on a phone
const small = matchMedia("(max-width: 56rem)");
const touch = matchMedia("(pointer: coarse) and (max-width: 56rem)");

export function Ask({ state, advice, options, token, missed, picked, unpick, chosen = [], leave, take, hint, foresee, busy, past }) {
  const decision = state.decision;
  const [search, setSearch] = useState("");
  const [all, setAll] = useState(false);
  const [about, setAbout] = useState(-1);
  const [known, setKnown] = useState(null);
  const [effects, setEffects] = useState({});
  const [armed, setArmed] = useState(null);
  const [whole, setWhole] = useState(false); // whether the sheet of a phone is open
  useEffect(() => {
    setSearch("");
    setAll(false);
    setAbout(-1);
    setKnown(null);
  }, [state.revision, state.moves]);
  useEffect(() => {
    setKnown(null); // what was known before is not about this option after these things
    if (about < 0 || past || busy) return undefined;
    let live = true;
    const behind = chosen.map((one) => `&chosen=${encodeURIComponent(one.label)}`).join("");
    const wait = setTimeout(() => ask(`/api/tables/${state.table}/preview?index=${about}${behind}`, { token })
      .then((reply) => live && reply.revision === state.revision && setKnown(reply), () => {}), 90);
    return () => {
      live = false;
      clearTimeout(wait);
    };
  }, [about, state.revision, busy, chosen.length]);
  useEffect(() => {
    setEffects({});
    setArmed(null);
    if (past || decision.several || !decision.mine) return undefined;
    let live = true;
    ask(`/api/tables/${state.table}/previews`, { token }).then((reply) => live && reply.revision === state.revision && setEffects(reply.options), () => {});
    return () => {
      live = false;
    };
  }, [state.revision, Boolean(past)]);
  const lies = (index) => (known?.index === index ? known.lies : effects[index]?.lies);
  useEffect(() => {
    foresee(lies(about));
    return () => foresee(null);
  }, [about, known, effects]);
  // On a phone the first touch shows what a choice does, and the second one makes it.
  const press = (option) => {
    if (busy || past) return;
    if (touch.matches && armed !== option.index) {
      setArmed(option.index);
      setAbout(option.index);
      hint(option.at);
    } else take(option);
  };
  const drawn = useMemo(() => marks(state.scene), [state]);
  const inscribed = useMemo(() => texts(state.scene), [state]);
  /** What is written on the only thing that an option names. */
  const written = (option) => (option.at.length === 1 && options.length <= FEW && inscribed.get(option.at[0])) || "";
  const looks = (marks) => marks.filter((one) => one && (one.card || !isWords(one)));
  const shapes = (option) => {
    const found = looks(option.at.map((id) => drawn.get(id)));
    return found.length || options.length > FEW ? found : looks(Object.values(effects[option.index]?.lies || {}).flat().slice(0, 1)); // what it lays
  };
  const mark = (option) => shapes(option)[0];
  const cards = options.length > 1 && options.every((option) => mark(option)?.card);
  const matching = left(options, picked);
  const open = cards ? [...matching].sort((a, b) => compareCards(mark(a), mark(b))) : matching;
  const faces = cards && small.matches;
  const short = (option) => (option.words || option.label).length <= SHORT && !effects[option.index]?.changes.length && !written(option);
  const words = search.toLowerCase();
  const found = open.filter((option) => `${option.words} ${option.label}`.toLowerCase().includes(words));
  const shown = all ? found : found.slice(0, MANY);
  const over = (option) => ({
    onPointerEnter: () => { hint(option.at); setAbout(option.index); },
    onPointerLeave: () => { hint([]); setAbout(-1); },
    onFocus: () => { hint(option.at); setAbout(option.index); },
    onBlur: () => { hint([]); setAbout(-1); },
  });
  // A sign without words says nothing here: the board shows it.
  const reply = known && known.index === about ? [known.tells, ...(known.comes || [])].filter((line) => /\p{L}{2}/u.test(line || "")) : [];
  return html`<section class=${`ask${whole ? " whole" : ""}${options.length > FEW ? " many" : ""}`} aria-labelledby="asked" id="ask">
    <button class="handle" aria-label=${whole ? "Show less of the question" : "Show the whole question"} onClick=${() => setWhole(!whole)}></button>
    <h2 id="asked" tabindex="-1">${decision.prompt || "What do you do?"}</h2>
    ${decision.chosen?.length > 0 && html`<p class="note chosen">Chosen so far: ${decision.chosen.join(", ")}.</p>`}
    ${chosen.length > 0 && html`<ul class="gathered" aria-label="Chosen so far">${chosen.map((one) => html`<li key=${one.label}><button onClick=${() => leave(one.label)} aria-label=${`Remove ${one.words}`}>${one.words} <span aria-hidden="true">×</span></button></li>`)}</ul>`}
    ${decision.several && !past && html`<p class="note">${chosen.length ? "Choose more, or remove one. The order does not matter." : "You can choose several. The order does not matter."}</p>`}
    ${decision.simultaneous && html`<p class="note">Everyone chooses secretly; choices are revealed together.</p>`}
    ${picked.length > 0 && html`<p class="narrowed">${open.length} of ${options.length} choices match your selection. <button onClick=${unpick}>Clear selection</button></p>`}
    ${advice && html`<p class="advice"><${Control} name="hint" /> ${advice.waits ? "A bot thinks about your choice …" : html`<b><${Rich} text=${advice.words} /></b> ${advice.reason}`}</p>`}
    ${missed && html`<p class="missed" role="status">${missed}</p>`}
    ${options.length > 14 && html`<p><label class="find"><span class="unseen">Find a choice</span><input type="search" placeholder="Find a choice" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label></p>`}
    <ol class=${`choices${faces ? " faces" : ""}`} data-rove>
      ${shown.map((option, n) => html`<li key=${option.label} class=${short(option) ? "short" : ""}><button class=${`choice${option.anytime ? " anytime" : ""}${armed === option.index ? " armed" : ""}${advice?.index === option.index ? " advised" : ""}`} data-place=${`answer:${option.index}`} tabindex="-1"
        aria-disabled=${busy || past ? "true" : undefined} onClick=${() => press(option)} ...${over(option)}>
        <span class="nth" aria-hidden="true">${option.index < 0 ? "✓" : n + 1}</span>${faces ? html`<${Card} mark=${mark(option)} title="" />` : html`<${Signs} marks=${shapes(option)} />`}<span class=${faces ? "verb unseen" : "verb"}><${Rich} text=${option.words || option.label} />${option.anytime && html`<span class="quiet"> (anytime)</span>`}${written(option) && !faces && html`<span class="written"><${Rich} text=${written(option)} /></span>`}${armed === option.index && !faces && html` <span class="again">tap again to choose</span>`}</span>${armed === option.index && faces && html`<span class="again">tap again</span>`}
        <${Effects} effect=${effects[option.index]} of=${option.words} /></button></li>`)}
    </ol>
    ${found.length > shown.length && html`<p><button onClick=${() => setAll(true)}>Show all ${found.length} choices</button></p>`}
    ${!found.length && html`<p class="quiet">No choice matches.</p>`}
    <div class="preview" aria-live="polite">${reply.length > 0 && html`${reply.map((line) => html`<p>${line}</p>`)}`}</div>
  </section>`;
}

/** The looks of the first and the last thing that an option names; of a card, its suit. */
function Signs({ marks: [first, ...others] }) {
  if (!first) return null;
  const draw = (mark) => html`<${Icon} mark=${{ ...(mark.card ? mark.card.suit : mark), id: undefined }} />`;
  const last = others.at(-1);
  return html`<span class="sign-of" aria-hidden="true">${draw(first)}${last && html`<small>→</small>${draw(last)}`}</span>`;
}

/** What an option costs and gives: losses first, then gains. */
function Effects({ effect, of }) {
  if (!effect?.changes.length) return null;
  return html`<span class="effects">${effect.changes.slice(0, SHOWN).map((one) => html`<${Change} by=${one.amount} icon=${one.icon} colour=${one.colour} words=${one.words.replace(` (${of})`, "")} />`)}${effect.changes.length > SHOWN && " …"}</span>`;
}
