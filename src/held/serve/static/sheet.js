// The page pane: the page as PDFium draws it, with the boxes of its objects over it.

import * as api from "./api.js";
import { word } from "./words.js";

const picture = document.querySelector("#picture");
const boxes = document.querySelector("#boxes");
const number = document.querySelector("#page-number");
const sheet = document.querySelector("#sheet");
const WIDTH = 1200; // pixels of a picture: sharp on a wide pane
let shown = null; // the document
let at = null; // its page
let objects = [];
let marked = null;
let onSelect = () => {};

export function listen({ select }) {
  onSelect = select;
}

export function open(document_) {
  shown = document_;
  at = null;
}

export const update = (document_) => {
  shown = document_;
};

const lastPage = () => shown.first_page + shown.pages.length - 1;
export const page = () => at;
export const object = () => objects.find((o) => o.object === marked) ?? null;

// Goes to a page; again where the document has changed.
export async function go(wanted, { again = false } = {}) {
  if (!shown) return;
  const to = Math.max(shown.first_page, Math.min(lastPage(), wanted));
  if (to === at && !again) return;
  const isOther = to !== at;
  at = to;
  const size = shown.pages[to - shown.first_page];
  number.value = size.label ?? to;
  document.querySelector("#page-count").textContent = word("of", to, lastPage());
  sheet.style.aspectRatio = `${size.width} / ${size.height}`;
  if (isOther) {
    // The boxes of the page before would be clicked for those of this one.
    objects = [];
    boxes.replaceChildren();
    picture.classList.add("old");
    picture.src = api.picture(shown.id, to, WIDTH);
    picture.alt = word("on_page", size.label ?? to);
    document.querySelector("#scroll").scrollTop = 0;
  }
  const found = await api.page(shown.id, to);
  if (to !== at) return;
  objects = found.objects;
  draw(size);
}

function draw(size) {
  const found = objects.flatMap((object) => object.boxes.map((box) => boxOf(object, box, size)));
  boxes.replaceChildren(...found);
  const kinds = new Set(objects.map((object) => (object.heading ? "heading" : object.kind)));
  document.querySelector("#legend").replaceChildren(...[...kinds].map(legend));
  mark(marked);
}

function boxOf(object, [x0, y0, x1, y1], size) {
  const box = document.createElement("button");
  const kind = object.heading ? "heading" : object.kind;
  box.className = `box ${kind}`;
  box.dataset.object = object.object;
  box.tabIndex = -1;
  box.setAttribute("aria-label", `${word(kind)}: ${object.text.slice(0, 80)}`);
  box.style.left = `${(100 * x0) / size.width}%`;
  box.style.top = `${(100 * y0) / size.height}%`;
  box.style.width = `${(100 * (x1 - x0)) / size.width}%`;
  box.style.height = `${(100 * (y1 - y0)) / size.height}%`;
  return box;
}

function legend(kind) {
  const item = document.createElement("li");
  item.className = kind;
  item.textContent = word(kind);
  return item;
}

// Marks the boxes of an object on the page that is shown.
export function mark(object) {
  marked = object;
  for (const box of boxes.querySelectorAll(".marked")) box.classList.remove("marked");
  const found = boxes.querySelectorAll(`[data-object="${object}"]`);
  for (const box of found) box.classList.add("marked");
  found[0]?.scrollIntoView({ block: "nearest" });
}

picture.addEventListener("load", () => picture.classList.remove("old"));
boxes.addEventListener("click", (event) => {
  const box = event.target.closest(".box");
  if (!box) return;
  mark(Number(box.dataset.object));
  onSelect(object());
});
document.querySelector("#previous-page").addEventListener("click", () => go(at - 1));
document.querySelector("#next-page").addEventListener("click", () => go(at + 1));
number.addEventListener("change", () => {
  const label = number.value.trim();
  const byLabel = shown?.pages.findIndex((size) => size.label === label) ?? -1;
  go(byLabel >= 0 ? byLabel + shown.first_page : Number.parseInt(label, 10) || at);
});
