// Find the places that changed between two scenes, and animate the things that moved.

/** Return all places of a scene with their visible content, as text. */
function seen(scene) {
  const found = new Map();
  const put = (id, thing) => found.set(id, JSON.stringify(thing));
  for (const panel of scene?.panels || []) {
    for (const board of panel.boards || []) {
      for (const cell of [...board.cells, ...(board.sides || []).filter((side) => side.marks.length)]) put(`${panel.id} ${cell.id}`, cell.marks || []);
      for (const tile of board.raised || []) put(`${panel.id} ${tile.id}`, tile.mark);
    }
    for (const box of [...(panel.boxes || []), ...(panel.columns || []).flat()]) {
      if (!box) continue;
      for (const line of box.lines) for (const mark of line.marks) if (mark.id) put(`${panel.id} ${box.id} ${mark.id}`, mark);
    }
    for (const line of panel.lines && panel.shows === "track" ? panel.lines : []) {
      line.markers.forEach((marker, n) => put(`${panel.id} ${line.title} ${marker.mark.id || n}`, marker.step));
    }
    for (const row of panel.rows && panel.shows === "table" ? panel.rows : []) {
      row.values.forEach((value, n) => put(`${panel.id} ${row.id} ${row.title} ${n}`, value));
    }
    for (const item of (panel.groups || []).flatMap((group) => group.items)) {
      if (item) put(`${panel.id} ${item.mark.id}`, [item.mark, item.number]);
    }
    if (panel.shows === "goods") for (const item of panel.items) put(`${panel.id} ${item.id}`, item.marks);
  }
  return found;
}

/**
 * Return the places that look different than before, each with the id of its panel in front.
 * @param {import("./shapes").Scene | null} before
 * @param {import("./shapes").Scene} now
 * @returns {Set<string>}
 */
export function changed(before, now) {
  if (!before) return new Set();
  const was = seen(before);
  const found = new Set();
  const same = before.seat === now.seat; // another seat has things before it that are not new
  for (const [id, thing] of seen(now)) if (was.get(id) !== thing && (same || was.has(id))) found.add(id);
  return found;
}

/** Return the positions on the screen of all things with an id. */
export function standing(root) {
  const found = new Map();
  for (const element of root.querySelectorAll("[data-thing]")) {
    const box = element.getBoundingClientRect();
    found.set(element.dataset.thing, [box.left + scrollX, box.top + scrollY]);
  }
  return found;
}

/** Animate all things that have moved, from their old to their new position. */
export function glide(root, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const element of root.querySelectorAll("[data-thing]")) {
    const was = before.get(element.dataset.thing);
    if (!was || !element.animate) continue;
    const box = element.getBoundingClientRect();
    const [x, y] = [was[0] - box.left - scrollX, was[1] - box.top - scrollY];
    if (Math.abs(x) + Math.abs(y) < 4) continue;
    const scale = element.ownerSVGElement ? element.ownerSVGElement.viewBox.baseVal.width / element.ownerSVGElement.clientWidth : 1;
    element.animate(
      [{ translate: `${x * scale}px ${y * scale}px` }, { translate: "0 0" }],
      { duration: 320, easing: "ease-out" },
    );
  }
}
