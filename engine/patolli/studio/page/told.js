// What the workbench asks about a table.
import { useEffect, useState } from "./preact.js";
import { ask } from "./net.js";

/**
 * Ask for something each time a word changes; what comes too late is dropped. `keep` shows the old until the new is there.
 * @param {string} path nothing where nothing is asked for
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
