// The start page: choose a game with modules, options, and players, or continue at a table.
import { html, useEffect, useState } from "./preact.js";
import { ClockSetup, wantedClock } from "./clock.js";
import { Cover } from "./cover.js";
import { Control } from "./marks.js";
import { ask, UNREACHED } from "./net.js";

/** Open a new table as its host. */
export function enter(made) {
  location.assign(`/t/${made.table}#${made.tokens.host}`);
}

export function Start({ token, wanted }) {
  const [packs, setPacks] = useState(null);
  const [bots, setBots] = useState([]);
  const [tables, setTables] = useState([]);
  const [chosen, choose] = useState(wanted.pack);
  const [search, setSearch] = useState("");
  const [seats, setSeats] = useState(0);
  const [time, setTime] = useState(null);
  const [weight, setWeight] = useState(null);
  const [fault, setFault] = useState("");
  useEffect(() => {
    document.title = "Patolli studio";
    ask("/api/packs", { token }).then(setPacks, (error) => setFault(error.message));
    ask("/api/bots", { token }).then(setBots, () => {});
    ask("/api/tables", { token }).then(setTables, (error) => setFault(error.message)); // an old link says so at once
  }, [token]);
  useEffect(() => {
    const reached = () => setFault((words) => (words === UNREACHED ? "" : words));
    addEventListener("reached", reached);
    return () => removeEventListener("reached", reached);
  }, []);
  useEffect(() => {
    const back = () => choose(new URLSearchParams(location.search).get("pack"));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const remove = async (one) => {
    if (!confirm(`Delete this table of ${one.title}? You cannot undo this.`)) return;
    try {
      await ask(`/api/tables/${one.table}`, { token: one.tokens.host, method: "DELETE" });
      setTables(tables.filter((other) => other !== one));
    } catch (error) {
      setFault(error.message);
    }
  };
  // Each game has an address, so that the browser's Back button works.
  const turn = (id) => {
    history.pushState(null, "", `/${id ? `?pack=${encodeURIComponent(id)}` : ""}${location.hash}`);
    choose(id);
    setFault("");
    scrollTo(0, 0);
  };
  const pack = packs?.find((one) => one.id === chosen);
  const words = search.toLowerCase();
  const fits = ({ players }) => !seats || (players.max >= seats && (seats === SEATS.length || players.min <= seats));
  const within = (value, range) => !range || (value >= range.from && value <= range.to);
  const shown = (packs || []).filter((one) => fits(one) && within(one.minutes, time) && within(one.weight, weight) && `${one.title} ${one.text} ${one.id}`.toLowerCase().includes(words));
  return html`<header class="top"><a class="brand" href="/"><img src="/static/icon.svg" alt="" width="26" height="26" />Patolli</a><span class="status"></span><nav><a href="/gallery">Gallery</a> <a href="/lab">Lab</a></nav></header>
    <main class="start">
      <h1 class=${pack ? "" : "unseen"}>${pack ? pack.title : "What do you want to play?"}</h1>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      ${!packs && !fault && html`<p class="quiet">Looking for games …</p>`}
      ${pack && html`<${Setup} key=${pack.id} pack=${pack} wanted=${pack.id === wanted.pack ? wanted.modules : []} bots=${bots} token=${token} fresh=${!tables.some((one) => one.pack === pack.id && one.over)} back=${() => turn(null)} fault=${setFault} />`}
      ${packs && chosen && !pack && html`<p class="fault" role="alert">There is no game ${chosen}. Choose one of these games.</p>`}
      ${packs && !pack && html`<${Tables} tables=${tables} remove=${remove} token=${token} />
        <div class="filters"><h2>Games</h2>${packs.length > 6 && html`<label class="find"><span class="unseen">Find a game</span><input type="search" placeholder="Find a game" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label>
          <span class="status"></span><${ForPlayers} number=${seats} choose=${setSeats} />
          ${packs.some((one) => one.minutes) && html`<${Within} words="Time" ranges=${TIMES} chosen=${time} choose=${setTime} />`}
          ${packs.some((one) => one.weight) && html`<${Within} words="Weight" ranges=${WEIGHTS} chosen=${weight} choose=${setWeight} />`}`}</div>
        <ul class="games">${shown.map((one) => html`<li key=${one.id} class="game"><${Cover} pack=${one.id} token=${token} />
          <div class="words"><button class="title" onClick=${() => turn(one.id)}>${one.title}</button><${Facts} one=${one} /><span class="text">${one.text}</span></div></li>`)}</ul>
        ${!shown.length && html`<p class="quiet">No game matches.</p>`}
        <${Import} token=${token} bots=${bots} fault=${setFault} />`}
    </main>`;
}

const people = ({ min, max }) => (min === max ? `${min} ${min === 1 ? "player" : "players"}` : `${min} to ${max} players`);

const TIMES = [{ words: "≤ 15 min", from: 0, to: 15 }, { words: "≤ 45", from: 0, to: 45 }, { words: "longer", from: 46, to: Infinity }];
const WEIGHTS = [{ words: "light", from: 1, to: 2 }, { words: "medium", from: 3, to: 3 }, { words: "heavy", from: 4, to: 5 }];

/** For how many people a game is, how long it takes, and how hard it is to learn. */
function Facts({ one }) {
  const { min, max } = one.players;
  return html`<p class="facts"><span title=${people(one.players)}><${Control} name="people" /><span class="unseen">${people(one.players)}</span><span aria-hidden="true">${min === max ? min : `${min}–${max}`}</span></span>
    ${one.minutes && html`<span><${Control} name="clock" />${one.minutes} min</span>`}
    ${one.weight && html`<span class="weight" title="How hard it is to learn"><span class="unseen">weight ${one.weight} of 5</span>${[1, 2, 3, 4, 5].map((n) => html`<i class=${n <= one.weight ? "full" : ""}></i>`)}</span>`}
    ${one.id.includes("/") && html`<span>${one.id}</span>`}</p>`;
}

/** Choose a range within which listed games are. */
function Within({ words, ranges, chosen, choose }) {
  return html`<p class="pick for-players" role="group" aria-label=${words}><span>${words}</span>${ranges.map((one) => html`<button aria-pressed=${String(one === chosen)} onClick=${() => choose(one === chosen ? null : one)}>${one.words}</button>`)}</p>`;
}

const FEW = 4;
const SEATS = [1, 2, 3, 4];

/** Tables of the store: those that wait for you, then running ones, then finished ones; each newest first. */
function Tables({ tables, remove, token }) {
  const [all, setAll] = useState(false);
  const [search, setSearch] = useState("");
  if (!tables.length) return null;
  const rank = (one) => (one.over ? 2 : one.yours || one.next === null ? 0 : 1);
  const sorted = [...tables].sort((a, b) => rank(a) - rank(b));
  const words = search.toLowerCase();
  const found = sorted.filter((one) => `${one.title} ${one.names.join(" ")} ${one.table}`.toLowerCase().includes(words));
  const mine = tables.filter((one) => one.yours && !one.over).length;
  return html`<section class="begun"><h2>${mine ? html`Your turn <span class="count">${mine}</span>` : "Continue at a table"}</h2>
    ${all && (tables.length > FEW || search) && html`<p><label class="find">Find a table by game or player <input type="search" value=${search} onInput=${(event) => setSearch(event.target.value)} /></label></p>`}
    <ul class="tables cards">${(all ? found : sorted.slice(0, FEW)).map((one) => html`<li key=${one.table} class=${one.yours && !one.over ? "yours" : ""}><${Cover} pack=${one.pack} token=${token} first=${true} />
    <div class="words"><a href=${`/t/${one.table}${one.tokens?.host ? `#${one.tokens.host}` : ""}`}>${one.title}</a>
    <span>${one.over ? "The match is over." : one.yours ? html`<b>${one.names.length > 1 ? `${one.names[one.next]} to move` : "Your move"}</b>` : one.next !== null ? `Waiting for ${one.names[one.next]}` : "Begun"}</span>
    ${one.latest && html`<span class="latest">${one.latest}</span>`}
    <span class="quiet">${one.names.join(", ")} · ${one.moves === 1 ? "1 choice" : `${one.moves} choices`}</span></div>
    <button class="remove" aria-label=${`Delete the table with ${one.names.join(", ")}`} onClick=${() => remove(one)}>Delete</button></li>`)}</ul>
    ${all && !found.length && html`<p class="quiet">No table matches.</p>`}
    ${!all && tables.length > FEW && html`<p><button onClick=${() => setAll(true)}>Show all ${tables.length} tables</button></p>`}</section>`;
}

/** Choose for how many players games are listed. */
function ForPlayers({ number, choose }) {
  return html`<p class="pick for-players" role="group" aria-label="Players"><span>Players</span>${SEATS.map((one) => html`<button aria-pressed=${String(one === number)} onClick=${() => choose(one === number ? 0 : one)}>${one === SEATS.length ? `${one}+` : one}</button>`)}</p>`;
}

function Import({ token, bots, fault }) {
  const [unsaid, setUnsaid] = useState(null); // a save that does not name its players
  const send = async (save, seats) => {
    try {
      const told = await ask("/api/import", { token, body: { save, asks: true, ...(seats ? { seats } : {}) } });
      if (told.ask) setUnsaid({ save, seats: told.ask.map((name) => ({ name, bot: "" })) });
      else enter(told);
    } catch (error) {
      setUnsaid(null);
      fault(error.message);
      scrollTo(0, 0);
    }
  };
  const take = async (event) => {
    const file = event.target.files[0];
    setUnsaid(null);
    if (file) send(await file.text());
  };
  const put = (at, bot) => setUnsaid({ ...unsaid, seats: unsaid.seats.map((seat, n) => (n === at ? { ...seat, bot } : seat)) });
  const go = (event) => {
    event.preventDefault();
    send(unsaid.save, unsaid.seats.map(({ name, bot }) => ({ name, ...(bot ? { bot } : {}) })));
  };
  return html`<section><h2>Load a saved game</h2><p><label>A file saved in the studio or the terminal <input type="file" accept=".json,application/json" onChange=${take} /></label></p>
    ${unsaid && html`<form class="unsaid" onSubmit=${go}><p>The save does not say who plays. Choose a person or a bot for each seat.</p>
      ${unsaid.seats.map((seat, n) => html`<div class="seat" key=${n}><label>${seat.name} is played by <select onChange=${(event) => put(n, event.target.value)}>
        <option value="" selected=${!seat.bot}>a person</option>${bots.map((bot) => html`<option value=${bot} selected=${seat.bot === bot}>bot: ${bot}</option>`)}</select></label></div>`)}
      <p><button class="main" type="submit">Continue</button></p></form>`}</section>`;
}

function Setup({ pack, wanted, bots, token, fresh, back, fault }) {
  const [modules, setModules] = useState(() => wanted.filter((id) => pack.modules.some((one) => one.id === id)));
  const [options, setOptions] = useState({});
  const [players, setPlayers] = useState(Math.max(pack.players.min, Math.min(2, pack.players.max)));
  const [seats, setSeats] = useState(() => Array.from({ length: Math.max(...[pack, ...pack.modules].map((one) => one.players?.max ?? 1)) }, (_, n) => ({ name: "", bot: n ? bots[0] || "easy" : "" })));
  const [open, setOpen] = useState(false);
  const [seed, setSeed] = useState("");
  const [clock, setClock] = useState({ minutes: "", added: "10" });
  const [busy, setBusy] = useState(false);
  const put = (n, more) => setSeats(seats.map((seat, m) => (m === n ? { ...seat, ...more } : seat)));
  const chosen = pack.modules.filter((one) => modules.includes(one.id));
  const range = chosen.findLast((one) => one.players)?.players ?? pack.players;
  const offered = [pack, ...chosen].flatMap((one) => one.options);
  const against = (one) => chosen.find((other) => other.conflicts.includes(one.id) || one.conflicts.includes(other.id));
  const lightest = pack.modules.filter((one) => one.weight < pack.weight).sort((a, b) => a.weight - b.weight)[0];
  const toggle = (id) => setModules(modules.includes(id) ? modules.filter((one) => one !== id) : [...modules, id]);
  useEffect(() => {
    // A module may change the range of players.
    setPlayers(Math.max(range.min, Math.min(players, range.max)));
  }, [range.min, range.max]);
  const begin = async (event) => {
    event.preventDefault();
    setBusy(true);
    const sent = seats.slice(0, players).map(({ name, bot }) => ({ ...(name.trim() ? { name: name.trim() } : {}), ...(bot ? { bot } : {}) }));
    const body = { pack: pack.id, modules, options: Object.fromEntries(offered.filter((one) => one.id in options).map((one) => [one.id, options[one.id]])), players, seats: sent, ...(open ? { open } : {}), ...(clock.minutes ? { clock: wantedClock(clock) } : {}), ...(seed ? { seed: Number(seed) } : {}) };
    try {
      enter(await ask("/api/tables", { token, body }));
    } catch (error) {
      fault(error.message);
      setBusy(false);
      scrollTo(0, 0);
    }
  };
  const own = pack.id.includes("/") || modules.length || offered.some((one) => one.id in options && options[one.id] !== one.default);
  const [alone, setAlone] = useState(null); // why offline play is not available; empty if it is
  useEffect(() => {
    let live = true;
    setAlone(null);
    if (own) setAlone("it is available only for installed games without modules and with default options");
    else ask(`/api/offline/${pack.id}/may?players=${players}`, { token }).then(({ why }) => live && setAlone(why), () => {});
    return () => {
      live = false;
    };
  }, [pack.id, players, Boolean(own)]);
  const counts = Array.from({ length: range.max - range.min + 1 }, (_, n) => range.min + n);
  return html`<form class="setup" onSubmit=${begin}>
    <aside class="panel"><${Cover} pack=${pack.id} token=${token} first=${true} /><div class="words">
      <${Facts} one=${pack} /><p>${pack.text}</p>
      <p class="acts"><button class="main" type="submit" disabled=${busy}>Start</button> <button type="button" onClick=${back}>Another game</button></p>
      <p class="acts links">${!pack.id.includes("/") && html`<a href=${`/gallery/${pack.id}${modules.length ? `?modules=${modules.join(",")}` : ""}`}>All pieces</a>`}
        ${alone === "" && html`<a href=${`/offline/${pack.id}?players=${players}`}>Play offline</a>`}</p></div></aside>
    <div><fieldset><legend>Who plays</legend>
      ${counts.length > 1 && html`<p class="pick">${counts.map((count) => html`<label class="radio"><input type="radio" name="players" checked=${players === count} onChange=${() => setPlayers(count)} /><span>${count}</span></label>`)} players</p>`}
      ${seats.slice(0, players).map((seat, n) => html`<div class="seat" key=${n}>
        <label><span class="unseen">Name of player ${n + 1}</span><input type="text" maxlength="24" placeholder=${n || seat.bot ? `player ${n + 1}` : "your name"} value=${seat.name} onInput=${(event) => put(n, { name: event.target.value })} /></label>
        <select aria-label=${`Player ${n + 1} is played by`} onChange=${(event) => put(n, { bot: event.target.value })}>
          <option value="" selected=${!seat.bot}>a person</option>
          ${bots.map((bot) => html`<option value=${bot} selected=${seat.bot === bot}>bot: ${bot}</option>`)}</select></div>`)}
    </fieldset>
    ${lightest && fresh && !modules.includes(lightest.id) && !against(lightest) && html`<p class="suggested"><span><b>Your first match? ${lightest.title}:</b> ${lightest.text}</span> <button type="button" onClick=${() => toggle(lightest.id)}>Play ${lightest.title}</button></p>`}
    ${pack.modules.length > 0 && html`<fieldset class="modules"><legend>Modules</legend>${pack.modules.map((one) => html`<label class="check"><input type="checkbox" checked=${modules.includes(one.id)} disabled=${Boolean(against(one))} onChange=${() => toggle(one.id)} />
      <span><b>${one.title}</b> <span class="quiet">${one.text}${against(one) && html` <em>Not with ${against(one).title}.</em>`}</span></span></label>`)}</fieldset>`}
    ${offered.length > 0 && html`<fieldset><legend>Options</legend>${offered.map((one) => html`<${Choice} key=${one.id} one=${one} value=${options[one.id] ?? one.default} put=${(value) => setOptions({ ...options, [one.id]: value })} />`)}</fieldset>`}
    <details><summary>More</summary>
      <label class="check"><input type="checkbox" checked=${open} onChange=${() => setOpen(!open)} /><span><b>Sandbox</b> <span class="quiet">The host sees and can edit everything. Everyone at the table is notified.</span></span></label>
      <${ClockSetup} clock=${clock} put=${setClock} />
      <label class="option">Random seed <input type="number" min="0" max=${Number.MAX_SAFE_INTEGER} value=${seed} onInput=${(event) => setSeed(event.target.value)} /></label>
      ${alone && html`<p class="quiet">Offline play is not available: ${alone}.</p>`}
    </details></div>
  </form>`;
}

function Choice({ one, value, put }) {
  const words = one.text || one.id;
  if (one.range) {
    return html`<label class="option">${words}<input type="number" min=${one.range[0]} max=${one.range[1]} value=${value} onInput=${(event) => put(Number(event.target.value))} /></label>`;
  }
  return html`<label class="option">${words}<select onChange=${(event) => put(one.values[event.target.selectedIndex])}>
    ${one.values.map((each) => html`<option selected=${each === value}>${each === true ? "yes" : each === false ? "no" : String(each).replaceAll("_", " ")}</option>`)}</select></label>`;
}
