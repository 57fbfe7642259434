// The filters of a gallery run in the page. Without this script, the form asks the server.
const form = document.querySelector("form.filters");
const items = [...document.querySelectorAll(".cards > li")];
const count = document.getElementById("count");
const none = Object.assign(document.createElement("p"), { className: "none", textContent: "No card matches.", hidden: true });

/** @param {string} name */
const value = (name) => /** @type {HTMLInputElement | null} */ (form?.elements.namedItem(name))?.value ?? "";

function show() {
  const kind = value("kind"), pack = value("pack"), words = value("text").toLowerCase().split(/\s+/).filter(Boolean);
  const { length: all } = items;
  let shown = 0;
  for (const item of items) {
    const { kind: own = "", pack: packs = "", words: said = "" } = item.dataset;
    const fits = (!kind || own === kind) && (!pack || packs.split(" ").includes(pack)) && words.every((word) => said.includes(word));
    item.hidden = !fits;
    shown += Number(fits);
  }
  for (const part of document.querySelectorAll("main > section")) {
    const cards = [...part.querySelectorAll(".cards > li")];
    part.hidden = part.classList.contains("whole") ? shown < all : cards.every((card) => card.hidden);
    const number = part.querySelector("h2 small");
    if (number) number.textContent = ` ${cards.filter((card) => !card.hidden).length}`;
  }
  none.hidden = shown > 0;
  if (count) count.textContent = shown === all ? `${all} cards` : `${shown} of ${all} cards`;
}

if (form) {
  form.hidden = false;
  // A page that was filtered by the server has only some cards, so the form asks the server for others.
  const whole = !new URLSearchParams(location.search).has("kind") && !new URLSearchParams(location.search).has("text");
  if (whole) {
    form.querySelector("button")?.setAttribute("hidden", "");
    document.querySelector("main")?.append(none);
    form.addEventListener("input", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", () => document.querySelector(":target")?.closest("li")?.removeAttribute("hidden"));
    show();
  }
}
