// Offline play: a match against bots that run in the page. It needs no server after it has started.
import { html, useEffect, useMemo, useRef, useState } from "./preact.js";
import { drawn, lead, left, point, pointable } from "./aim.js";
import { changed } from "./changes.js";
import { settle, walk } from "./keys.js";
import { Icon, setNouns } from "./marks.js";
import { ask, key } from "./net.js";
import { Match } from "./native.js";
import { Beside, Stage } from "./stage.js";
import { enter } from "./start.js";
import { capital, Results } from "./story.js";

const SEEDS = 2 ** 32;
const THOUGHT = 300;
const MOST = 200;

export function Offline({ pack, players, token }) {
  const [match, setMatch] = useState(null);
  const [turn, setTurn] = useState(0);
  const [picked, setPicked] = useState([]);
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const [thinks, setThinks] = useState(true);
  const [seed] = useState(() => Math.floor(Math.random() * SEEDS));
  const before = useRef(null);
  useEffect(() => {
    ask(`/api/offline/${encodeURIComponent(pack)}?players=${players}`, { token }).then((given) => Match.begin(given, seed)).then((found) => {
      document.title = found.given.title;
      setMatch(found);
      if (found.seat > 0) others(found);
    }, (error) => setFault(error.message));
  }, []);
  useEffect(() => settle(document));
  const scene = useMemo(() => match?.scene, [match, turn]);
  const fresh = useMemo(() => changed(before.current, scene || { panels: [] }), [scene]);
  const mine = Boolean(match) && !match.over && !busy;
  const options = useMemo(() => (mine ? drawn(match.options, scene) : []), [mine, scene]);
  const can = useMemo(() => pointable(options, picked), [options, picked]);
  const show = () => setTurn((number) => number + 1);
  const others = async (at) => {
    setBusy(true);
    while (!at.over && at.seat !== 0) {
      show();
      await new Promise((go) => setTimeout(go)); // lets the page draw the last choice before the bot thinks
      at.answer(thinks ? at.think(THOUGHT) : Math.floor(Math.random() * at.values.length));
    }
    setBusy(false);
    show();
  };
  const take = (index) => {
    before.current = scene;
    match.answer(index);
    setPicked([]);
    others(match);
  };
  const takeBack = () => {
    before.current = scene;
    match.again(match.choices.slice(0, match.back(0)));
    setPicked([]);
    show();
  };
  const aim = (id) => {
    const found = point(options, picked, id);
    if (found.option) take(found.option.index);
    else setPicked(found.picked);
  };
  // A table with the same seed and choices reaches the same position.
  const goOn = async () => {
    try {
      const made = await ask("/api/tables", { token, body: { pack, players, seed, open: true } });
      const base = `/api/tables/${made.table}`;
      let { revision } = await ask(base, { token: made.tokens.host });
      for (const index of match.choices) ({ revision } = await ask(`${base}/moves`, { token: made.tokens.host, body: { revision, index, key: key() } }));
      enter(made);
    } catch (error) {
      setFault(error.message);
    }
  };
  if (!match) return html`<main class="start"><h1>${fault ? "This game needs the server" : "Loading the rules of the game …"}</h1>${fault && html`<p class="fault" role="alert">${fault}</p>`}<p><a href="/">All games</a></p></main>`;
  const view = { can, named: can, show: lead(options, picked, can), picked: new Set(picked), hint: new Set(), fresh, players: scene.players, point: aim, look: () => {}, miss: () => {} };
  const shown = left(options, picked);
  const names = scene.players.map((player) => player.says);
  setNouns(scene.nouns);
  const state = { scene, names, decision: match.over ? null : { player: match.seat, mine }, pack: { id: pack }, scores: [], bots: [] };
  const back = match.back(0);
  return html`<div class="room" onKeyDown=${(event) => { if (event.target.matches("input, select")) return; if (walk(event)) event.preventDefault(); else if (event.key === "Escape") setPicked([]); else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey) event.currentTarget.querySelectorAll(".choice")[event.key - 1]?.focus(); }}>
    <header class="top"><a class="brand" href="/" title="All games"><img src="/static/icon.svg" alt="All games" width="26" height="26" /><span>${match.given.title}</span></a><span class=${`status${mine ? " mine" : ""}`} role="status">${match.over ? "The match is over" : busy ? `${capital(names[match.seat] || "another player")} thinks …` : "Your move"}</span></header>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
    <main class="table" data-moves=${match.choices.length} data-busy=${busy ? "" : undefined}><h1 class="unseen">${match.given.title}, offline play</h1>
      <${Stage} state=${state} view=${view} can=${can} />
      <div class="side">${match.over ? html`<${Results} state=${ended(match, names, scene)} />` : html`<section class="ask"><h2 id="asked" tabindex="-1">${busy ? "The other players choose" : match.question.prompt || "What do you do?"}</h2>
        <ul class="choices" data-rove>${shown.slice(0, MOST).map((one) => html`<li key=${one.index}><button class="choice" data-place=${`answer:${one.index}`} onClick=${() => take(one.index)}>${one.words}</button></li>`)}</ul>
        ${shown.length > MOST && html`<p class="quiet">${shown.length - MOST} more; select a place on the board.</p>`}</section>`}
        <${Beside} state=${state} view=${view} can=${can} />
        <${Made} match=${match} names=${names} players=${scene.players} />
        <section class="time" aria-label="Time"><p class="acts"><button disabled=${busy || back < 0} onClick=${takeBack}>Undo</button>
          ${!busy && back < 0 && match.choices.length > 0 && html`<span class="quiet">You cannot undo: something random happened since your last choice.</span>`}
          <label>The other players choose <select onChange=${(event) => setThinks(event.target.selectedIndex === 0)}><option selected=${thinks}>after some thought</option><option selected=${!thinks}>at random</option></select></label></p>
        <p class="quiet">The rules run in this page. Nothing is sent, and the match is lost when you close the page.${match.given.left_out.length > 0 && ` Not shown here: ${match.given.left_out.join(", ")}.`}</p>
        <p class="acts"><button disabled=${busy} onClick=${goOn}>Continue at a table on the server</button></p></section></div>
    </main></div>`;
}

/** Return the end of the match in the form that `Results` shows. */
function ended(match, names, scene) {
  const { winners, scores } = match.results;
  return { results: { winners, scores }, names, scene, sheet: { categories: [], points: [], totals: scores } };
}

/** The choices so far, with the last in view. Only a table on the server shows their effects. */
function Made({ match, names, players }) {
  const box = useRef(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [match.choices.length]);
  return html`<section class="story" aria-labelledby="happened"><h2 id="happened">Choices</h2>
    ${!match.made.length && html`<p class="quiet">Nothing yet.</p>`}
    <div class="lines" ref=${box} tabindex="0" role="region" aria-label="Choices so far">
      ${match.made.map((one, n) => html`<p key=${n} class="answer"><${Icon} mark=${players[one.seat]} /> ${capital(names[one.seat])}: ${one.words}</p>`)}</div></section>`;
}
