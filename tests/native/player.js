// What plays a module in a browser: the same as patolli.run.native.host, without any code of Python.
//
// given: {module: bytes in base 64, floor, streams: [name, ..], memory: {FLOOR, WHOLE, TOP}, whole}
// gives: for each seed [status, choices, [measure, ..], digest of the state]

async function streamKey(seed, stream) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${seed}/${stream}`));
  return new DataView(hash).getBigUint64(0);
}

async function hexDigest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function playAll(given, seeds, limit) {
  const code = Uint8Array.from(atob(given.module), (letter) => letter.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(code, {});
  const { memory, matches } = instance.exports;
  const words = [];
  for (const seed of seeds) {
    words.push(BigInt(seed));
    for (const stream of given.streams) words.push(await streamKey(seed, stream));
  }
  const floor = given.floor + 8 * words.length;
  const missing = floor - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  const view = new DataView(memory.buffer);
  const put = (at, value) => view.setBigInt64(at, BigInt(value), true);
  put(given.memory.FLOOR, floor);
  put(given.memory.WHOLE, given.whole);
  put(given.memory.TOP, memory.buffer.byteLength);
  words.forEach((word, number) => view.setBigUint64(given.floor + 8 * number, word, true));
  matches(BigInt(given.floor), BigInt(seeds.length), BigInt(limit));
  return told(memory.buffer, floor, seeds.length);
}

async function told(buffer, at, number) {
  const view = new DataView(buffer);
  const next = () => Number(view.getBigInt64((at += 8) - 8, true));
  const found = [];
  for (let match = 0; match < number; match += 1) {
    const [status, choices, count] = [next(), next(), next()];
    const measures = Array.from({ length: count }, next);
    const length = next();
    found.push([status, choices, measures, await hexDigest(new Uint8Array(buffer, at, length))]);
    at = Math.ceil((at + length) / 8) * 8;
  }
  return found;
}
