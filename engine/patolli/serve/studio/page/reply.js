// Requests of the workbench about a table.
import { useEffect, useState } from "./preact.js";
import { ask } from "./net.js";

/**
 * Request a path each time it changes; drop late responses. With `keep`, return the old response until the new one arrives.
 * @param {string} path empty to request nothing
 * @param {string} token
 * @param {boolean} keep
 */
export function useReply(path, token, keep = false) {
  const [reply, setReply] = useState(null);
  useEffect(() => {
    let live = true;
    if (!keep || !path) setReply(null);
    if (path) ask(path, { token }).then((data) => live && setReply(data), (error) => live && setReply({ error: error.message }));
    return () => {
      live = false;
    };
  }, [path]);
  return reply;
}
