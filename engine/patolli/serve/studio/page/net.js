// Requests to the server. Each carries the token of the seat in a header. The address has the token only in its
// fragment, which browsers never send.

/** The message when the server does not respond. The window gets the event `reached` when it responds again. */
export const UNREACHED = "Cannot reach the server.";
let gone = false;
let failures = 0;

/** Note a response. A response to a request from before the last failure does not show that the line is back. */
function reached(before = failures) {
  if (before !== failures) return;
  if (gone) dispatchEvent(new Event("reached"));
  gone = false;
}

/** A refused request: one sentence why. If another client was faster, `state` is the current state. */
export class Refused extends Error {
  constructor(status, data) {
    super(data.error || "The server sent an unexpected response.");
    this.status = status;
    this.state = data.state;
  }
}

const BUSY = 503;
const AGAIN = [400, 1200]; // milliseconds until a busy server is asked again for something that changes nothing

/**
 * Send a request; parse the response as JSON, or return it as text if `asText`.
 * @param {string} path
 * @param {import("./shapes").Wanted} wanted
 * @returns {Promise<any>}
 */
export async function ask(path, { token, body, method, asText } = {}, tries = 0) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const before = failures;
  let answer;
  try {
    answer = await fetch(path, {
      method: method || (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    gone = true;
    failures += 1;
    throw new Refused(0, { error: UNREACHED });
  }
  reached(before);
  if (answer.status === BUSY && body === undefined && !method && tries < AGAIN.length) {
    await new Promise((go) => setTimeout(go, AGAIN[tries]));
    return ask(path, { token, asText }, tries + 1);
  }
  if (answer.ok && asText) return answer.text();
  let data = {};
  try {
    data = await answer.json();
  } catch {
    // a body that is not JSON is ignored
  }
  if (!answer.ok) throw new Refused(answer.status, data);
  return data;
}

/** Remove the token from the fragment of the address; keep the moment after `@`. */
export function bare() {
  const at = location.hash.split("@")[1];
  history.replaceState(history.state, "", `${location.pathname}${location.search}${at === undefined ? "" : `#@${at}`}`);
}

/** Return a key for a request. The server runs requests with the same key only once. */
export function key() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");
}

/**
 * Follow a table. `tell` gets each state, and `hear` each event of the chat. `lost` gets the reason if none arrives, with
 * the HTTP status if there is one.
 * Return a function that stops following.
 * This uses `fetch` because an EventSource cannot send the token.
 * @param {string} table
 * @param {string} token
 * @param {(state: import("./shapes").State) => void} tell
 * @param {(words: string, status?: number) => void} lost
 * @param {(chat: { room: string, after: number, lines: { seat: number, words: string }[] }) => void} hear
 * @returns {() => void}
 */
export function follow(table, token, tell, lost, hear) {
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
          lost(data.error || "Cannot read the table.", answer.status);
          if (answer.status < 500) return;
        } else {
          await read(answer.body.getReader(), (kind, data) => {
            wait = 250;
            reached();
            lost("");
            try {
              kind === "chat" ? hear(data) : tell(data);
            } catch (error) {
              reportError(error); // a fault of the page is no lost line, and to ask again would not mend it
            }
          });
        }
      } catch {
        // cut off: try again below
      }
      if (stop.signal.aborted) return;
      lost("Connection lost. Reconnecting …");
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
      const fields = (name) => part.split("\n").filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
      const data = fields("data");
      if (data.length) tell(fields("event")[0], JSON.parse(data.join("\n")));
    }
  }
}

/**
 * Tokens of tables that were opened in this browser, so that an address without a token still opens the seat. Each tab
 * has its own, because one browser may play two seats. A new tab uses the token that was stored last.
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
      // private windows store nothing
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
  /** Delete an invalid token; keep other tokens of the table. */
  forget(table, token) {
    for (const store of ["sessionStorage", "localStorage"]) {
      try {
        if (window[store].getItem(`patolli ${table}`) === token) window[store].removeItem(`patolli ${table}`);
      } catch {
        // as above
      }
    }
  },
  /** Whether this browser has opened the table before. */
  knows(table) {
    try {
      return Boolean(localStorage.getItem(`patolli ${table}`));
    } catch {
      return false;
    }
  },
};
