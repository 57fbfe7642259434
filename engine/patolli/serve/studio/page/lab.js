// The lab: runs in the background, their measures with margins of error so far, and the matches behind a number.
import { html, useEffect, useState } from "./preact.js";
import { ask } from "./net.js";
import { enter } from "./start.js";
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
  return html`<header class="top"><a class="brand" href="/" title="All games"><img src="/static/icon.svg" alt="All games" width="26" height="26" />The lab</a><span class="status"></span></header>
    <main class="start lab"><h1>The lab</h1>
      <p>Let bots play many matches to measure a game: who wins, how long it takes, and what each piece is worth. A run continues when you close this page.</p>
      ${fault && html`<p class="fault" role="alert">${fault}</p>`}
      ${chosen && html`<${Run} key=${chosen} id=${chosen} token=${token} fault=${setFault} changed=${look} />`}
      ${packs.length > 0 && html`<${Plan} packs=${packs} token=${token} begun=${begun} fault=${setFault} />`}
      ${runs?.length > 0 && html`<section><h2>Runs</h2><ul class="tables">${runs.map((run) => html`<li key=${run.id}><button onClick=${() => { choose(run.id); scrollTo(0, 0); }}>${called(run, packs)}</button>
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
    <label class="option">Variants, one line for each value that varies <textarea rows="2" placeholder="pieces/card_1/cost=2,3" onInput=${(event) => setVary(event.target.value)}></textarea></label>
    </fieldset><p class="acts"><button class="main" type="submit">Start</button></p></form>`;
}

// ---- one run

function Run({ id, token, fault, changed }) {
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
  const act = (work) => async () => {
    fault("");
    try {
      await work();
      setRun(await ask(base, { token }));
    } catch (error) {
      fault(error.message);
    }
  };
  const asked = `variant=${encodeURIComponent(variant)}`;
  const match = (number) => act(async () => enter(await ask(`${base}/matches/${number}`, { token, body: { variant } })))();
  if (!run) return html`<p class="quiet">One moment …</p>`;
  return html`<section class="run panel" aria-label="A run"><h2>${[run.pack, ...(run.modules || [])].join(" + ")} <span class="quiet" role="status">${STATES[run.state]}</span></h2>
    ${run.said && html`<pre class="why-not" tabindex="0">${run.said}</pre>`}
    ${run.variants.map((one) => html`<${Figures} key=${one.name} variant=${one} wanted=${run.games} />`)}
    ${!run.variants.length && run.state === "running" && html`<p class="quiet">The rules are being compiled …</p>`}
    <p class="acts">
      ${run.state === "running" && html`<button onClick=${act(() => ask(`${base}/stop`, { token, body: {} }))}>Stop</button>`}
      ${["stopped", "lost"].includes(run.state) && html`<button onClick=${act(() => ask(`${base}/on`, { token, body: {} }))}>Continue</button>`}
      ${run.variants.length > 1 && html`<label>Variant <select onChange=${(event) => { setVariant(run.variants[event.target.selectedIndex].name); setReport(null); }}>${run.variants.map((one) => html`<option selected=${one.name === variant}>${one.name}</option>`)}</select></label>`}
      ${run.variants.length > 0 && html`<button class="main" onClick=${act(async () => setReport(await ask(`${base}/report?${asked}`, { token })))}>Open the report</button>
        <button onClick=${act(async () => download(`${run.pack}-${id}.html`, await ask(`${base}/page?${asked}`, { token, asText: true }), "text/html"))}>Save as a page</button>`}
    </p>
    ${report && html`<${Report} report=${report} match=${match} />`}
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

function Report({ report, match }) {
  const links = (numbers) => html`<span class="matches">${numbers.map((one) => html` <button onClick=${() => match(one)} aria-label=${`View match ${one}`}>${one}</button>`)}</span>`;
  return html`<div class="report"><h3>Verdict</h3>
    <ul>${report.verdict.answers.map((one) => html`<li>${one.question}: <b>${one.verdict}</b> <span class="quiet">${one.text}</span></li>`)}</ul>
    <h3>What stands out</h3>
    ${!report.findings.length && html`<p class="quiet">Nothing${report.verdict.smallest && `: ${report.verdict.smallest}`}.</p>`}
    <ul>${report.findings.map((one) => html`<li><b>${one.kind}</b> ${one.text} ${one.where && html`<code>${one.where}</code>`} ${one.examples.length > 0 && html`<span class="quiet">matches</span>${links(one.examples)}`}</li>`)}</ul>
    <h3>Example matches</h3>
    <ul>${report.matches.slice(0, MOST).map((one) => html`<li>${links([one.match])} <span class="quiet">${one.winners.length ? `won by seat ${one.winners.join(", ")}` : "no winner"}${one.scores.length ? `, ${one.scores.join(" : ")}` : ""}</span></li>`)}</ul></div>`;
}
