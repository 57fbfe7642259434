// A table. Its state comes from the server and is never changed here. The selection is kept until the state changes.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./preact.js";
import { both, drawn, lead, left, point, pointable, twins } from "./aim.js";
import { Again } from "./again.js";
import { Ask } from "./ask.js";
import { Bench, Content } from "./bench.js";
import { Chat, hear, writer } from "./chat.js";
import { Curve } from "./curve.js";
import { changed, glide, standing } from "./changes.js";
import { outOfTime } from "./clock.js";
import { settle, walk } from "./keys.js";
import { ask, bare, follow, kept, key, UNREACHED } from "./net.js";
import { Control, art, setNouns } from "./marks.js";
import { call } from "./notify.js";
import { Away, HandOver, Locked, People, Seats } from "./people.js";
import { Recap } from "./recap.js";
import { Guide, Rules } from "./rules.js";
import { Beside, Stage } from "./stage.js";
import { capital, Results, Sheet, Story } from "./story.js";
import { Time, Undo, Wish } from "./time.js";

const NONE = new Set();
const small = matchMedia("(max-width: 56rem)"); // where the question lies above the table
const SHORTCUTS = { u: "undo", r: "rules", h: "hint" };
/** The option that ends a choice of several things, if the server did not offer it at first. */
const DONE = { index: -1, label: "done", words: "done", anytime: false, at: [] };
/** Return the seat whose view of the past is shown. On a shared screen, it is the seat in front of it. */
const sitting = (live, past) => (live.shared && !live.over ? live.seat : past.seat);

/** Return the number of choices before the last one of this client; before the last one of all without one. */
function lastChoice({ telling, host, seat, bots, taken, moves }) {
  const mine = (one) => (host ? !bots[one] && !taken[one] : one === seat);
  return (telling.findLast((line) => line.kind === "answer" && mine(line.seat))?.at ?? moves) - 1;
}

/** Announce a message once to screen readers. */
function announce(words) {
  const news = document.getElementById("news");
  if (news && words) news.textContent = news.textContent === words ? `${words}\u00a0` : words;
}

export function Table({ table, token, at }) {
  const [live, setLive] = useState(null);
  const [past, setPast] = useState(null);
  const [lost, setLost] = useState("");
  const [refused, setRefused] = useState(false);
  const [said, say] = useState("");
  const [picked, setPicked] = useState([]);
  const [together, setTogether] = useState(null);
  const [hinted, setHinted] = useState([]);
  const [ghosts, setGhosts] = useState(null); // what will lie where, after the focused choice
  const [fresh, setFresh] = useState(NONE);
  const [since, setSince] = useState(Infinity);
  const base = useRef(null); // the state in which this client has chosen last
  const [busy, setBusy] = useState(false);
  const [known, setKnown] = useState(null); // the seat that has confirmed that it sits in front
  const [about, setAbout] = useState(null);
  const [missed, setMissed] = useState("");
  const now = useRef(null);
  const [chat, setChat] = useState(null);
  const heard = useRef(null);
  const [advice, setAdvice] = useState(null); // what a search would choose, with its reason
  const root = useRef(null);
  const places = useRef(null);
  const held = useRef(null); // the place from which something is being dragged
  const wanted = useRef(at);

  useEffect(() => {
    const take = (state) => {
      const before = now.current;
      if (before && (state.revision < before.revision || (state.revision === before.revision && (state.stirred ?? 0) < (before.stirred ?? 0)))) return;
      if (state.clock) state.clock.at = performance.now();
      now.current = state;
      if (!before) {
        if (state.host || state.seat !== null || !kept.knows(table)) kept.put(table, token); // a spectator link never replaces a seat
        else kept.here(table, token);
        if (kept.get(table) === token) bare();
      }
      setLive(state);
      const asked = (one) => JSON.stringify([one.moves, one.seat, one.decision]);
      if (!before || (state.revision !== before.revision && asked(state) !== asked(before))) {
        setPicked([]);
        setTogether(null);
        setHinted([]);
        setAdvice(null);
        setBusy(false);
      }
      if (!before) {
        base.current = state;
        if (state.moves > 0) remember(state);
      }
      else if (state.moves !== before.moves && (before.decision?.mine || state.moves < base.current.moves)) base.current = before;
      if (before && state.moves !== before.moves) {
        setFresh(changed(base.current.scene, state.scene)); // with what bots and other people did since
        setSince(Math.min(base.current.told, state.told));
        setPast(null);
      }
      setMissed("");
      tellNews(before, state);
    };
    /** Mark what has changed since the last choice, which a page that was just opened did not see. */
    const remember = async (state) => {
      const then = await ask(`/api/tables/${table}/at/${lastChoice(state)}`, { token }).catch(() => null);
      const late = now.current.moves !== state.moves || (wanted.current ?? Infinity) < state.moves;
      if (!then || late || then.seat !== sitting(now.current, then)) return;
      base.current = then;
      setFresh(changed(then.scene, now.current.scene));
      setSince(Math.min(then.told, now.current.told));
    };
    return follow(table, token, take, (words, status) => {
      setLost(words);
      setRefused(status === 401);
      if (status !== 401) return;
      kept.forget(table, token); // otherwise the tab would stay locked
      bare();
    }, (data) => {
      const before = heard.current;
      setChat((heard.current = hear(before, data)));
      const line = before?.room === data.room && data.after >= before.lines.length && data.lines.at(-1);
      if (line && (line.seat < 0 || line.seat !== now.current.seat)) announce(`${writer(now.current, line)} writes: ${line.words}`);
    });
  }, [table, token]);

  useEffect(() => {
    // The window, because the page itself has the focus after a click beside everything.
    const press = keys(root, setPicked);
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  useEffect(() => {
    const back = () => say((words) => (words === UNREACHED ? "" : words));
    addEventListener("reached", back);
    return () => removeEventListener("reached", back);
  }, []);

  const go = (number) => {
    const state = now.current;
    wanted.current = number;
    if (number === null || number >= state.moves) {
      setPast(null);
      setFresh(NONE);
      return;
    }
    const load = async () => {
      try {
        const [then, before] = await Promise.all([
          ask(`/api/tables/${table}/at/${number}`, { token }),
          number > 0 ? ask(`/api/tables/${table}/at/${number - 1}`, { token }) : null,
        ]);
        if (wanted.current !== number || then.seat !== sitting(now.current, then)) return; // the screen was handed over in the meantime
        setPast({ ...then, undo: null });
        setFresh(before ? changed(before.scene, then.scene) : NONE);
        setSince(before ? before.told : Infinity);
        announce(`Choice ${number} of ${state.moves}. ${then.telling.slice(-1)[0]?.words || ""}`);
      } catch (error) {
        say(error.message);
      }
    };
    load();
  };
  useEffect(() => {
    if (live && wanted.current !== null && !past && wanted.current < live.moves) go(wanted.current);
  }, [Boolean(live)]);
  useEffect(() => {
    if (now.current && at !== null) go(at); // the address names another moment
  }, [at]);

  const state = past && past.seat === sitting(live, past) ? past : live;
  art.base = `/art/${table}`;
  useMemo(() => setNouns(state?.scene.nouns), [state]);
  const every = useMemo(() => (!past && state?.decision?.mine ? drawn([...state.decision.options, ...(state.decision.later || [])], state.scene) : []), [state, past]);
  // The things chosen so far are kept here; the server says what else can be chosen.
  const options = useMemo(() => (together ? [...every.filter((one) => one.anytime || together.left.includes(one.label)), ...(together.enough ? [DONE] : [])] : every), [every, together]);
  const chosen = together ? every.filter((one) => together.labels.includes(one.label)) : [];
  const can = useMemo(() => (busy ? NONE : pointable(options, picked)), [options, picked, busy]);
  const alike = useMemo(() => twins(options), [options]);
  const named = useMemo(() => new Set(busy ? [] : options.flatMap((one) => one.at)), [options, busy]);
  const take = async (option) => {
    if (busy) return;
    setBusy(true);
    say("");
    const more = live.decision.several && !option.anytime && (together || option.label !== DONE.label);
    const labels = [...(together?.labels || []), ...(option.label === DONE.label ? [] : [option.label])];
    const what = more ? { labels, done: option.label === DONE.label } : { index: option.index };
    try {
      const told = await ask(`/api/tables/${table}/moves`, { token, body: { revision: live.revision, ...what, key: key() } });
      if (told.more) gather({ ...told.more, labels });
    } catch (error) {
      setBusy(false);
      setPicked([]);
      say(error.status === 409 ? "The table changed in the meantime. Here is its current state." : error.message);
      if (error.state?.clock) error.state.clock.at = performance.now();
      if (error.state) setLive((now.current = error.state));
    }
  };
  const advise = async () => {
    if (!live.decision?.mine || past || busy || advice?.waits) return;
    setAdvice({ waits: true });
    try {
      const told = await ask(`/api/tables/${table}/hint`, { token });
      setAdvice((now) => (now?.waits && told.revision === live.revision ? told : now));
      announce(`Hint: ${told.words}. ${told.reason}`);
    } catch (error) {
      setAdvice(null);
      say(error.message);
    }
  };
  /** Keep the things chosen so far. */
  const gather = (told) => {
    setTogether(told);
    setPicked([]);
    setBusy(false);
    const words = every.filter((one) => told.labels.includes(one.label)).map((one) => one.words);
    announce(words.length ? `Chosen so far: ${words.join(", ")}.${told.enough ? " You can stop here." : ""}` : "No choice yet.");
  };
  const leave = async (label) => {
    const labels = together.labels.filter((one) => one !== label);
    if (!labels.length) {
      setTogether(null);
      setPicked([]);
      return;
    }
    try {
      const told = await ask(`/api/tables/${table}/moves`, { token, body: { revision: live.revision, labels, key: key() } });
      if (told.more) gather({ ...told.more, labels });
    } catch (error) {
      say(error.message);
    }
  };
  const aim = (...places) => {
    const ids = places.map((id) => alike.get(id) ?? id);
    const again = chosen.find((one) => one.at.includes(ids[0]) && !options.some((other) => other.at.includes(ids[0])));
    if (again) {
      leave(again.label);
      return;
    }
    let result = { picked };
    for (const id of ids) {
      result = point(options, result.picked, id);
      if (result.option) break;
    }
    setPicked(result.picked);
    if (result.option) take(result.option);
    else if (result.picked.length) announce(`${left(options, result.picked).length} choices match.`);
  };
  const view = {
    can: both(can, alike), named: both(named, alike), show: both(lead(options, picked, can), alike), picked: both(new Set([...picked, ...chosen.flatMap(({ at }) => at)]), alike), hint: both(new Set(hinted.length ? hinted : options.find((one) => one.index === advice?.index)?.at || []), alike), fresh, ghosts, over: Boolean(state?.over), players: state?.scene.players || [], point: (id) => aim(id),
    look: (id) => setAbout(id),
    miss: (id, words) => {
      setAbout(id);
      if (past || busy || !state.decision?.mine || !named.size) return;
      const what = words.split(/[:,]/)[0].trim();
      setMissed(picked.length ? `${what} does not go with your selection. Choose a marked place, or clear the selection.` : `${what} is not among your choices now. Marked places are.`);
    },
  };

  useLayoutEffect(() => {
    if (!root.current) return;
    if (places.current) glide(root.current, places.current);
    places.current = standing(root.current);
  }, [state]);
  useLayoutEffect(() => {
    if (root.current) settle(root.current);
  });
  useEffect(() => {
    if (!state) return;
    const mine = state.decision?.mine && !past;
    document.title = `${mine ? "● " : ""}${state.pack.title}`;
    if (mine && document.activeElement === document.body && now.current.moves > 0) document.getElementById("asked")?.focus({ preventScroll: true });
  }, [state]);

  if (!live && refused) return html`<${Locked} table=${table} words=${lost} />`;
  if (!live) return html`<main class="start"><h1>${lost ? "This table cannot be opened" : "Opening the table …"}</h1>${!lost && html`<p class="quiet">The studio reads the game and replays the match. A large game takes some seconds.</p>`}${lost && html`<p class="fault" role="alert">${lost}</p>`}<p><a href="/">All games</a></p></main>`;
  if (live.shared && live.seat !== null && known !== live.seat && !live.over) {
    return html`<${HandOver} name=${live.names[live.seat]} mark=${live.scene.players[live.seat]} ready=${() => { setKnown(live.seat); }} />`;
  }
  const guide = live.decision?.mine && !past && html`<${Guide} key=${live.pack.id} state=${live} />`;
  const again = html`<${Again} state=${state} token=${token} say=${say} />`;
  const away = outOfTime(live);
  return html`<div ref=${root} class="room" ...${drags(held, can, aim)}>
    <${Top} state=${state} past=${past} advise=${advise} lost=${lost} said=${said} hush=${() => say("")} undo=${live.undo && (live.undo.may || live.moves > 0) && html`<${Undo} live=${live} token=${token} say=${say} />`} wish=${live.undo?.wish && html`<${Wish} live=${live} token=${token} say=${say} />`} clock=${live.clock} away=${away && html`<${Away} live=${live} away=${away} token=${token} say=${say} />`} />
    <${Content} content=${live.content} />
    <main class="table" data-revision=${live.revision} data-moves=${state.moves} data-chosen=${chosen.length || undefined} data-busy=${busy ? "" : undefined}>
      <h1 class="unseen">${state.pack.title}</h1>
      ${small.matches && guide}
      ${state.over ? html`<div class="finale"><${Results} state=${state}><${Curve} state=${state} token=${token} say=${say} /><//>${small.matches && again}<${Stage} state=${state} view=${view} can=${can} /></div>` : html`<${Stage} state=${state} view=${view} can=${can} />`}
      <div class="side">
        ${!small.matches && guide}
        ${state.over ? !small.matches && again : state.decision?.options.length ? html`<${Ask} state=${state} advice=${past ? null : advice} options=${past ? state.decision.options : options} token=${token} missed=${missed} picked=${picked} unpick=${() => setPicked([])} chosen=${chosen} leave=${leave} take=${take} hint=${setHinted} foresee=${setGhosts} busy=${busy} past=${past} />`
      : html`<section class="ask"><h2 id="asked" tabindex="-1">${state.decision ? capital(`${state.names[state.decision.player]} decides`) : ""}</h2>
          ${state.decision?.answered && html`<p class="note">Waiting for the others. Choices are revealed when everyone has chosen.</p>`}</section>`}
        ${!state.over && html`<${Recap} state=${live} base=${base.current} since=${since} go=${go} past=${past} />`}
        <${Beside} state=${state} view=${view} can=${can} />
        <div class="foot"><${Points} state=${state} />
        <${Story} state=${state} since=${since} jump=${go} />
        <${Chat} state=${live} chat=${chat} token=${token} say=${say} />
        <${Time} state=${state} live=${live} go=${go} token=${token} say=${say} />
        <${People} state=${live} token=${token} say=${say} />
        <${Bench} state=${live} token=${token} about=${about} say=${say} />
        <${Signs} signs=${state.scene.signs} /></div>
      </div>
    </main></div>`;
}

function tellNews(before, state) {
  const more = before ? state.told - before.told : 0;
  const lines = more > 0 ? state.telling.slice(-more).slice(-8).map((line) => line.words) : [];
  if (before && state.moves < before.moves) lines.push("Undone.");
  if (before && !before.decision?.mine && state.decision?.mine) call(`${state.pack.title}: your move`, state.decision.prompt || "What do you do?");
  const asked = state.decision?.mine ? `${state.decision.prompt || "What do you do?"} ${state.decision.options.length} choices.` : "";
  if (state.over) lines.push("The match is over.");
  const wish = state.undo?.wish;
  const renewed = before ? state.links.findIndex((made, seat) => made > before.links[seat]) : -1;
  const late = before && state.clock ? state.bots.findIndex((bot, seat) => bot && !before.bots[seat] && state.clock.left[seat] === 0) : -1;
  if (late >= 0) announce(`Time is up for ${state.names[late]}. A bot plays now.`);
  else if (renewed >= 0) announce(`There is a new link for ${state.names[renewed]}. The old one now only lets people watch.`);
  else if (wish && !before?.undo?.wish && wish.by !== state.seat) announce(`${state.names[wish.by] || "A player"} asks to go back to choice ${wish.to}.`);
  else if (!before || state.moves !== before.moves) announce([...lines, asked].filter(Boolean).join(" "));
}

/** Return the handler of keys for the whole table. */
const keys = (root, setPicked) => (event) => {
  if (!root.current || event.target.matches?.("input, select, textarea")) return;
  if (walk(event)) event.preventDefault();
  else if (event.key === "Escape") setPicked([]);
  else if (/^[1-9]$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey) {
    root.current.querySelectorAll(".choice")[event.key - 1]?.focus();
  } else if (!event.ctrlKey && !event.altKey && !event.metaKey && SHORTCUTS[event.key.toLowerCase()]) {
    /** @type {HTMLButtonElement | null} */
    const button = document.querySelector(`[data-shortcut="${event.key.toLowerCase()}"]`);
    button?.click();
  }
};

/** Return handlers for dragging. To drag one place to another is to select both; `held` lasts when the table is drawn again. */
function drags(held, can, aim) {
  const at = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-place]")?.getAttribute("data-place");
  return {
    onPointerDown: (event) => {
      const id = event.target.closest?.("[data-place]")?.dataset.place;
      held.current = id && can.has(id) ? id : null;
    },
    onPointerUp: (event) => {
      const [from, to] = [held.current, at(event)];
      if (from && to && to !== from && !to.startsWith("answer:")) aim(from, to);
      held.current = null;
    },
  };
}

function Top({ state, clock, past, advise, lost, said, hush, undo, wish, away }) {
  const decision = state.decision;
  const ask = () => document.getElementById("asked")?.focus();
  const seats = state.bots.filter((bot, seat) => !bot && !state.taken[seat]).length; // for which this screen decides
  const words = past ? "Viewing the past" : state.over ? "The match is over" : decision?.mine ? (state.host && seats > 1 ? `${state.names[decision.player]} to move` : "Your move") : decision ? `${state.names[decision.player]} decides` : "";
  return html`<div class="head"><header class="top"><a class="brand" href="/" title="All games"><img src="/static/icon.svg" alt="All games" width="26" height="26" /><span>${state.pack.title}</span></a>
    ${decision?.mine && !past ? html`<button class="status mine" onClick=${ask}>${capital(words)}</button>` : html`<span class="status">${capital(words)}</span>`}
    <${Seats} state=${state} clock=${clock} />${undo}${decision?.mine && !past && html`<button class="bar-button" data-shortcut="h" onClick=${advise}><${Control} name="hint" /><span>Hint</span></button>`}<${Rules} state=${state} /></header>
    ${(lost || said || away || wish) && html`<div class="notices" role="status">
      ${lost && html`<p class="fault">${lost}</p>`}
      ${said && html`<p class="banner">${said} <button onClick=${hush}>Close</button></p>`}
      ${away}
      ${wish}</div>`}</div>
    ${(state.open || state.saved) && html`<div class="standing" role="status">
      ${state.open && html`<p class="quiet">Sandbox: the host sees and can edit everything.</p>`}
      ${state.saved && !state.open && html`<p class="quiet">The host has saved this match. The save includes all hidden information.</p>`}</div>`}`;
}

/** The score sheet so far, if it has several rows. */
function Points({ state }) {
  if (state.over || state.sheet.categories.length < 2 || !state.sheet.totals.some(Boolean)) return null;
  return html`<details class="points"><summary>Score sheet</summary><${Sheet} names=${state.names} sheet=${state.sheet} players=${state.scene.players} /></details>`;
}

function Signs({ signs }) {
  if (!signs.length) return null;
  return html`<details class="signs"><summary>Legend</summary><dl>${signs.map((sign) => html`<div><dt class=${sign.colour ? `t-${sign.colour}` : ""}>${sign.sign}</dt><dd>${sign.means}</dd></div>`)}</dl></details>`;
}
