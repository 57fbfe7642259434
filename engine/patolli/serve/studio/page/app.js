// The entry point of the page: choose the view from the address.
import { html, render } from "./preact.js";
import { Lab } from "./lab.js";
import { bare, kept } from "./net.js";
import { Offline } from "./offline.js";
import { Start } from "./start.js";
import { Table } from "./table.js";

const root = document.getElementById("page");

/** Remove a stored token from the address, so that a copied address does not contain it. */
function hide(name, token) {
  if (token && kept.get(name) === token) bare();
}

function show() {
  const [token, at] = decodeURIComponent(location.hash.slice(1)).split("@");
  const table = /^\/t\/([^/]+)/.exec(location.pathname)?.[1];
  if (table) {
    const mine = token || kept.get(table);
    render(html`<${Table} key=${`${table} ${mine}`} table=${table} token=${mine} at=${at === undefined ? null : Number(at)} />`, root);
  } else if (location.pathname === "/lab") {
    if (token) kept.put("owner", token);
    render(html`<${Lab} token=${token || kept.get("owner")} />`, root);
  } else if (location.pathname.startsWith("/offline/")) {
    const pack = decodeURIComponent(location.pathname.slice("/offline/".length));
    const players = Number(new URLSearchParams(location.search).get("players")) || 2;
    render(html`<${Offline} pack=${pack} players=${players} token=${token || kept.get("owner")} />`, root);
  } else {
    const asked = new URLSearchParams(location.search);
    const wanted = { pack: asked.get("pack"), modules: (asked.get("modules") || "").split(",").filter(Boolean) };
    if (token) kept.put("owner", token);
    hide("owner", token);
    render(html`<${Start} token=${token || kept.get("owner")} wanted=${wanted} />`, root);
  }
}

root.textContent = "";
addEventListener("hashchange", show);
show();
