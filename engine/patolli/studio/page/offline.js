// A match against bots that choose at random, played in the page: it needs no server once it has begun.
import { html, useEffect, useMemo, useState } from "./preact.js";
import { drawn, lead, left, point, pointable } from "./aim.js";
import { settle, walk } from "./keys.js";
import { ask, key } from "./net.js";
import { Match } from "./native.js";
import { Panel } from "./panels.js";
import { enter } from "./start.js";

const SEEDS = 2 ** 32;

export function Offline({ pack, players, token }) {
  const [match, setMatch] = useState(null);
  const [turn, setTurn] = useState(0);
  const [picked, setPicked] = useState([]);
  const [fault, setFault] = useState("");
  const [seed] = useState(() => Math.floor(Math.random() * SEEDS));
  useEffect(() => {
    ask(`/api/offline/${encodeURIComponent(pack)}?players=${players}`, { token }).then((given) => Match.begin(given, seed)).then((found) => {
      document.title = found.given.title;
      setMatch(found);
    }, (error) => setFault(error.message));
  }, []);
  useEffect(() => settle(document));
  const scene = useMemo(() => match?.scene, [match, turn]);
  const options = useMemo(() => (match ? drawn(match.options, scene) : []), [match, turn]);
  const can = useMemo(() => pointable(options, picked), [options, picked]);
  const take = (index) => {
    match.answer(index);
    while (!match.over && match.seat !== 0) match.answer(Math.floor(Math.random() * match.values.length));
    setPicked([]);
    setTurn(turn + 1);
  };
  const aim = (id) => {
    const found = point(options, picked, id);
    if (found.option) take(found.option.index);
    else setPicked(found.picked);
  };
  // The same seed and choices lead a table to where the page is.
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
  if (!match) return html`<main class="start"><h1>${fault ? "This game needs the server" : "One moment …"}</h1>${fault && html`<p class="fault" role="alert">${fault}</p>`}<p><a href="/">All games</a></p></main>`;
  const view = { can, show: lead(options, picked, can), picked: new Set(picked), hint: new Set(), fresh: new Set(), players: scene.players, point: aim, look: () => {} };
  const shown = left(options, picked);
  return html`<div class="room" onKeyDown=${(event) => { if (walk(event)) event.preventDefault(); else if (event.key === "Escape") setPicked([]); }}>
    <header class="top"><a class="brand" href="/" title="All games"><img src="/static/icon.svg" alt="All games" width="26" height="26" /><span>${match.given.title}</span></a><span class="status" role="status">${match.over ? "The match is over" : "Your move"}</span></header>
    ${fault && html`<p class="fault" role="alert">${fault}</p>`}
    <main class="table" data-moves=${match.choices.length}><h1 class="unseen">${match.given.title}, played in this page</h1>
      <div class="boards-and-rest"><div class="mains">${scene.panels.map((panel) => html`<${Panel} key=${panel.id} panel=${panel} view=${view} />`)}</div></div>
      <div class="side"><section class="ask"><h2 id="asked">${match.over ? "The match is over" : match.question.prompt || "What do you do?"}</h2>
        <ul class="choices" data-rove>${shown.slice(0, 200).map((one) => html`<li key=${one.index}><button class="choice" data-place=${`answer:${one.index}`} onClick=${() => take(one.index)}>${one.words}</button></li>`)}</ul></section>
        <p class="quiet">The rules run in this page; the others choose at random. Nothing is sent, and nothing is kept when the page is closed.${match.given.left_out.length > 0 && ` Not shown here: ${match.given.left_out.join(", ")}.`}</p>
        <p class="acts"><button onClick=${goOn}>Go on at a table of the server</button></p></div>
    </main></div>`;
}
