// The Export menu: every format with what it is good for.

import * as api from "./api.js";
import { element, find } from "./elements.js";
import { word } from "./words.js";

const button = find("#export");
const menu = find("#export-menu");
const GROUPS = [
  ["exports_read", ["pdf", "markdown", "html", "docx", "epub"]],
  ["exports_use", ["json", "chunks", "outline", "tree", "labelled"]],
];
let formats = [];
let listener = { document() {} };

export function listen(given) {
  listener = given;
}

export function setFormats(names) {
  formats = names;
  draw();
}

export function draw() {
  const known = new Set(GROUPS.flatMap(([, names]) => names));
  const groups = GROUPS.map(([title, names]) => [title, names.filter((name) => formats.includes(name))]);
  groups.at(-1)[1].push(...formats.filter((name) => !known.has(name)));
  menu.replaceChildren(...groups.map(groupOf));
}

function groupOf([title, names]) {
  const group = element("div");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", word(title));
  const heading = element("p", word(title));
  heading.setAttribute("aria-hidden", "true");
  group.append(heading, ...names.map(itemOf));
  return group;
}

function itemOf(name) {
  const item = element("button");
  const why = word(`format_${name}_why`);
  item.setAttribute("role", "menuitem");
  item.tabIndex = -1;
  item.dataset.format = name;
  item.append(element("strong", word(`format_${name}`).replace(`format_${name}`, name)));
  if (!why.startsWith("format_")) item.append(element("small", why));
  item.addEventListener("click", () => {
    close();
    location.href = api.result(listener.document().id, name);
  });
  return item;
}

function open() {
  menu.hidden = false;
  button.setAttribute("aria-expanded", "true");
  menu.querySelector("[role=menuitem]").focus();
}

export function close() {
  if (menu.hidden) return;
  const hadFocus = menu.contains(document.activeElement);
  menu.hidden = true;
  button.setAttribute("aria-expanded", "false");
  if (hadFocus) button.focus();
}

button.addEventListener("click", () => (menu.hidden ? open() : close()));
addEventListener("pointerdown", (event) => {
  if (!event.target.closest(".menu")) close();
});
menu.addEventListener("keydown", (event) => {
  const items = [...menu.querySelectorAll("[role=menuitem]")];
  const at = items.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
  if (event.key === "Escape" || event.key === "Tab") close();
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  items[(to + items.length) % items.length].focus();
});
