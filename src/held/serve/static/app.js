// The page as a whole: selecting in one pane moves the others, keys and buttons do the same things.

import * as api from "./api.js";
import * as asking from "./asking.js";
import * as details from "./details.js";
import * as sheet from "./sheet.js";
import * as shelf from "./shelf.js";
import * as tree from "./tree.js";
import { otherLanguage, translate, word } from "./words.js";

const find = (selector) => document.querySelector(selector);
let shown = null; // the document that is open
let formats = [];
let waiting = 0; // changes that are not made yet
let latest = Promise.resolve(); // the last of them

function say(...phrases) {
  find("#toast").textContent = phrases.filter(Boolean).join(" ");
}

function view(name) {
  document.body.dataset.view = name;
  for (const tab of document.querySelectorAll(".views button")) tab.setAttribute("aria-current", String(tab.dataset.view === name));
}

async function open(id, object) {
  try {
    shown = await api.open(id);
  } catch (error) {
    return tell(error);
  }
  details.setOffer(null);
  shelf.setOpened(id);
  sheet.open(shown);
  tree.show(shown.headings, { keepFolds: false });
  present();
  view("tree");
  const first = tree.heading(object) ?? shown.headings[0];
  if (first) tree.select(first.object);
  else await sheet.go(shown.first_page);
}

// Shows all that depends on the document but on no selection.
function present() {
  find("#name").textContent = shown.name;
  document.title = `${shown.name} – held`;
  const doubtful = shown.headings.filter((heading) => heading.doubtful).length;
  find("#count").textContent = word("headings_count", shown.headings.length, doubtful);
  find("#undo").disabled = !shown.can_undo;
  find("#redo").disabled = !shown.can_redo;
  find("#next").disabled = !shown.doubted.length;
  find("#checked").disabled = false;
  find("#checked").setAttribute("aria-pressed", String(shown.checked));
  find("#checked").textContent = word(shown.checked ? "checked" : "check");
  find("#export").disabled = false;
}

async function update(changed, object) {
  shown = changed;
  sheet.update(shown);
  tree.show(shown.headings);
  present();
  tree.flash(changed.moved ?? []);
  shelf.put({ ...shelf.job(shown.id), headings: shown.headings.length, checked: shown.checked });
  await sheet.go(sheet.page() ?? shown.first_page, { again: true });
  if (tree.heading(object)) tree.select(object, { focus: true });
  else showObject(object);
}

function showObject(object) {
  sheet.mark(object);
  if (sheet.object()) details.object(sheet.object());
  else details.nothing();
}

function movedAlong(moved) {
  if (!moved?.length) return "";
  return moved.length === 1 ? word("moved_one") : word("moved", moved.length);
}

function tell(error) {
  if (error.code === 409 && shown) {
    say(word("conflict"));
    return open(shown.id, tree.current());
  }
  return say(error.code === 0 ? word("lost") : error.message);
}

// One change after another: the next is made for the version that this one leaves.
function changing(change) {
  if (!shown) return latest;
  waiting += 1;
  latest = latest.then(change).catch((error) => {
    if (!(error instanceof api.Refusal)) throw error;
    return tell(error);
  }).finally(() => { waiting -= 1; });
  return latest;
}

function correct(correction) {
  return changing(async () => {
    const changed = await api.correct(shown.id, shown.version, correction);
    details.setOffer(changed.offer ? { correction: { ...correction, alike: true }, count: changed.offer } : null);
    await update(changed, correction.object);
    say(word(correction.alike ? "did_alike" : `did_${correction.op}`), movedAlong(changed.moved));
  });
}

// Takes the offer: the last correction is taken back and made to all of its look.
function acceptOffer() {
  const offer = details.offered();
  if (!offer) return;
  changing(async () => {
    const back = await api.undo(shown.id, shown.version);
    shown = back;
    const changed = await api.correct(shown.id, back.version, offer.correction);
    details.setOffer(null);
    await update(changed, offer.correction.object);
    say(word("did_alike"), movedAlong(changed.moved));
  });
}

function travel(way, phrase) {
  return changing(async () => {
    const changed = await way(shown.id, shown.version);
    details.setOffer(null);
    await update(changed, tree.current() ?? sheet.object()?.object ?? changed.moved[0]);
    say(word(phrase), movedAlong(changed.moved));
  });
}

function nextDoubtful() {
  if (!shown?.doubted.length) return say(word("no_doubt"));
  const at = shown.doubted.indexOf(tree.current());
  tree.select(shown.doubted[(at + 1) % shown.doubted.length], { focus: true });
}

function check() {
  return changing(async () => {
    const wanted = !shown.checked;
    await update({ ...(await api.check(shown.id, shown.version, wanted)), moved: [] }, tree.current());
    say(word(wanted ? "saved" : "unsaved"));
  });
}

// What is selected: a heading of the tree, or an object of the page that is none.
function target() {
  const marked = sheet.object();
  if (marked && !marked.heading) return marked.object;
  return tree.current();
}

const ACTIONS = {
  promote: () => correct({ op: "promote", object: tree.current() }),
  demote: () => correct({ op: "demote", object: tree.current() }),
  delete: () => correct({ op: "delete", object: tree.current() }),
  confirm: () => correct({ op: "confirm", object: tree.current() }),
  under: (parent) => correct({ op: "move", object: tree.current(), under: parent }),
  mark: () => correct({ op: "mark", object: target() }),
  join: () => correct({ op: "join", object: target() }),
  alike: () => acceptOffer(),
  async move() {
    const parent = await asking.parentOf(tree.heading(tree.current()));
    if (parent !== undefined) correct({ op: "move", object: tree.current(), under: parent });
  },
  async rename() {
    const title = await asking.title(tree.heading(tree.current()));
    if (title) correct({ op: "rename", object: tree.current(), text: title });
  },
  async split() {
    const object = target();
    const { text } = await api.object(shown.id, object);
    const at = await asking.splitAt(text);
    if (at) correct({ op: "split", object, at });
  },
};
const NEEDS_HEADING = new Set(["promote", "demote", "delete", "confirm", "under", "move", "rename"]);

function act(action, value) {
  if (!shown || target() === null) return;
  if (NEEDS_HEADING.has(action) && tree.current() === null) return;
  ACTIONS[action](value);
}

const KEYS = {
  j: tree.moves.ArrowDown, k: tree.moves.ArrowUp,
  "[": () => act("promote"), "]": () => act("demote"),
  m: () => act("move"), d: () => act("delete"), Delete: () => act("delete"), h: () => act("mark"),
  c: () => act("confirm"), r: () => act("rename"), F2: () => act("rename"), s: () => act("split"), a: () => act("alike"),
  n: nextDoubtful, z: () => travel(api.undo, "undone"), y: () => travel(api.redo, "redone"),
  "/": () => find("#filter").focus(), "?": help, PageUp: () => sheet.go(sheet.page() - 1), PageDown: () => sheet.go(sheet.page() + 1),
};
const SHIFTED = { ArrowLeft: () => act("promote"), ArrowRight: () => act("demote"), J: () => act("join") };
const HELP = [
  ["↑ ↓, J K", "key_move"], ["← →", "key_fold"], ["[ ]", "key_promote"], ["M", "key_under"], ["D", "key_delete"], ["H", "key_mark"],
  ["C", "key_confirm"], ["R", "key_rename"], ["Shift J", "key_join"], ["S", "key_split"], ["A", "key_all"], ["N", "key_next"],
  ["Z Y", "key_undo"], ["/", "key_find"], ["PageUp PageDown", "key_page"], ["?", "key_help"],
];

function help() {
  const rows = HELP.flatMap(([keys, phrase]) => {
    const term = document.createElement("dt");
    term.append(...keys.split(" ").map((key) => Object.assign(document.createElement("kbd"), { textContent: key.replace(",", "") })));
    const meaning = document.createElement("dd");
    meaning.textContent = word(phrase);
    return [term, meaning];
  });
  find("#keys").replaceChildren(...rows);
  find("#sheet-of-keys").showModal();
}

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog");
  if (isTyping) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isCommand && key !== "z" && key !== "y") return;
  let does = isCommand && key === "z" && event.shiftKey ? KEYS.y : KEYS[key];
  if (event.shiftKey && SHIFTED[event.key]) does = SHIFTED[event.key];
  else if (event.target.closest("#tree") && tree.moves[key]) does = tree.moves[key];
  if (!does) return;
  event.preventDefault();
  does();
});

function label() {
  translate();
  find("#language").textContent = word("language");
  const choices = [["", word("save_as")], ...formats.map((name) => [name, name])];
  find("#export").replaceChildren(...choices.map(([value, text]) => new Option(text, value)));
  shelf.draw();
  if (!shown) return details.nothing();
  present();
  sheet.open(shown);
  sheet.go(tree.heading(tree.current())?.page ?? shown.first_page);
  tree.show(shown.headings);
  if (tree.current() !== null) tree.select(tree.current());
}

tree.listen({
  async select(heading) {
    details.heading(heading);
    history.replaceState(null, "", `#${shown.id}/${heading.object}`);
    await sheet.go(heading.page);
    sheet.mark(heading.object);
  },
  move: (object, under) => correct({ op: "move", object, under }),
});
sheet.listen({
  select(object) {
    if (object.heading) return tree.select(object.object);
    tree.select(null);
    return details.object(object);
  },
});
details.listen({ act });
shelf.listen({ open, error: tell });

find("#undo").addEventListener("click", KEYS.z);
find("#redo").addEventListener("click", KEYS.y);
find("#next").addEventListener("click", nextDoubtful);
find("#checked").addEventListener("click", check);
find("#help").addEventListener("click", help);
find("#language").addEventListener("click", () => {
  otherLanguage();
  label();
});
find("#export").addEventListener("change", (event) => {
  if (event.target.value) location.href = api.result(shown.id, event.target.value);
  event.target.value = "";
});
for (const tab of document.querySelectorAll(".views button")) tab.addEventListener("click", () => view(tab.dataset.view));
addEventListener("focus", async () => {
  shelf.load().catch(() => {}); // what other tabs and programs have given to the server
  if (!shown || waiting) return;
  const now = await api.open(shown.id).catch(() => null);
  if (now && now.id === shown.id && now.version !== shown.version) await update(now, tree.current());
});

addEventListener("hashchange", openLinked);

async function start() {
  label();
  view("documents");
  try {
    formats = (await api.about()).formats;
    label();
    await shelf.load();
  } catch (error) {
    return tell(error);
  }
  return openLinked();
}

// Opens what the address names: a document, and perhaps one of its headings.
function openLinked() {
  const [id, object] = location.hash.slice(1).split("/");
  const wanted = shelf.job(id);
  if (!wanted) return;
  if (["done", "partial"].includes(wanted.status)) open(id, Number(object));
  else api.follow(id, (job) => { if (["done", "partial"].includes(job.status)) open(id); });
}

start();
