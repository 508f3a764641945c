// The tree pane: a real tree for screen readers, flat in the document, each row with its level.
//
// What is shown is narrowed by one set of objects: those that match the search, the doubtful ones, or those of
// a preview. Their ancestors stay visible, dimmed, so that one sees where they belong.

import { element, find, unseen } from "./elements.js";
import { word } from "./words.js";

const list = find("#tree");
const filter = find("#filter");
const folded = new Set();
let headings = [];
let byObject = new Map(); // object -> heading
let rows = new Map(); // object -> row; a preview has rows of objects that are no headings
let children = new Map(); // object or null -> objects
let preview = null; // { changes: Map(object -> change) }
let onlyDoubtful = false;
let selected = null;
let cursor = null; // where arrow keys go on from while nothing is selected
let listener = { select() {}, move() {} };

export function listen(given) {
  listener = given;
}

export const current = () => selected;
export const heading = (object) => byObject.get(object);
export const all = () => headings;

export function show(shown, { keepFolds = true } = {}) {
  if (!keepFolds) folded.clear();
  const before = headings;
  headings = shown;
  byObject = new Map(headings.map((one) => [one.object, one]));
  if (selected !== null && !byObject.has(selected)) cursor = survivorAfter(selected, before);
  children = new Map([[null, []], ...headings.map((one) => [one.object, []])]);
  for (const one of headings) children.get(one.parent)?.push(one.object);
  draw();
}

// The next heading that is still there, or the last one.
function survivorAfter(object, before) {
  const after = before.slice(before.findIndex((one) => one.object === object) + 1);
  return (after.find((one) => byObject.has(one.object)) ?? headings.at(-1))?.object ?? null;
}

function draw() {
  const hadFocus = list.contains(document.activeElement);
  rows = new Map();
  for (const ghost of ghostsAfter(null)) rows.set(ghost.object, ghostRow(ghost, 1));
  for (const one of headings) {
    rows.set(one.object, headingRow(one));
    for (const ghost of ghostsAfter(one.object)) rows.set(ghost.object, ghostRow(ghost, one.level + 1));
  }
  list.replaceChildren(...rows.values());
  narrow();
  if (!rows.has(selected)) selected = null;
  makeTabbable(selected ?? cursor ?? headings[0]?.object ?? null);
  if (selected === null) return;
  rows.get(selected).setAttribute("aria-selected", "true");
  if (hadFocus) rows.get(selected).focus({ preventScroll: true });
}

// Objects that a preview would make headings, after the heading that they follow.
function ghostsAfter(object) {
  if (!preview) return [];
  return [...preview.changes.values()].filter((change) => change.after === object && !byObject.has(change.object));
}

function baseRow(object, level, title, label) {
  const row = element("li");
  row.setAttribute("role", "treeitem");
  row.setAttribute("aria-level", level);
  row.setAttribute("aria-selected", "false");
  row.tabIndex = -1;
  row.dataset.object = object;
  row.dataset.level = Math.min(level, 4);
  row.style.setProperty("--level", level - 1);
  const fold = element("span", "", "fold");
  fold.setAttribute("aria-hidden", "true");
  row.append(fold, element("span", title, "title"), element("span", "", "state"), element("span", label, "at"));
  return row;
}

function headingRow(one) {
  const row = baseRow(one.object, one.level, one.title, one.label);
  const siblings = children.get(one.parent);
  row.setAttribute("aria-setsize", siblings.length);
  row.setAttribute("aria-posinset", siblings.indexOf(one.object) + 1);
  if (children.get(one.object).length) row.setAttribute("aria-expanded", "true");
  row.classList.toggle("doubtful", one.doubtful);
  row.classList.toggle("fixed", one.fixed);
  const state = row.querySelector(".state");
  const change = preview?.changes.get(one.object);
  if (change) describe(row, change);
  else if (one.doubtful) sign(state, "?", word("doubtful"));
  else if (one.fixed) sign(state, "✓", word("fixed"));
  return row;
}

function ghostRow(change, level) {
  const row = baseRow(change.object, level, change.title, change.label);
  row.classList.add("ghost");
  describe(row, change);
  return row;
}

function sign(state, mark, meaning) {
  const shown = element("span", mark);
  shown.setAttribute("aria-hidden", "true");
  state.title = meaning;
  state.replaceChildren(shown, unseen(meaning));
}

// Says in a row what a previewed correction would make of it.
function describe(row, change) {
  row.classList.add("affected");
  row.querySelector(".state").textContent = `→ ${outcome(change)}`;
}

function outcome({ becomes }) {
  if (becomes === "text") return word("becomes_text");
  if (becomes === "heading") return word("becomes_heading");
  return word("becomes_level", becomes === null ? 1 : levelAfter(becomes) + 1);
}

// The level of a heading once the preview is applied: its parent may move as well.
function levelAfter(object) {
  const change = preview.changes.get(object);
  const parent = change && typeof change.becomes !== "string" ? change.becomes : byObject.get(object)?.parent ?? null;
  return parent === null ? 1 : levelAfter(parent) + 1;
}

// The objects that the search, the doubt filter or a preview asks for; null where all are shown.
function wanted() {
  if (preview) return new Set(preview.changes.keys());
  const text = filter.value.trim().toLowerCase();
  if (!text && !onlyDoubtful) return null;
  const found = headings.filter((one) => one.title.toLowerCase().includes(text) && (!onlyDoubtful || one.doubtful));
  return new Set(found.map((one) => one.object));
}

// Hides what lies below folded headings, or what is not asked for.
function narrow() {
  const asked = wanted();
  if (selected !== null) asked?.add(selected); // it stays until one goes on
  const context = new Set();
  for (const object of asked ?? []) {
    for (let above = byObject.get(object)?.parent; above != null; above = byObject.get(above).parent) context.add(above);
  }
  const hiddenBelow = new Set();
  for (const [object, row] of rows) {
    const isBelow = hiddenBelow.has(byObject.get(object)?.parent);
    if (isBelow || folded.has(object)) hiddenBelow.add(object);
    row.hidden = asked ? !asked.has(object) && !context.has(object) : isBelow;
    row.classList.toggle("context", Boolean(asked) && !asked.has(object));
    if (row.hasAttribute("aria-expanded")) row.setAttribute("aria-expanded", String(!folded.has(object)));
  }
  const note = find("#no-match");
  note.hidden = headings.length > 0 && asked?.size !== 0;
  note.textContent = word(!headings.length ? "no_headings" : onlyDoubtful && !filter.value ? "no_doubt_left" : "no_match");
}

export function setOnlyDoubtful(value) {
  onlyDoubtful = value;
  find("#only-doubtful").setAttribute("aria-pressed", String(value));
  narrow();
  revealSelected();
}

export const isOnlyDoubtful = () => onlyDoubtful;

// Shows what a correction would change elsewhere; null ends it.
export function setPreview(changes) {
  preview = changes && { changes: new Map(changes.map((change) => [change.object, change])) };
  list.classList.toggle("previewing", Boolean(preview));
  draw();
  revealSelected();
}

function revealSelected() {
  rows.get(selected)?.scrollIntoView({ block: "nearest" });
}

function makeTabbable(object) {
  for (const row of list.querySelectorAll('[tabindex="0"]')) row.tabIndex = -1;
  const row = rows.get(object);
  if (row) row.tabIndex = 0;
}

// Selects a heading; null takes the selection away.
export function select(object, { focus = false, tell = true } = {}) {
  for (const row of list.querySelectorAll('[aria-selected="true"]')) row.setAttribute("aria-selected", "false");
  if (selected !== null) cursor = selected;
  selected = rows.has(object) ? object : null;
  narrow();
  if (selected === null) return;
  unfold(selected);
  makeTabbable(selected);
  const row = rows.get(selected);
  row.setAttribute("aria-selected", "true");
  if (focus) row.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  if (tell) listener.select(byObject.get(selected) ?? preview.changes.get(selected));
}

function unfold(object) {
  let changed = false;
  for (let above = byObject.get(object)?.parent; above != null; above = byObject.get(above).parent) {
    changed = folded.delete(above) || changed;
  }
  if (changed) narrow();
}

// Marks the headings that moved along with a correction, for as long as one looks.
export function flash(objects) {
  for (const object of objects) {
    const row = rows.get(object);
    row?.classList.add("moved");
    setTimeout(() => row?.classList.remove("moved"), 4000);
  }
}

// Marks the rows whose corrections the server has not applied yet.
export function setPending(objects) {
  for (const [object, row] of rows) {
    const isPending = objects.has(object);
    if (row.classList.contains("pending") === isPending) continue;
    row.classList.toggle("pending", isPending);
    row.setAttribute("aria-busy", String(isPending));
    if (isPending) row.querySelector(".state").title = word("pending");
  }
}

function step(by) {
  const shown = [...rows.values()].filter((row) => !row.hidden && !row.classList.contains("context"));
  const isAt = (row) => Number(row.dataset.object) === (selected ?? cursor);
  const at = shown.findIndex(isAt) - (selected === null && by > 0 ? 1 : 0);
  const next = shown[Math.max(0, Math.min(shown.length - 1, at + by))];
  if (next) select(Number(next.dataset.object), { focus: true });
}

function setFolded(object, value) {
  if (value) folded.add(object);
  else folded.delete(object);
  narrow();
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
    const parent = byObject.get(selected)?.parent;
    if (below.length && !folded.has(selected)) setFolded(selected, true);
    else if (parent != null) select(parent, { focus: true });
  },
};

filter.addEventListener("input", narrow);
list.addEventListener("focusin", (event) => {
  if (selected === null && event.target.dataset.object) select(Number(event.target.dataset.object));
});
list.addEventListener("click", (event) => {
  const row = event.target.closest("[role=treeitem]");
  if (!row) return;
  const object = Number(row.dataset.object);
  if (event.target.classList.contains("fold")) setFolded(object, !folded.has(object));
  else select(object, { focus: true });
});

// A heading is dragged onto its new parent with a mouse or a pen; a finger scrolls.
let drag = null;
list.addEventListener("pointerdown", (event) => {
  const row = event.target.closest("[role=treeitem]");
  if (row && event.button === 0 && event.pointerType !== "touch") drag = { row, x: event.clientX, y: event.clientY, far: false };
});
addEventListener("pointermove", (event) => {
  if (!drag) return;
  drag.far ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6;
  if (!drag.far) return;
  document.body.classList.add("dragging");
  list.querySelector(".target")?.classList.remove("target");
  rowAt(event)?.classList.add("target");
});
addEventListener("pointerup", (event) => {
  const dragged = drag;
  drag = null;
  document.body.classList.remove("dragging");
  list.querySelector(".target")?.classList.remove("target");
  if (!dragged?.far) return;
  const under = rowAt(event);
  const object = Number(dragged.row.dataset.object);
  const bounds = list.getBoundingClientRect();
  const isAboveAll = !under && event.clientX < bounds.right && event.clientY < bounds.top;
  if (under && under !== dragged.row) listener.move(object, Number(under.dataset.object));
  else if (isAboveAll) listener.move(object, null);
});

function rowAt(event) {
  return document.elementFromPoint(event.clientX, event.clientY)?.closest("#tree [role=treeitem]");
}
