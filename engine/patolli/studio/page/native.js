// A match that is played in the page, by the rules as WebAssembly. Chance and digests are those of the server.

async function streamKey(seed, stream) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${seed}/${stream}`));
  return new DataView(hash).getBigUint64(0);
}

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
    const memory = given.memory;
    const view = () => new DataView(match.exports.memory.buffer);
    const missing = given.floor + 65536 - match.exports.memory.buffer.byteLength;
    if (missing > 0) match.exports.memory.grow(Math.ceil(missing / 65536));
    for (const [place, value] of [[memory.FLOOR, given.floor], [memory.HELD, 0], [memory.WHOLE, given.whole], [memory.TOP, match.exports.memory.buffer.byteLength]]) {
      view().setBigInt64(place, BigInt(value), true);
    }
    for (const [name, text] of Object.entries(given.streams)) view().setBigUint64(memory.KEYS + 8 * text, await streamKey(seed, name), true);
    match.exports.opened(BigInt(seed));
    match.look();
    return match;
  }

  answer(index) {
    this.exports.answered(BigInt(index));
    this.choices.push(index);
    this.look();
  }

  /** What was written behind everything, as bytes. */
  read(length) {
    const { buffer } = this.exports.memory;
    const at = Number(new DataView(buffer).getBigInt64(this.given.memory.HEAP, true));
    return new Uint8Array(buffer.slice(at, at + Number(length)));
  }

  look() {
    const text = (bytes) => new TextDecoder().decode(bytes);
    const offered = this.exports.listed();
    this.values = offered ? JSON.parse(text(this.read(offered))) : null;
    this.bytes = this.read(this.exports.told());
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
   * The options as the table has them: label, and the places that they name.
   * @returns {import("./shapes").Option[]}
   */
  get options() {
    return (this.values || []).map((value, index) => option(this.given, this.question, value, index));
  }

  /**
   * The scene as it is now: of each board the cells with what stands in them.
   * @returns {import("./shapes").Scene}
   */
  get scene() {
    const { scene, boards } = this.given;
    const panels = scene.panels.map((panel) => {
      const board = boards.find((one) => one.panel === panel.id);
      return { ...panel, boards: panel.boards.map((one) => ({ ...one, cells: one.cells.map((cell) => this.cell(board, cell)) })) };
    });
    return { ...scene, panels, seat: this.seat };
  }

  cell(board, cell) {
    const slot = board.slots[cell.id];
    if (slot === undefined) return cell;
    const mark = board.marks[this.state[slot]];
    const name = cell.id.slice(cell.id.indexOf(":") + 1);
    return { ...cell, marks: mark ? [mark] : [], says: `${name}, ${mark ? mark.says : "empty"}` };
  }
}

/** What an answer is called, and the places that it names. */
function option(given, question, value, index) {
  let [types, values, label] = [question.types, question.types.length > 1 ? value : [value], ""];
  if (question.kind === "menu" || question.kind === "repeat") {
    [label, types] = question.labels[value[0]];
    values = value.slice(1);
    if (!label && question.kind === "repeat") label = "again";
  }
  if (question.kind === "pause") return { index, label: question.labels[0]?.[0] || "go on", words: question.labels[0]?.[0] || "go on", anytime: false, at: [] };
  if (question.decline !== null && values.length && values.every((one) => one === -1)) return { index, label: question.decline, words: question.decline, anytime: false, at: [] };
  const names = values.map((one, n) => called(given, types[n], one));
  const text = [label, names.join(" -> ")].filter(Boolean).join(" ");
  const at = [...new Set(values.flatMap((one, n) => (one >= 0 && given.ids[types[n]]?.[one]) || []))];
  return { index, label: text, words: text, anytime: false, at };
}

function called(given, type, value) {
  if (type === "#") return String(value);
  if (type === "?") return value ? "yes" : "no";
  return value < 0 ? "none" : given.names[type][value];
}
