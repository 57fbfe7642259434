// Requests of the workbench about a table.
import { useEffect, useState } from "./preact.js";
import { ask } from "./net.js";

/**
 * Request a path each time it changes; drop late responses. With `keep`, return the old response until the new one arrives.
 * @param {string} path empty to request nothing
 * @param {string} token
 * @param {boolean} keep
 */
export function useTold(path, token, keep = false) {
  const [told, setTold] = useState(null);
  useEffect(() => {
    let live = true;
    if (!keep || !path) setTold(null);
    if (path) ask(path, { token }).then((data) => live && setTold(data), (error) => live && setTold({ error: error.message }));
    return () => {
      live = false;
    };
  }, [path]);
  return told;
}
