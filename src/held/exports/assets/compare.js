// Walks from fault to fault, marks what the chosen one dragged along, and hides what is right on request.
"use strict";
const links = [...document.querySelectorAll("nav ol a")];
const rows = [...document.querySelectorAll("tr[data-fault]")];
let chosen = -1;

function choose(number) {
  if (!links.length) return;
  chosen = (number + links.length) % links.length;
  document.body.classList.add("chosen");
  links.forEach((link, at) => at === chosen ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
  rows.forEach(row => row.classList.toggle("chosen", Number(row.dataset.fault) === chosen));
  links[chosen].scrollIntoView({ block: "nearest" });
  document.getElementById("f" + chosen)?.scrollIntoView({ block: "center" });
}

document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#f']");
  if (link) { event.preventDefault(); choose(Number(link.getAttribute("href").slice(2))); }
});
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "n") choose(chosen + 1);
  else if (event.key === "p") choose(chosen < 0 ? -1 : chosen - 1);
});
const only = document.getElementById("only");
only.addEventListener("click", () => only.setAttribute("aria-pressed", String(document.body.classList.toggle("only"))));
