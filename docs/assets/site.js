// What scrolls sideways can be reached and scrolled by keyboard.
const reach = () => {
  for (const part of document.querySelectorAll(".md-typeset__scrollwrap")) part.tabIndex = 0;
};
new MutationObserver(reach).observe(document.documentElement, { childList: true, subtree: true });
window.addEventListener("load", reach);
