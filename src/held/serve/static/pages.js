// The page pane: all pages below each other as PDFium draws them, with the boxes of their objects over them.
//
// Pages near the window are loaded once one rests on them, the others stay empty sheets of the right size.

import * as api from "./api.js";
import { element, find } from "./elements.js";
import { word } from "./words.js";

const scroller = find("#scroll");
const sheets = find("#sheets");
const number = find("#page-number");
const MAX_LOADED = 12; // pages whose pictures stay in memory
const REST_MS = 90; // whoever scrolls past a page does not ask for it
const WIDTHS = [800, 1200, 1800, 2400]; // of pictures, in pixels
const POINTS_TO_PIXELS = 96 / 72;
const ZOOM_STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
let shown = null; // the document
let at = 0; // the page in the middle of the window
let loaded = new Map(); // page -> its objects, null while they are on their way; least recently seen first
let marked = null; // an object
let markedPage = null; // where it begins
let scale = null; // pixels per point on the screen; null: as wide as the pane
let listener = { select() {} };

export function listen(given) {
  listener = given;
}

export const page = () => at;
const lastPage = () => shown.first_page + shown.pages.length - 1;
const sizeOf = (wanted) => shown.pages[wanted - shown.first_page];
const sheetOf = (wanted) => sheets.children[wanted - shown.first_page];
const clamp = (wanted) => Math.max(shown.first_page, Math.min(lastPage(), wanted));

// The object that is marked, if its page is loaded.
export function object() {
  for (const objects of loaded.values()) {
    const found = objects?.find((one) => one.object === marked);
    if (found) return found;
  }
  return null;
}

export function open(opened) {
  shown = opened;
  loaded = new Map();
  marked = null;
  markedPage = null;
  observer.disconnect();
  sheets.replaceChildren(...shown.pages.map(emptySheet));
  scroller.scrollTop = 0;
  resize();
  for (const sheet of sheets.children) observer.observe(sheet);
  tellPage();
}

function emptySheet(size, index) {
  const sheet = element("div", "", "sheet");
  sheet.dataset.page = shown.first_page + index;
  sheet.dataset.label = size.label ?? shown.first_page + index;
  sheet.style.aspectRatio = `${size.width} / ${size.height}`;
  const picture = element("img");
  picture.alt = word("on_page", sheet.dataset.label);
  picture.addEventListener("load", () => sheet.classList.add("drawn"));
  sheet.append(picture, element("div", "", "boxes"));
  return sheet;
}

// Shows the document after a correction: its pictures are the same, its objects are asked for again.
export function update(changed) {
  shown = changed;
  const stale = [...loaded.keys()];
  loaded = new Map();
  for (const each of stale) if (isNear(each)) load(each);
}

const near = new Set();
const isNear = (wanted) => near.has(wanted);
const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const seen = Number(entry.target.dataset.page);
    if (!entry.isIntersecting) {
      near.delete(seen);
      continue;
    }
    near.add(seen);
    setTimeout(() => { if (isNear(seen) && entry.target.isConnected) load(seen); }, REST_MS);
  }
}, { root: scroller, rootMargin: "60% 0px" });

async function load(wanted) {
  const sheet = sheetOf(wanted);
  const picture = sheet.querySelector("img");
  const source = api.picture(shown.id, wanted, pictureWidth(sheet));
  if (picture.getAttribute("src") !== source) picture.src = source;
  if (loaded.has(wanted)) return;
  loaded.set(wanted, null);
  const { id, version } = shown;
  const found = await api.page(id, wanted).catch(() => null);
  if (shown.id !== id || shown.version !== version) return;
  if (!found) return loaded.delete(wanted);
  loaded.set(wanted, found.objects);
  drawBoxes(wanted);
  forgetFar();
}

function pictureWidth(sheet) {
  const wanted = sheet.clientWidth * devicePixelRatio;
  return WIDTHS.find((width) => width >= wanted) ?? WIDTHS.at(-1);
}

function forgetFar() {
  for (const each of loaded.keys()) {
    if (loaded.size <= MAX_LOADED) return;
    if (isNear(each)) continue;
    loaded.delete(each);
    const sheet = sheetOf(each);
    sheet.classList.remove("drawn");
    sheet.querySelector("img").removeAttribute("src");
    sheet.querySelector(".boxes").replaceChildren();
  }
}

function drawBoxes(wanted) {
  const size = sizeOf(wanted);
  const boxes = loaded.get(wanted).flatMap((one) => one.boxes.map((box) => boxOf(one, box, size)));
  sheetOf(wanted).querySelector(".boxes").replaceChildren(...boxes);
  drawLegend();
  const isMarkedHere = markBoxes();
  if (isMarkedHere && awaited === wanted) reveal();
}

function boxOf(one, [x0, y0, x1, y1], size) {
  const box = element("button");
  const kind = one.heading ? "heading" : one.kind;
  box.className = `box ${kind}`;
  box.dataset.object = one.object;
  box.tabIndex = -1;
  box.setAttribute("aria-label", `${word(kind)}: ${one.text.slice(0, 80)}`);
  box.title = word(kind);
  box.style.left = `${(100 * x0) / size.width}%`;
  box.style.top = `${(100 * y0) / size.height}%`;
  box.style.width = `${(100 * (x1 - x0)) / size.width}%`;
  box.style.height = `${(100 * (y1 - y0)) / size.height}%`;
  return box;
}

function drawLegend() {
  const kinds = new Set();
  for (const objects of loaded.values()) for (const one of objects ?? []) kinds.add(one.heading ? "heading" : one.kind);
  find("#legend").replaceChildren(...[...kinds].sort().map((kind) => element("li", word(kind), kind)));
}

let awaited = null; // the page of the marked object, until its box was brought into view

// Marks an object and brings it into view. It may span pages; `wanted` is where it begins.
export function mark(object, wanted) {
  marked = object;
  const isLoaded = markBoxes();
  if (wanted === undefined) return;
  markedPage = wanted;
  awaited = wanted;
  if (isLoaded) return reveal();
  scrollTo(wanted);
  load(wanted);
}

// Brings what is marked into view once the pane is shown, which has no size before.
export function revealMarked() {
  if (shown && markedPage !== null) mark(marked, markedPage);
}

function markBoxes() {
  for (const box of sheets.querySelectorAll(".marked")) box.classList.remove("marked");
  const found = sheets.querySelectorAll(`[data-object="${marked}"]`);
  for (const box of found) box.classList.add("marked");
  return found.length > 0;
}

// Scrolls no further than needed: a heading that is well in view leaves the page where it is.
function reveal() {
  awaited = null;
  const box = sheets.querySelector(".marked").getBoundingClientRect();
  const pane = scroller.getBoundingClientRect();
  const isInView = box.top > pane.top + pane.height * 0.08 && box.bottom < pane.bottom - pane.height * 0.2;
  if (!isInView) scroller.scrollTop += box.top - pane.top - pane.height * 0.25;
  if (box.left < pane.left || box.right > pane.right) scroller.scrollLeft += box.left - pane.left - 24;
}

function scrollTo(wanted) {
  scroller.scrollTop = sheetOf(wanted).offsetTop - sheets.offsetTop;
  tellPage();
}

export function go(wanted) {
  if (!shown) return;
  awaited = null;
  scrollTo(clamp(wanted));
}

// The page whose sheet crosses the upper part of the pane.
function tellPage() {
  if (!shown) return;
  const line = scroller.scrollTop + scroller.clientHeight * 0.35;
  const top = sheets.offsetTop;
  let low = 0;
  let high = sheets.children.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sheets.children[middle].offsetTop - top <= line) low = middle;
    else high = middle - 1;
  }
  at = shown.first_page + low;
  if (document.activeElement !== number) number.value = sizeOf(at).label ?? at;
  const isLabelled = (sizeOf(at).label ?? String(at)) !== String(at);
  find("#page-count").textContent = isLabelled ? word("at_of", at, lastPage()) : word("of", lastPage());
  tellZoom();
}

const widthInPixels = (size) => size.width * POINTS_TO_PIXELS;

function currentScale() {
  const sheet = sheetOf(at || shown.first_page);
  return sheet ? sheet.clientWidth / widthInPixels(sizeOf(at || shown.first_page)) : 1;
}

function tellZoom() {
  find("#zoom").textContent = `${Math.round(100 * currentScale())} %`;
  find("#fit").setAttribute("aria-pressed", String(scale === null));
}

// Gives the sheets their width. What stands in the middle of the pane stays there.
function resize() {
  const height = scroller.scrollHeight || 1;
  const middle = (scroller.scrollTop + scroller.clientHeight / 2) / height;
  sheets.classList.toggle("fitted", scale === null);
  [...sheets.children].forEach((sheet, index) => {
    sheet.style.width = scale === null ? "" : `${widthInPixels(shown.pages[index]) * scale}px`;
  });
  scroller.scrollTop = middle * scroller.scrollHeight - scroller.clientHeight / 2;
  tellPage();
  for (const each of near) load(each);
}

export function zoom(by) {
  if (!shown) return;
  const now = currentScale();
  const steps = by > 0 ? ZOOM_STEPS.filter((step) => step > now * 1.02) : ZOOM_STEPS.filter((step) => step < now * 0.98).reverse();
  scale = steps[0] ?? now;
  resize();
  if (sheets.querySelector(".marked")) reveal();
}

export function fit() {
  scale = null;
  if (shown) resize();
}

export function toggleObjects() {
  const isAll = scroller.classList.toggle("all-objects");
  find("#all-objects").setAttribute("aria-pressed", String(isAll));
  find("#legend").hidden = !isAll;
}

let isTelling = false;
scroller.addEventListener("scroll", () => {
  if (isTelling) return;
  isTelling = true;
  requestAnimationFrame(() => { isTelling = false; tellPage(); });
});
new ResizeObserver(() => { if (shown) tellPage(); }).observe(scroller);
sheets.addEventListener("click", (event) => {
  const box = event.target.closest(".box");
  if (!box) return;
  mark(Number(box.dataset.object));
  listener.select(object());
});
find("#previous-page").addEventListener("click", () => go(at - 1));
find("#next-page").addEventListener("click", () => go(at + 1));
find("#zoom-in").addEventListener("click", () => zoom(1));
find("#zoom-out").addEventListener("click", () => zoom(-1));
find("#fit").addEventListener("click", fit);
find("#all-objects").addEventListener("click", toggleObjects);
number.addEventListener("change", () => {
  if (!shown) return;
  const label = number.value.trim();
  const byLabel = shown.pages.findIndex((size) => size.label === label);
  go(byLabel >= 0 ? byLabel + shown.first_page : Number.parseInt(label, 10) || at);
  number.blur();
});
