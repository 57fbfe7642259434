// Turn clicks into a choice: find the options that name the selected places. No rule of a game is known here.

/**
 * Return the options that match the selected places.
 * @param {import("./shapes").Option[]} options
 * @param {string[]} picked
 */
export function left(options, picked) {
  if (!picked.length) return options;
  const [first, ...rest] = picked;
  const begun = options.filter((option) => option.at[0] === first);
  const named = begun.length ? begun : options.filter((option) => option.at.includes(first));
  return named.filter((option) => rest.every((id) => option.at.includes(id)));
}

/**
 * Return the places that can be selected next: those in which the matching options differ.
 * @param {import("./shapes").Option[]} options
 * @param {string[]} picked
 * @returns {Set<string>}
 */
export function pointable(options, picked) {
  const found = left(options, picked);
  const all = new Set();
  for (const option of found) {
    for (const id of option.at) {
      const shared = found.length > 1 && found.every((other) => other.at.includes(id));
      if (!picked.includes(id) && !shared) all.add(id);
    }
  }
  return all;
}

/**
 * Return the options, each with only those of its places that the scene shows.
 * @param {import("./shapes").Option[]} options
 * @param {import("./shapes").Scene} scene
 * @returns {import("./shapes").Option[]}
 */
export function drawn(options, scene) {
  const text = JSON.stringify(scene.panels);
  const known = new Map();
  const shows = (id) => {
    if (!known.has(id)) known.set(id, text.includes(JSON.stringify(id)));
    return known.get(id);
  };
  /** @param {import("./shapes").Option} option */
  const drawable = ({ at, also }) => at.filter((id) => shows(id) || Object.entries(also || {}).some(([twin, other]) => other === id && shows(twin)));
  return options.map((option) => ({ ...option, at: drawable(option) }));
}

/**
 * Return the mark of each thing that a scene draws, by id.
 * @param {import("./shapes").Scene} scene
 * @returns {Map<string, import("./shapes").Mark>}
 */
export function marks(scene) {
  const found = new Map();
  const search = (part) => {
    if (!part || typeof part !== "object") return;
    const mark = part.ids && part.mark ? part.mark : part; // several things that look alike are drawn once
    const looks = mark.icon || mark.card || mark.picture || mark.tile || typeof mark.cells?.[0] === "string" || mark.piece;
    for (const id of mark === part ? [part.id] : part.ids) if (id && looks && !found.has(id)) found.set(id, mark);
    Object.values(part).forEach(search);
  };
  search(scene.panels);
  return found;
}

/**
 * Return the text of each thing whose panel shows one, by id.
 * @param {import("./shapes").Scene} scene
 * @returns {Map<string, string>}
 */
export function texts(scene) {
  const items = scene.panels.flatMap((panel) => [...(panel.items || []), ...(panel.groups || []).flatMap((group) => group.items)]);
  return new Map(items.flatMap((item) => {
    const text = item?.facts?.find((fact) => fact.fact === "text")?.marks.map((one) => one.text).join(" ");
    return text ? (item.ids || [item.mark.id]).map((id) => [id, text]) : [];
  }));
}

/**
 * Return the places that mean the same as a place that options name: a card in the hand, for its kind of card.
 * @param {import("./shapes").Option[]} options
 * @returns {Map<string, string>}
 */
export function twins(options) {
  return new Map(options.flatMap(({ also }) => Object.entries(also || {})));
}

/** Return a set of places with their twins. */
export function both(places, alike) {
  if (!alike.size) return places;
  return new Set([...places, ...[...alike].filter(([, id]) => places.has(id)).map(([twin]) => twin)]);
}

/** Whether the selection is enough for an option: it includes the destination, or one of many covered cells. */
const whole = ({ at }, picked) => at.length > 3 || picked.includes(at.at(-1));

/**
 * Add a place to the selection, and return the option when only one matches.
 * @param {import("./shapes").Option[]} options
 * @param {string[]} picked
 * @param {string} id
 * @returns {{picked: string[], option?: import("./shapes").Option}}
 */
export function point(options, picked, id) {
  if (picked.includes(id)) return { picked: picked.slice(0, picked.indexOf(id)) };
  let next = [...picked, id];
  let found = left(options, next);
  if (!found.length) {
    next = [id];
    found = left(options, next);
  }
  if (!found.length) return { picked };
  return found.length === 1 && whole(found[0], next) ? { picked: next, option: found[0] } : { picked: next };
}

/**
 * Return the selectable places to highlight. Without a selection, highlight the places with which options begin.
 * @param {import("./shapes").Option[]} options
 * @param {string[]} picked
 * @param {Set<string>} can
 * @returns {Set<string>}
 */
export function lead(options, picked, can) {
  if (picked.length) return can;
  const all = options.flatMap(({ at }) => at);
  if (new Set(all).size === all.length) {
    // Each place belongs to one option. Of many cells in a line, highlight only the far end.
    return options.some(({ at }) => at.length > 3) ? new Set(options.flatMap(({ at }) => at.slice(-1))) : can;
  }
  const shown = new Set();
  for (const { at } of options) for (const id of at.length > 3 ? at.slice(0, 1) : at.length > 1 ? at.slice(0, -1) : at) if (can.has(id)) shown.add(id);
  return shown.size ? shown : can;
}
