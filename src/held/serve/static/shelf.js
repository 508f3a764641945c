// The documents pane: what was given to the server, how far it is, and a place to drop more.

import * as api from "./api.js";
import * as asking from "./asking.js";
import { word } from "./words.js";

const list = document.querySelector("#jobs");
const drop = document.querySelector("#drop");
const teach = document.querySelector("#teach");
const model = document.querySelector("#model");
const jobs = new Map();
const items = new Map(); // the row of each job
const files = new Map(); // what was uploaded from here, by its job: a file that wants a password goes up again
const LOCKED = ["is encrypted", "the password is wrong"]; // the server's words
let opened = null;
let onOpen = () => {};
let onError = () => {};

export function listen({ open, error }) {
  onOpen = open;
  onError = error;
}

// Shows what the server has, which other tabs and programs may have changed.
export async function load() {
  const known = [...jobs.keys()]; // what is uploaded while the server answers is not in the answer
  const told = await api.jobs();
  const there = new Set(told.map((one) => one.id));
  for (const id of known) if (!there.has(id)) forget(id);
  for (const job of told.reverse()) put(job);
  draw();
}

export const job = (id) => jobs.get(id);

export function setOpened(id) {
  opened = id;
  draw();
}

export function put(told) {
  const isNew = !jobs.has(told.id);
  jobs.set(told.id, told);
  const isAtWork = told.status === "queued" || told.status === "running";
  if (isNew && isAtWork) api.follow(told.id, put);
  draw();
}

export function draw() {
  const all = [...jobs.values()].reverse();
  place(all.map(itemOf));
  const right = all.filter((one) => one.checked).length;
  teach.textContent = word("teach", right);
  teach.disabled = right === 0;
  offer(all.filter((one) => one.kind === "teach" && one.status === "done"));
}

// Puts the rows into their order. One that stands where it belongs is not touched: whoever is clicking it, or
// has come to it by the keyboard, is not disturbed by another document's progress.
function place(rows) {
  const wanted = new Set(rows);
  for (const row of [...list.children]) if (!wanted.has(row)) row.remove();
  rows.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
}

// Offers the models to read with; the same ones again leave the choice alone, which may be open.
function offer(models) {
  const choices = [["", word("base_model")], ...models.map((one) => [one.id, one.name])];
  model.closest("label").hidden = models.length === 0;
  if (JSON.stringify(choices) === model.dataset.choices) return;
  const chosen = model.value;
  model.replaceChildren(...choices.map(([value, text]) => new Option(text, value)));
  model.value = models.some((one) => one.id === chosen) ? chosen : "";
  model.dataset.choices = JSON.stringify(choices);
}

// A document's row, the same one as long as the document is there.
function itemOf(one) {
  if (!items.has(one.id)) items.set(one.id, newItem(one.id));
  const item = items.get(one.id);
  const [open, remove] = item.children;
  open.className = `job ${one.status}`;
  open.disabled = one.kind === "teach" || !["done", "partial"].includes(one.status);
  if (one.id === opened) open.setAttribute("aria-current", "true");
  else open.removeAttribute("aria-current");
  open.querySelector("strong").textContent = `${one.name}${one.checked ? " ✓" : ""}`;
  open.querySelector("small").textContent = stateOf(one);
  remove.setAttribute("aria-label", word("remove", one.name));
  have(item, ".unlock", isLockedHere(one), () => unlock(one));
  have(item, "progress", Boolean(one.progress?.total), () => document.createElement("progress"));
  fill(item.querySelector("progress"), one.progress);
  return item;
}

function newItem(id) {
  const item = document.createElement("li");
  const open = document.createElement("button");
  open.dataset.id = id;
  open.append(document.createElement("strong"), document.createElement("small"));
  open.addEventListener("click", () => onOpen(id));
  const remove = document.createElement("button");
  remove.className = "remove";
  remove.textContent = "×";
  remove.addEventListener("click", () => removed(id));
  item.append(open, remove);
  return item;
}

// Sees to it that a row has a part, or has it no longer.
function have(item, selector, wanted, make) {
  const there = item.querySelector(selector);
  if (wanted && !there) item.append(make());
  if (!wanted && there) there.remove();
}

const isLockedHere = (one) => one.status === "failed" && LOCKED.includes(one.reason) && files.has(one.id);

function unlock(one) {
  const made = document.createElement("button");
  made.className = "unlock";
  made.textContent = word("unlock");
  made.addEventListener("click", async () => {
    const password = await asking.password(one.name);
    if (!password) return;
    if (await takeOne(files.get(one.id), password)) removed(one.id);
  });
  return made;
}

function stateOf(one) {
  if (one.status === "running" && one.progress) return word(one.progress.stage, one.progress.done, one.progress.total);
  if (one.kind === "teach" && one.status === "done") return one.notes.map((note) => note.message).join(" ");
  if (one.status === "failed") return word("failed", word(one.reason));
  return word(one.status, one.headings, one.pages);
}

function fill(bar, progress) {
  if (!bar) return;
  bar.max = progress.total;
  bar.value = progress.done;
  bar.setAttribute("aria-label", `${progress.done} / ${progress.total}`);
}

function forget(id) {
  for (const known of [jobs, items, files]) known.delete(id);
}

async function removed(id) {
  try {
    await api.remove(id);
    forget(id);
    draw();
  } catch (error) {
    onError(error);
  }
}

async function take(given) {
  const pdfs = given.filter((file) => file.name.toLowerCase().endsWith(".pdf"));
  if (given.length && !pdfs.length) onError(new api.Refusal(415, word("no_pdf")));
  for (const file of pdfs) await takeOne(file);
}

// Whether the server has taken a file.
async function takeOne(file, password) {
  try {
    const told = await api.upload(file, { model: model.value, password });
    files.set(told.id, file);
    put(told);
    return true;
  } catch (error) {
    onError(error);
    return false;
  }
}

// The files of what was dropped, those in folders too.
async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files];
  return (await Promise.all(entries.map(filesIn))).flat();
}

async function filesIn(entry) {
  if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return (await Promise.all(found.map(filesIn))).flat();
    found.push(...some);
  }
}

teach.addEventListener("click", async () => {
  try {
    put(await api.teach());
  } catch (error) {
    onError(error);
  }
});
for (const input of document.querySelectorAll("#files, #folder")) {
  input.addEventListener("change", () => take([...input.files]).then(() => { input.value = ""; }));
}
addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return; // a heading
  event.preventDefault();
  drop.classList.add("over");
});
addEventListener("dragleave", () => drop.classList.remove("over"));
addEventListener("drop", async (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  drop.classList.remove("over");
  take(await dropped(event.dataTransfer));
});
