// The documents pane: what was given to the server, how far it is, and where more are added.

import * as api from "./api.js";
import * as dialogs from "./dialogs.js";
import { element, find } from "./elements.js";
import { counted, word } from "./words.js";

const list = find("#jobs");
const teach = find("#teach");
const model = find("#model");
const jobs = new Map();
const items = new Map(); // the row of each job
const files = new Map(); // what was uploaded from here, by its job: a file that wants a password goes up again
const LOCKED = ["is encrypted", "the password is wrong"]; // the server's words
let opened = null;
let listener = { open() {}, changed() {}, removed() {}, error() {} };

export function listen(given) {
  listener = given;
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
export const isReadable = (one) => one?.kind !== "teach" && ["done", "partial"].includes(one?.status);

// The documents, newest first.
export const all = () => [...jobs.values()].reverse().filter((one) => one.kind !== "teach");

export function setOpened(id) {
  opened = id;
  draw();
}

const isAtWork = (one) => one.status === "queued" || one.status === "running";

export function put(told) {
  const before = jobs.get(told.id);
  const isNew = before === undefined;
  if (!isNew && isAtWork(told) && !isAtWork(before)) return; // an answer that was under way while it ended
  jobs.set(told.id, told);
  if (isNew && isAtWork(told)) api.follow(told.id, put);
  draw();
  listener.changed(told);
}

export function draw() {
  const all = [...jobs.values()].reverse();
  place(all.map(itemOf));
  const right = all.filter((one) => one.checked).length;
  teach.textContent = counted("teach", right);
  teach.disabled = right === 0;
  find(".teach").hidden = right === 0;
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
  open.disabled = one.kind === "teach";
  if (one.id === opened) open.setAttribute("aria-current", "true");
  else open.removeAttribute("aria-current");
  open.querySelector("strong").textContent = `${one.name}${one.checked ? " ✓" : ""}`;
  open.querySelector("small").textContent = stateOf(one);
  remove.setAttribute("aria-label", word("remove", one.name));
  have(item, "progress", Boolean(one.progress?.total), () => element("progress"));
  fill(item.querySelector("progress"), one.progress);
  return item;
}

function newItem(id) {
  const item = element("li");
  const open = element("button");
  open.dataset.id = id;
  open.append(element("strong"), element("small"));
  open.addEventListener("click", () => listener.open(id));
  const remove = element("button", "×", "remove");
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

// Whether a document failed for its password, and was uploaded from here.
export const isLocked = (one) => one.status === "failed" && LOCKED.includes(one.reason) && files.has(one.id);

export async function unlock(one) {
  const password = await dialogs.password(one.name);
  if (!password) return;
  const told = await takeOne(files.get(one.id), password);
  if (!told) return;
  removed(one.id);
  listener.open(told.id);
}

export function stateOf(one) {
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
    listener.removed(id);
  } catch (error) {
    listener.error(error);
  }
}

async function take(given) {
  const pdfs = given.filter((file) => file.name.toLowerCase().endsWith(".pdf"));
  if (given.length && !pdfs.length) listener.error(new api.Refusal(415, word("no_pdf")));
  let isFirst = true;
  for (const file of pdfs) {
    const told = await takeOne(file);
    // What was asked for last is what one wants to see.
    if (told && isFirst) listener.open(told.id);
    isFirst &&= !told;
  }
}

// The job of a file, null if the server did not take it.
async function takeOne(file, password) {
  try {
    const told = await api.upload(file, { model: model.value, password });
    files.set(told.id, file);
    put(told);
    return told;
  } catch (error) {
    listener.error(error);
    return null;
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
    listener.error(error);
  }
});
for (const input of [find("#files"), find("#folder")]) {
  input.addEventListener("change", () => take([...input.files]).then(() => { input.value = ""; }));
}
for (const button of document.querySelectorAll("[data-chooses]")) {
  button.addEventListener("click", () => find(`#${button.dataset.chooses}`).click());
}
find("#sample").addEventListener("click", async () => {
  try {
    const told = await api.sample();
    put(told);
    listener.open(told.id);
  } catch (error) {
    listener.error(error);
  }
});

// Files can be dropped anywhere; a dragged heading has no files.
const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
let inside = 0; // elements that the pointer has entered and not left
addEventListener("dragenter", (event) => { if (hasFiles(event)) setDropping(inside + 1); });
addEventListener("dragleave", (event) => { if (hasFiles(event)) setDropping(inside - 1); });
addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
addEventListener("drop", async (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  setDropping(0);
  take(await dropped(event.dataTransfer));
});

function setDropping(count) {
  inside = Math.max(0, count);
  document.body.classList.toggle("dropping", inside > 0);
}
