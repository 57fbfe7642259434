// Keyboard control: the arrow keys move within a board or list; one place of each is in the tab order.

const PLACES = "[data-place], [data-about]";
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Put one place of each board and list into the tab order: the focused one, or the first that can be selected. */
export function settle(root) {
  for (const group of root.querySelectorAll("[data-rove]")) {
    const all = [...group.querySelectorAll(PLACES)];
    const now = all.find((one) => one === document.activeElement) || group.querySelector(".can[data-place], .can [data-place], .choice[data-place]") || all[0];
    for (const one of all) one.setAttribute("tabindex", one === now ? "0" : "-1");
  }
}

/** Return the nearest place in a direction. */
function nearest(from, all, [dx, dy]) {
  const box = from.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  let [best, least] = [null, Infinity];
  for (const one of all) {
    if (one === from) continue;
    const other = one.getBoundingClientRect();
    const [ox, oy] = [other.left + other.width / 2 - x, other.top + other.height / 2 - y];
    const ahead = ox * dx + oy * dy;
    const aside = Math.abs(ox * dy) + Math.abs(oy * dx);
    if (ahead > 2 && ahead + 2.5 * aside < least) [best, least] = [one, ahead + 2.5 * aside];
  }
  return best;
}

/** Handle a key that was pressed on a place; return whether it was used. */
export function walk(event) {
  const place = event.target.closest?.(PLACES);
  const group = place?.closest("[data-rove]");
  if (!group || event.ctrlKey || event.altKey || event.metaKey) return false;
  if ((event.key === "Enter" || event.key === " ") && place.namespaceURI.endsWith("svg")) {
    place.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    return true;
  }
  const all = [...group.querySelectorAll(PLACES)];
  let next = null;
  if (KEYS[event.key]) next = nearest(place, all, KEYS[event.key]);
  else if (event.key === "Home") next = all[0];
  else if (event.key === "End") next = all[all.length - 1];
  else if (event.key === "PageDown" || event.key === "PageUp") {
    const open = all.filter((one) => one.matches(".can, .can *, .choice"));
    const at = open.indexOf(place);
    next = open[(at + (event.key === "PageDown" ? 1 : open.length - 1) + open.length) % (open.length || 1)];
  } else return false;
  if (next) {
    place.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  }
  return true;
}
