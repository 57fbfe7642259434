// The lab: runs in the background, their measures with margins of error so far, and the matches behind a number.
import { html, useEffect, useState } from "./preact.js";
import { ask } from "./net.js";
import { enter } from "./start.js";
import { capital } from "./story.js";
import { download } from "./time.js";

const EVERY = 1500;
const STATES = { running: "running", done: "done", stopped: "stopped", failed: "failed", lost: "interrupted" };

export function Lab({ token }) {
  const [packs, setPacks] = useState([]);
  const [runs, setRuns] = useState(null);
  const [chosen, choose] = useState("");
  const [fault, setFault] = useState("");
  const look = () => ask("/api/lab", { token }).then(setRuns, (error) => setFault(error.message));
  useEffect(() => {
    document.title = "The lab";
    ask("/api/packs", { token }).then((found) => setPacks(found.filter((one) => !one.id.includes("/"))), () => {});
    look();
  }, [token]);
  const begun = (id) => {
    choose(id);
    look();
  };
  const shown = chosen || runs?.[0]?.id || "";
  return html`<header class="top"><a class="brand" href="/" title="All games"><img src="/static/icon.svg" alt="All games" width="26" height="26" />The lab</a><span class="status"></span></header>
    <main class="start lab"><h1 class="unseen">The lab</h1>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      ${shown && html`<${Run} key=${shown} id=${shown} token=${token} title=${called(runs?.find((one) => one.id === shown) || { pack: "" }, packs)} fault=${setFault} begun=${begun} changed=${look} />`}
      ${runs && packs.length > 0 && html`<details class="panel" open=${!runs.length}><summary>A new run</summary>
        <p class="quiet">Bots play many matches to measure a game: who wins, how long it takes, and what each piece is worth. A run continues when you close this page.</p>
        <${Plan} packs=${packs} token=${token} begun=${begun} fault=${setFault} /></details>`}
      ${runs?.length > 0 && html`<section><h2>Runs</h2><ul class="tables">${runs.map((run) => html`<li key=${run.id}><button aria-current=${run.id === shown ? "true" : undefined} onClick=${() => { choose(run.id); scrollTo(0, 0); }}>${called(run, packs)}</button>
        <span class="quiet">${run.players === 1 ? "1 player" : `${run.players} players`}${run.vary?.length ? ` · ${run.vary.join(" · ")}` : ""} · ${STATES[run.state]}</span></li>`)}</ul></section>`}
    </main>`;
}

const called = (run, packs) => [packs.find((one) => one.id === run.pack)?.title || run.pack, ...(run.modules || [])].join(" + ");

// ---- a new run

function Plan({ packs, token, begun, fault }) {
  const [id, setId] = useState(packs[0].id);
  const [modules, setModules] = useState([]);
  const [players, setPlayers] = useState(2);
  const [bot, setBot] = useState("random");
  const [games, setGames] = useState(1000);
  const [until, setUntil] = useState("");
  const [vary, setVary] = useState("");
  const pack = packs.find((one) => one.id === id);
  const range = pack.modules.filter((one) => modules.includes(one.id)).findLast((one) => one.players)?.players ?? pack.players;
  const count = Math.max(range.min, Math.min(players, range.max));
  const toggle = (one) => setModules(modules.includes(one) ? modules.filter((other) => other !== one) : [...modules, one]);
  const begin = async (event) => {
    event.preventDefault();
    fault("");
    const lines = vary.split("\n").map((one) => one.trim()).filter(Boolean);
    const body = { pack: id, modules, players: count, bots: Array.from({ length: count }, () => bot), games, until: until.trim(), vary: lines };
    try {
      begun((await ask("/api/lab", { token, body })).id);
    } catch (error) {
      fault(error.message);
    }
  };
  return html`<form class="plan" onSubmit=${begin}><fieldset><legend>A new run</legend>
    <label class="option">Game <select onChange=${(event) => { setId(packs[event.target.selectedIndex].id); setModules([]); }}>${packs.map((one) => html`<option selected=${one.id === id}>${one.title}</option>`)}</select></label>
    ${pack.modules.map((one) => html`<label class="check" key=${one.id}><input type="checkbox" checked=${modules.includes(one.id)} onChange=${() => toggle(one.id)} /><span>${one.title}</span></label>`)}
    <label class="option">Players <input type="number" min=${range.min} max=${range.max} value=${count} onInput=${(event) => setPlayers(Number(event.target.value))} /></label>
    <label class="option">Bots <select onChange=${(event) => setBot(event.target.value)}>${["random", "greedy", "easy", "medium"].map((one) => html`<option value=${one} selected=${one === bot}>${one}</option>`)}</select></label>
    <label class="option">Matches <input type="number" min="1" max="1000000" value=${games} onInput=${(event) => setGames(Number(event.target.value))} /></label>
    <label class="option">Stop early at this precision <input type="text" placeholder="first player +- 1 %" value=${until} onInput=${(event) => setUntil(event.target.value)} /></label>
    <label class="option">Variants: in each line an address and its values <textarea rows="2" placeholder="pieces/card_1/cost=2,3" onInput=${(event) => setVary(event.target.value)}></textarea></label>
    </fieldset><p class="acts"><button class="main" type="submit">Start</button></p></form>`;
}

// ---- one run

function Run({ id, token, title, fault, begun, changed }) {
  const [run, setRun] = useState(null);
  const [report, setReport] = useState(null);
  const [variant, setVariant] = useState("base");
  const base = `/api/lab/${id}`;
  useEffect(() => {
    let wait = 0;
    let live = true;
    const look = async () => {
      try {
        const now = await ask(base, { token });
        if (!live) return;
        setRun(now);
        if (now.state === "running") wait = setTimeout(look, EVERY);
        else changed();
      } catch (error) {
        fault(error.message);
      }
    };
    look();
    return () => {
      live = false;
      clearTimeout(wait);
    };
  }, [id, run?.state]);
  const asked = `variant=${encodeURIComponent(variant)}`;
  const played = run?.variants.find((one) => one.name === variant)?.matches || 0;
  // A report is read again when the run has grown by half, so that it is not read all the time.
  const step = Math.floor(Math.log(Math.max(1, played)) / Math.log(1.5));
  useEffect(() => {
    let live = true;
    if (played > 0) ask(`${base}/report?${asked}`, { token }).then((found) => live && setReport(found), (error) => live && fault(error.message));
    return () => {
      live = false;
    };
  }, [id, variant, step, run?.state]);
  const act = (work) => async () => {
    fault("");
    try {
      await work();
      setRun(await ask(base, { token }));
    } catch (error) {
      fault(error.message);
    }
  };
  const match = (number) => act(async () => enter(await ask(`${base}/matches/${number}`, { token, body: { variant } })))();
  const attempt = ({ changes }) => act(async () => {
    const bots = Array.from({ length: run.players }, (_, seat) => changes.bot || run.bots?.[seat] || "random");
    const body = { pack: run.pack, modules: run.modules || [], options: run.options || {}, players: run.players, bots, games: changes.games, vary: changes.vary || [] };
    begun((await ask("/api/lab", { token, body })).id);
  })();
  if (!run) return html`<p class="quiet">Reading the run …</p>`;
  return html`<section class="run" aria-label="A run">
    <div class="lab-head"><div><h2>${report ? headline(report) : title}</h2>
      <p class="quiet" role="status">${title} · ${run.players === 1 ? "1 player" : `${run.players} players`} · ${[...new Set(run.bots?.length ? run.bots : ["random"])].join(", ")} bots · ${played}${run.games ? ` of ${run.games}` : ""} matches · ${STATES[run.state]}</p></div>
      <p class="acts">
        ${run.state === "running" && html`<button onClick=${act(() => ask(`${base}/stop`, { token, body: {} }))}>Stop</button>`}
        ${["stopped", "lost"].includes(run.state) && html`<button onClick=${act(() => ask(`${base}/on`, { token, body: {} }))}>Continue</button>`}
        ${run.variants.length > 1 && html`<label>Variant <select onChange=${(event) => { setVariant(run.variants[event.target.selectedIndex].name); setReport(null); }}>${run.variants.map((one) => html`<option selected=${one.name === variant}>${one.name}</option>`)}</select></label>`}
        ${played > 0 && html`<button onClick=${act(async () => download(`${run.pack}-${id}.html`, await ask(`${base}/page?${asked}`, { token, asText: true }), "text/html"))}>Save as a page</button>`}</p></div>
    ${run.said && html`<pre class="why-not" tabindex="0">${run.said}</pre>`}
    ${!run.variants.length && run.state === "running" && html`<p class="quiet">The rules are being compiled …</p>`}
    ${report && html`<${Report} report=${report} match=${match} attempt=${attempt} />`}
    <details class="panel"><summary>All figures</summary>${run.variants.map((one) => html`<${Figures} key=${one.name} variant=${one} wanted=${run.games} />`)}</details>
  </section>`;
}

const number = (value, share) => (share ? `${(100 * value).toFixed(1)} %` : value.toFixed(2));

/** The measures of a variant with their intervals. A bar is as long as its interval is wide. */
function Figures({ variant, wanted }) {
  return html`<h3>${variant.words} <span class="quiet">${variant.matches}${wanted ? ` of ${wanted}` : ""} matches</span></h3>
    ${variant.measures.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label=${`Numbers, ${variant.words}`}><table class="figures"><thead><tr><th scope="col">Measure</th><th scope="col">Mean</th><th scope="col">95 % interval</th><td></td></tr></thead>
      <tbody>${variant.measures.map((one) => html`<tr key=${one.name}><th scope="row">${one.name}</th><td>${number(one.mean, one.share)}</td><td>± ${number(one.half, one.share)}</td><td><${Bar} one=${one} /></td></tr>`)}</tbody></table></div>`}`;
}

function Bar({ one }) {
  const whole = one.share ? 0.5 : Math.max(Math.abs(one.mean), 1e-9);
  const half = Math.min(48, (48 * one.half) / whole);
  return html`<svg class="interval" viewBox="0 0 100 10" aria-hidden="true"><path d="M2 5H98" class="all" /><rect x=${50 - half} y="2" width=${Math.max(1, 2 * half)} height="6" rx="2" /></svg>`;
}

// ---- the report

const MOST = 40;
const TRIES = 3;
const GOOD = ["yes", "nothing", "reached", "probably reached"];
const WHY = { Fair: "Do all seats win as often?", Length: "How long is a match?", Skill: "Does the better player win?", "Too strong": "Does anything win too much?", "Too weak": "Is anything not worth its cost?", Unused: "Is anything never used?", "Decided when": "When does the winner take the lead?", "Runaway leader": "Can the leader be caught?", "Real choices": "How often is there a choice?" };

/** Return how an answer is marked: good, bad, unknown, or only told. */
function tone({ question, verdict }) {
  if (verdict === "not known" || verdict === "no question") return "unknown";
  if (["Length", "Decided when", "Real choices"].includes(question)) return "told";
  if (question === "Runaway leader") return verdict === "no" ? "good" : "bad";
  if (verdict === "nearly" || verdict.startsWith("probably")) return verdict === "probably missed" ? "bad" : "told";
  return GOOD.includes(verdict) ? "good" : "bad";
}

const MARKS = { good: "✓", bad: "!", unknown: "?", told: "•" };
const SAID = { good: "as it should be", bad: "look at this", unknown: "not known yet", told: "a figure" };

/** Return what the answers say in one sentence. */
function headline({ verdict }) {
  const one = (question) => verdict.answers.find((answer) => answer.question === question)?.verdict;
  const fair = { yes: "Fair", nearly: "Nearly fair", no: "Not fair" }[one("Fair")];
  const length = one("Length");
  return `${capital([fair, length && `${length} long`].filter(Boolean).join(", "))}. ${verdict.headline ? `${verdict.headline}.` : "Nothing stands out."}`;
}

function Report({ report, match, attempt }) {
  const links = (numbers) => html`<span class="matches">${numbers.map((one) => html` <button onClick=${() => match(one)} aria-label=${`View match ${one}`}>${one}</button>`)}</span>`;
  const tries = report.findings.flatMap((one) => (one.try || []).map((each) => ({ ...each, of: one.name }))).slice(0, TRIES);
  return html`<div class="report"><ul class="verdict panel">${report.verdict.answers.map((one) => html`<${Answer} key=${one.question} one=${one} players=${report.about.players} />`)}</ul>
    <div class="lab-pair"><section class="panel"><h3>What stands out</h3>
      ${!report.findings.length && html`<p class="quiet">Nothing. ${report.verdict.smallest && `${capital(report.verdict.smallest)}.`}</p>`}
      <ul>${report.findings.map((one) => html`<li><b class="kind">${one.kind}</b> ${one.text} ${one.where && html`<code>${one.where}</code>`} ${one.examples.length > 0 && html`<span class="quiet">matches</span>${links(one.examples)}`}</li>`)}</ul></section>
    ${tries.length > 0 && html`<section class="panel"><h3>What to try next</h3><ol class="tries">${tries.map((one, n) => html`<li><span class="nth" aria-hidden="true">${n + 1}</span><div><b>${one.purpose}</b>
      <p class="quiet">${one.minutes === null || one.minutes === undefined ? "The time depends on the bot." : one.minutes < 1 ? "Less than a minute" : `About ${Math.round(one.minutes)} min`}${one.effect ? `: enough to see a difference of ${(100 * one.effect).toFixed(0)} percentage points` : ""}</p>${!one.changes && html`<code>${one.command}</code>`}</div>
      ${one.changes && html`<button onClick=${() => attempt(one)} aria-label=${`Try: ${one.purpose}`}>Try</button>`}</li>`)}</ol></section>`}
    <section class="panel"><h3>Example matches</h3><ul class="examples">${report.matches.slice(0, MOST).map((one) => html`<li>${links([one.match])} <span class="quiet">${one.winners.length ? `won by seat ${one.winners.join(", ")}` : "no winner"}${one.scores.length ? `, ${one.scores.join(" : ")}` : ""}</span></li>`)}</ul></section></div>
    <p class="quiet">Played by bots, not by people. Seed ${report.about.seed} · content ${report.about.content.slice(0, 8)}.</p></div>`;
}

/** A question of a designer: its answer, the number behind it, and its interval beside the line of what would be fair. */
function Answer({ one, players }) {
  const mark = tone(one);
  return html`<li><span class=${`verdict-mark ${mark}`}><span aria-hidden="true">${MARKS[mark]}</span><span class="unseen">${SAID[mark]}</span></span>
    <h3 title=${WHY[one.question]}>${one.question}</h3>
    <p>${one.text.startsWith(one.verdict) ? html`<b>${capital(one.text)}</b>` : html`<b>${capital(one.verdict)}</b><span class="quiet">${capital(one.text)}.</span>`}</p>
    ${one.known ? html`<${Interval} known=${one.known} share=${one.share} fair=${{ Fair: 1 / players, "Runaway leader": 1 / players }[one.question]} />` : html`<span></span>`}</li>`;
}

/** An interval on a scale, with the point that would be fair. */
function Interval({ known, share, fair }) {
  const marks = [known.low, known.high, known.value, ...(fair === undefined ? [] : [fair])].filter(Number.isFinite);
  const [low, high] = [Math.min(...marks), Math.max(...marks)];
  const room = Math.max((high - low) * 0.6, share ? 0.05 : high * 0.15, 1e-9);
  const from = share ? Math.max(0, Math.floor((low - room) * 20) / 20) : Math.max(0, low - room);
  const to = share ? Math.min(1, Math.ceil((high + room) * 20) / 20) : high + room;
  const x = (value) => 10 + (280 * (value - from)) / (to - from || 1);
  const words = (value) => (share ? `${Math.round(100 * value)} %` : value.toFixed(value < 10 ? 1 : 0));
  const whole = [known.low, known.high].every(Number.isFinite);
  return html`<svg class="scale" viewBox="0 0 300 44" role="img" aria-label=${`${words(known.value)}${whole ? `, from ${words(known.low)} to ${words(known.high)}` : ""}`}>
    <path class="all" d="M10 14H290" />${fair !== undefined && html`<path class="fair" d=${`M${x(fair)} 2V26`} /><text x=${x(fair)} y="41" text-anchor="middle">${words(fair)} fair</text>`}
    ${whole && html`<path class="known" d=${`M${x(known.low)} 8V20M${x(known.low)} 14H${x(known.high)}M${x(known.high)} 8V20`} />`}<circle cx=${x(known.value)} cy="14" r="5.5" />
    <text x="10" y="41">${words(from)}</text><text x="290" y="41" text-anchor="end">${words(to)}</text></svg>`;
}
