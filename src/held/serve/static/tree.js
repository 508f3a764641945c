// The tree pane: a real tree for screen readers, flat in the document, each item with its level.

import { word } from "./words.js";

const list = document.querySelector("#tree");
const folded = new Set();
let headings = [];
let items = new Map(); // object -> element
let children = new Map(); // object or null -> objects
let selected = null;
let onSelect = () => {};
let onMove = () => {};

export function listen({ select, move }) {
  onSelect = select;
  onMove = move;
}

export function show(shown, { keepFolds = true } = {}) {
  if (!keepFolds) folded.clear();
  headings = shown;
  children = new Map([[null, []], ...headings.map((h) => [h.object, []])]);
  for (const heading of headings) children.get(heading.parent)?.push(heading.object);
  items = new Map(headings.map((heading) => [heading.object, itemOf(heading)]));
  list.replaceChildren(...items.values());
  document.querySelector(".tree .empty").hidden = headings.length > 0;
  fold();
  if (!items.has(selected)) selected = null;
  mark(selected ?? headings[0]?.object ?? null, selected !== null);
}

function itemOf(heading) {
  const item = document.createElement("li");
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-level", heading.level);
  item.setAttribute("aria-selected", "false");
  const siblings = children.get(heading.parent);
  item.setAttribute("aria-setsize", siblings.length);
  item.setAttribute("aria-posinset", siblings.indexOf(heading.object) + 1);
  item.tabIndex = -1;
  item.dataset.object = heading.object;
  item.style.setProperty("--level", heading.level - 1);
  item.classList.toggle("doubtful", heading.doubtful);
  item.classList.toggle("fixed", heading.fixed);
  if (children.get(heading.object).length) item.setAttribute("aria-expanded", "true");
  const state = heading.doubtful ? word("doubtful") : heading.fixed ? word("fixed") : "";
  item.append(part("fold", ""), part("title", heading.title), part("state", state), part("at", heading.label));
  item.querySelector(".fold").setAttribute("aria-hidden", "true");
  return item;
}

function part(name, text) {
  const span = document.createElement("span");
  span.className = name;
  span.textContent = text;
  return span;
}

// Hides what lies below folded headings, and what the filter leaves out.
function fold() {
  const wanted = document.querySelector("#filter").value.trim().toLowerCase();
  const hiddenBelow = new Set();
  for (const heading of headings) {
    const isBelow = hiddenBelow.has(heading.parent);
    if (isBelow || folded.has(heading.object)) hiddenBelow.add(heading.object);
    const item = items.get(heading.object);
    item.hidden = wanted ? !heading.title.toLowerCase().includes(wanted) : isBelow;
    if (item.hasAttribute("aria-expanded")) item.setAttribute("aria-expanded", String(!folded.has(heading.object)));
  }
}

function mark(object, isSelected = true) {
  const before = list.querySelector('[tabindex="0"]');
  if (before) {
    before.tabIndex = -1;
    before.setAttribute("aria-selected", "false");
  }
  const item = items.get(object);
  if (!item) return;
  item.tabIndex = 0;
  item.setAttribute("aria-selected", String(isSelected));
}

export const current = () => selected;
export const heading = (object) => headings.find((h) => h.object === object);
export const all = () => headings;

// Selects a heading; null takes the selection away.
export function select(object, { focus = false, tell = true } = {}) {
  selected = items.has(object) ? object : null;
  for (const item of list.querySelectorAll('[aria-selected="true"]')) item.setAttribute("aria-selected", "false");
  if (selected === null) return;
  unfold(selected);
  mark(selected);
  const item = items.get(selected);
  if (focus) item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
  if (tell) onSelect(heading(selected));
}

function unfold(object) {
  let changed = false;
  for (let above = heading(object).parent; above !== null; above = heading(above).parent) changed = folded.delete(above) || changed;
  if (changed) fold();
}

// Marks the headings that moved along with a correction, for as long as one looks.
export function flash(objects) {
  for (const object of objects) {
    const item = items.get(object);
    item?.classList.add("moved");
    setTimeout(() => item?.classList.remove("moved"), 4000);
  }
}

function visible() {
  return [...list.children].filter((item) => !item.hidden);
}

function step(by) {
  const shown = visible();
  const at = shown.findIndex((item) => Number(item.dataset.object) === selected);
  const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
  if (next) select(Number(next.dataset.object), { focus: true });
}

function setFolded(object, value) {
  if (value) folded.add(object);
  else folded.delete(object);
  fold();
}

export const moves = {
  ArrowDown: () => step(1),
  ArrowUp: () => step(-1),
  Home: () => step(-Infinity),
  End: () => step(Infinity),
  ArrowRight: () => {
    const below = children.get(selected) ?? [];
    if (folded.has(selected)) setFolded(selected, false);
    else if (below.length) select(below[0], { focus: true });
  },
  ArrowLeft: () => {
    const below = children.get(selected) ?? [];
    const parent = heading(selected)?.parent;
    if (below.length && !folded.has(selected)) setFolded(selected, true);
    else if (parent !== null && parent !== undefined) select(parent, { focus: true });
  },
};

document.querySelector("#filter").addEventListener("input", fold);
list.addEventListener("focusin", (event) => {
  if (selected === null && event.target.dataset.object) select(Number(event.target.dataset.object));
});
list.addEventListener("click", (event) => {
  const item = event.target.closest("[role=treeitem]");
  if (!item) return;
  const object = Number(item.dataset.object);
  if (event.target.classList.contains("fold")) setFolded(object, !folded.has(object));
  else select(object, { focus: true });
});

// Dragging works with a mouse, a pen and a finger that rests for a moment.
let drag = null;
list.addEventListener("pointerdown", (event) => {
  const item = event.target.closest("[role=treeitem]");
  if (item && event.button === 0 && event.pointerType !== "touch") drag = { item, x: event.clientX, y: event.clientY, far: false };
});
addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.far ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6;
  if (!drag.far) return;
  document.body.classList.add("dragging");
  list.querySelector(".target")?.classList.remove("target");
  target(event)?.classList.add("target");
});
addEventListener("pointerup", (event) => {
  const dragged = drag;
  drag = null;
  document.body.classList.remove("dragging");
  list.querySelector(".target")?.classList.remove("target");
  if (!dragged?.far) return;
  const under = target(event);
  const isTop = !under && event.clientX < list.getBoundingClientRect().right && event.clientY < list.getBoundingClientRect().top;
  if (under && under !== dragged.item) onMove(Number(dragged.item.dataset.object), Number(under.dataset.object));
  else if (isTop) onMove(Number(dragged.item.dataset.object), null);
});

function target(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest("#tree [role=treeitem]");
}
