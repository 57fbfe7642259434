// What the page asks of the server. Every call says who asks by the token of the seat, which stands only in the
// fragment of the address, so it is never sent as part of one.

/** What is said when the server does not answer at all; `reached` is told to the window when it does again. */
export const UNREACHED = "The server cannot be reached.";
let gone = false;

function reached() {
  if (gone) dispatchEvent(new Event("reached"));
  gone = false;
}

/** What went wrong, in one sentence; `state` is what is the case where somebody was faster. */
export class Refused extends Error {
  constructor(status, data) {
    super(data.error || "The server does not answer as it should.");
    this.status = status;
    this.state = data.state;
  }
}

/**
 * Ask the server; the answer is read as JSON, or as text where `asText`.
 * @param {string} path
 * @param {import("./shapes").Wanted} wanted
 * @returns {Promise<any>}
 */
export async function ask(path, { token, body, method, asText } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method: method || (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    gone = true;
    throw new Refused(0, { error: UNREACHED });
  }
  reached();
  if (answer.ok && asText) return answer.text();
  let data = {};
  try {
    data = await answer.json();
  } catch {
    // what is no JSON says nothing
  }
  if (!answer.ok) throw new Refused(answer.status, data);
  return data;
}

/** Take what stands in front of a moment out of the fragment of the address. */
export function bare() {
  const at = location.hash.split("@")[1];
  history.replaceState(history.state, "", `${location.pathname}${location.search}${at === undefined ? "" : `#@${at}`}`);
}

/** A key of a move: the server does what has the same key only once. */
export function key() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
}

/**
 * Follow a table. `tell` gets every state, `lost` why none comes, with the status where the server has said so. Returns
 * what ends it.
 * It is read by `fetch`, since an EventSource cannot send the token.
 * @param {string} table
 * @param {string} token
 * @param {(state: import("./shapes").State) => void} tell
 * @param {(words: string, status?: number) => void} lost
 * @returns {() => void}
 */
export function follow(table, token, tell, lost) {
  const stop = new AbortController();
  let wait = 250;
  let one = new AbortController();
  const cut = () => one.abort(); // a stream whose line is gone may stay silent for long
  addEventListener("offline", cut);
  stop.signal.addEventListener("abort", () => {
    one.abort();
    removeEventListener("offline", cut);
  });
  (async () => {
    while (!stop.signal.aborted) {
      one = new AbortController();
      try {
        const answer = await fetch(`/api/tables/${encodeURIComponent(table)}/events`, {
          headers: { Authorization: `Bearer ${token}` },
          signal: one.signal,
        });
        if (!answer.ok) {
          const data = await answer.json().catch(() => ({}));
          lost(data.error || "The table cannot be read.", answer.status);
          if (answer.status < 500) return;
        } else {
          await read(answer.body.getReader(), (state) => {
            wait = 250;
            reached();
            lost("");
            tell(state);
          });
        }
      } catch {
        // cut off: try again below
      }
      if (stop.signal.aborted) return;
      lost("The connection is gone; trying again …");
      await new Promise((go) => {
        setTimeout(go, wait);
        addEventListener("online", go, { once: true });
      });
      wait = Math.min(wait * 2, 5000);
    }
  })();
  return () => stop.abort();
}

async function read(reader, tell) {
  const decoder = new TextDecoder();
  let left = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (left + decoder.decode(value, { stream: true })).split("\n\n");
    left = parts.pop();
    for (const part of parts) {
      const lines = part.split("\n").filter((line) => line.startsWith("data:"));
      if (lines.length) tell(JSON.parse(lines.map((line) => line.slice(5).trimStart()).join("\n")));
    }
  }
}

/**
 * Tokens of tables that were opened in this browser, so that an address without one still leads to the seat. Every tab
 * has its own, as two seats may be played in one browser; a new tab takes the one that was kept last.
 */
export const kept = {
  get(table) {
    try {
      return sessionStorage.getItem(`patolli ${table}`) || localStorage.getItem(`patolli ${table}`) || "";
    } catch {
      return "";
    }
  },
  here(table, token) {
    try {
      sessionStorage.setItem(`patolli ${table}`, token);
    } catch {
      // private windows keep nothing
    }
  },
  put(table, token) {
    kept.here(table, token);
    try {
      localStorage.setItem(`patolli ${table}`, token);
    } catch {
      // as above
    }
  },
  /** Forget a token that opens nothing; what was kept besides stays. */
  forget(table, token) {
    for (const store of ["sessionStorage", "localStorage"]) {
      try {
        if (window[store].getItem(`patolli ${table}`) === token) window[store].removeItem(`patolli ${table}`);
      } catch {
        // as above
      }
    }
  },
  /** Whether this browser has come to a table with some token before. */
  knows(table) {
    try {
      return Boolean(localStorage.getItem(`patolli ${table}`));
    } catch {
      return false;
    }
  },
};
