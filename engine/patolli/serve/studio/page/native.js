// A match that runs in the page, with the rules as WebAssembly. Random numbers and digests equal those of the server.

async function streamKey(seed, stream) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${seed}/${stream}`));
  return new DataView(hash).getBigUint64(0);
}

/** Length limits of random playouts: SHORT if the pack evaluates positions, otherwise LONG, to the end. */
const SHORT = 16;
const LONG = 4000;

/** A match of a package; made by `begin`. */
export class Match {
  /**
   * @param {import("./shapes").Package} given
   * @param {WebAssembly.Instance} instance
   */
  constructor(given, instance) {
    this.given = given;
    /** @type {any} */
    this.exports = instance.exports;
    /** @type {number[]} */
    this.choices = [];
    /** @type {any[] | null} */
    this.values = null;
    /** @type {any[]} */
    this.state = [];
    /** @type {[number, bigint][]} */
    this.keys = [];
    /** @type {{seat: number, words: string, draws: string}[]} */
    this.made = [];
    this.seed = 0;
    this.bytes = new Uint8Array();
  }

  /**
   * @param {import("./shapes").Package} given
   * @param {number} seed
   */
  static async begin(given, seed) {
    const code = Uint8Array.from(atob(given.module), (letter) => letter.charCodeAt(0));
    const { instance } = await WebAssembly.instantiate(code, {});
    const match = new Match(given, instance);
    for (const [name, text] of Object.entries(given.streams)) match.keys.push([given.memory.KEYS + 8 * text, await streamKey(seed, name)]);
    match.seed = seed;
    match.again([]);
    return match;
  }

  /** Restart the match and replay these choices. */
  again(choices) {
    const { given } = this;
    const { memory } = given;
    const view = () => new DataView(this.exports.memory.buffer);
    const missing = given.floor + 65536 - this.exports.memory.buffer.byteLength;
    if (missing > 0) this.exports.memory.grow(Math.ceil(missing / 65536));
    for (const [place, value] of [[memory.FLOOR, given.floor], [memory.WHOLE, given.whole], [memory.TOP, this.exports.memory.buffer.byteLength]]) {
      view().setBigInt64(place, BigInt(value), true);
    }
    this.unlock();
    this.exports.begin_match(BigInt(this.seed));
    for (const index of choices) this.exports.take_option(BigInt(index));
    this.choices = [...choices];
    this.made.length = choices.length;
    this.look();
  }

  /** Write the random keys of this match into the memory. */
  unlock() {
    const view = new DataView(this.exports.memory.buffer);
    for (const [place, value] of this.keys) view.setBigUint64(place, value, true);
  }

  answer(index) {
    const { words } = this.options[index];
    this.made.push({ seat: this.seat, words, draws: this.draws });
    this.exports.take_option(BigInt(index));
    this.choices.push(index);
    this.look();
  }

  /** The number of random draws so far, per stream, as text. */
  get draws() {
    return JSON.stringify(this.state[3]);
  }

  /** Return the number of choices left when a seat undoes its last one; -1 if it has none, or if something random happened since. */
  back(seat) {
    const at = this.made.findLastIndex((one) => one.seat === seat);
    return at >= 0 && this.made[at].draws === this.draws ? at : -1;
  }

  /** Search a choice for the acting player: try each by random playouts, better ones more often, for this long. */
  think(milliseconds) {
    const number = this.values.length;
    if (number < 2) return 0;
    const { seat } = this;
    const until = performance.now() + milliseconds;
    const limit = BigInt(this.given.worth ? SHORT : LONG);
    const sums = new Array(number).fill(0);
    const times = new Array(number).fill(0);
    try {
      for (let all = 0; all < number || performance.now() < until; all++) {
        const index = all < number ? all : best(sums, times, all);
        const length = this.exports.sample_rollouts(BigInt(index), 1n, limit);
        if (!length) return Math.floor(Math.random() * number);
        sums[index] += JSON.parse(new TextDecoder().decode(this.read(length)))[seat] / (2 * this.given.players);
        times[index]++;
      }
      this.unlock();
    } catch {
      this.again(this.choices); // a trap leaves everything as it is at the moment
      return Math.floor(Math.random() * number);
    }
    const most = Math.max(...times);
    return times.indexOf(most);
  }

  /** Return the bytes that the module wrote to the top of its heap. */
  read(length) {
    const { buffer } = this.exports.memory;
    const at = Number(new DataView(buffer).getBigInt64(this.given.memory.HEAP, true));
    return new Uint8Array(buffer.slice(at, at + Number(length)));
  }

  look() {
    const text = (bytes) => new TextDecoder().decode(bytes);
    const offered = this.exports.write_options();
    this.values = offered ? JSON.parse(text(this.read(offered))) : null;
    this.bytes = this.read(this.exports.write_state());
    this.state = JSON.parse(text(this.bytes));
  }

  get over() {
    return this.values === null;
  }

  /** A hash of the whole state, as the server makes it. */
  async digest() {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", this.bytes));
    return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }

  get seat() {
    return this.over ? -1 : this.state[0].at(-1)[1];
  }

  get question() {
    return this.given.questions[this.state[0].at(-1)[0]];
  }

  /**
   * The options as a table has them: with labels and the places that they name.
   * @returns {import("./shapes").Option[]}
   */
  get options() {
    const found = (this.values || []).map((value, index) => option(this.given, this.question, value, index));
    const alike = new Set(found.map((one) => one.words)).size < found.length;
    return alike ? found.map((one) => ({ ...one, words: one.label })) : found;
  }

  /**
   * The current scene: the package's tables map numbers of the state to what panels show.
   * @returns {import("./shapes").Scene}
   */
  get scene() {
    const { scene, looks } = this.given;
    const panels = structuredClone(scene.panels);
    for (const { slots, paths, looks: rows } of looks.groups) {
      const values = slots.map((slot) => Number(this.state[slot]));
      const row = rows["*"] || rows[values.join(",")];
      if (row) paths.forEach((path, n) => put(panels, path, rows["*"] ? FORMS[row[n]](values[0]) : looks.pool[row[n]]));
    }
    return { ...scene, panels, seat: this.seat };
  }

  /** The scores and winners at the end of the match. */
  get results() {
    const { measures, players } = this.given;
    const all = JSON.parse(new TextDecoder().decode(this.read(this.exports.write_measures())));
    const rows = [];
    while (all.length) rows.push(all.splice(0, players));
    const scores = measures.score ? rows.shift() : new Array(players).fill(0);
    const ties = rows.splice(0, measures.ties);
    const among = measures.among ? rows.shift() : null;
    const seats = scores.map((_, seat) => seat);
    const keys = seats.map((seat) => [among ? Number(Boolean(among[seat])) : 1, scores[seat], ...ties.map((row) => row[seat])]);
    const ahead = (one, other) => keys[one].findIndex((key, n) => key !== keys[other][n]);
    const beats = (one, other) => ahead(one, other) >= 0 && keys[one][ahead(one, other)] > keys[other][ahead(one, other)];
    const winners = measures.wins ? seats.filter((seat) => rows[0][seat]) : seats.filter((seat) => keys[seat][0] && !seats.some((other) => beats(other, seat)));
    return { winners, scores };
  }
}

/** The forms in which a scene shows a number. */
const FORMS = { number: (value) => value, marks: (value) => [{ text: String(value) }] };

function put(panels, path, value) {
  const last = path.at(-1);
  const there = path.slice(0, -1).reduce((at, key) => at[key], panels);
  if (value === undefined) delete there[last];
  else there[last] = value;
}

/** Return the choice to try next: one with good results so far, or one that was rarely tried. */
function best(sums, times, all) {
  const worth = sums.map((sum, n) => sum / times[n] + 0.7 * Math.sqrt(Math.log(all) / times[n]));
  return worth.indexOf(Math.max(...worth));
}

/** Return an option: its words, and the places that it names. */
function option(given, question, value, index) {
  let [types, values, label] = [question.types, question.types.length > 1 ? value : [value], ""];
  if (question.kind === "menu" || question.kind === "repeat") {
    [label, types] = question.labels[value[0]];
    values = value.slice(1);
    if (!label && question.kind === "repeat") label = "again";
  }
  if (question.kind === "pause") return { index, label: question.labels[0]?.[0] || "go on", words: question.labels[0]?.[0] || "go on", anytime: false, at: [] };
  if (question.decline !== null && values.length && values.every((one) => one === -1)) return { index, label: question.decline, words: question.decline, anytime: false, at: [] };
  const names = values.map((one, n) => called(given.names, types[n], one));
  const text = [label, names.join(" -> ")].filter(Boolean).join(" ");
  const at = [...new Set(values.flatMap((one, n) => (one >= 0 && given.ids[types[n]]?.[one]) || []))];
  const said = values.map((one, n) => called(given.called, types[n], one) ?? names[n]);
  const parts = question.words[question.kind === "menu" ? value[0] : 0];
  const words = parts ? parts.map((part) => (typeof part === "number" ? said[part] : part)).join("") : [label, said.join(", ")].filter(Boolean).join(" ");
  return { index, label: text, words: words.split(/\s+/).filter(Boolean).join(" "), anytime: false, at };
}

function called(names, type, value) {
  if (type === "#") return String(value);
  if (type === "?") return value ? "yes" : "no";
  return value < 0 ? "none" : names[type]?.[value];
}
