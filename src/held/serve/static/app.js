// The page as a whole: selecting in one pane moves the others, keys and buttons do the same things.

import * as api from "./api.js";
import * as corrections from "./corrections.js";
import * as details from "./details.js";
import * as dialogs from "./dialogs.js";
import * as documents from "./documents.js";
import { find } from "./elements.js";
import * as exportMenu from "./export_menu.js";
import * as help from "./help.js";
import * as offer from "./offer.js";
import * as pages from "./pages.js";
import * as tree from "./tree.js";
import * as welcome from "./welcome.js";
import { counted, switchLanguage, translate, word } from "./words.js";

const TOAST_MS = 6000;
let shown = null; // the document that is open
let selectedText = null; // an object of the page that is selected and no heading
let toastTimer = 0;
let openings = 0; // how often a document was asked for: the last one is shown, whichever comes first

function say(...phrases) {
  find("#toast").textContent = phrases.filter(Boolean).join(" ");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { find("#toast").textContent = ""; }, TOAST_MS);
}

function view(name) {
  document.body.dataset.view = name;
  for (const tab of document.querySelectorAll(".views button")) tab.setAttribute("aria-current", String(tab.dataset.view === name));
  if (name === "page") pages.revealMarked();
}

function showDocuments(value, { remember = true } = {}) {
  document.body.classList.toggle("documents-open", value);
  find("#toggle-documents").setAttribute("aria-expanded", String(value));
  if (remember) localStorage.setItem("documents", value ? "open" : "closed");
}

const narrow = matchMedia("(max-width: 1100px)");
const isNarrow = () => narrow.matches;
const restoreDocuments = () => showDocuments(localStorage.getItem("documents") !== "closed" && !isNarrow(), { remember: false });
narrow.addEventListener("change", restoreDocuments);

async function open(id, object) {
  const job = documents.job(id);
  openings += 1;
  if (isNarrow()) showDocuments(false, { remember: false });
  if (job && !documents.isReadable(job)) {
    shown = null;
    documents.setOpened(id);
    welcome.awaitDocument(job);
    return present();
  }
  await corrections.settled();
  return load(id, object);
}

async function load(id, object) {
  const asked = openings;
  let opened;
  try {
    opened = await api.open(id);
  } catch (error) {
    tell(error);
    return;
  }
  if (asked !== openings) return;
  shown = opened;
  offer.set(null, null);
  documents.setOpened(id);
  welcome.leave();
  tree.setOnlyDoubtful(false);
  find("#filter").value = "";
  pages.open(shown);
  tree.show(shown.headings, { keepFolds: false });
  present();
  view("tree");
  const first = tree.heading(object) ?? shown.headings[0];
  if (first) {
    tree.select(first.object);
  } else {
    selectNothing();
    pages.go(shown.first_page);
  }
}

function selectNothing() {
  selectedText = null;
  tree.select(null);
  details.nothing();
  enableTools();
}

// Shows all that depends on the document but on no selection.
function present() {
  const isOpen = shown !== null;
  find("#name").textContent = shown?.name ?? documents.job(welcome.awaited())?.name ?? "";
  document.title = isOpen ? `${shown.name} – held` : "held";
  const doubtful = shown?.doubted.length ?? 0;
  find("#count").textContent = isOpen ? word("headings_count", shown.headings.length, doubtful) : "";
  find("#doubts").textContent = doubtful;
  find("#undo").disabled = !shown?.can_undo;
  find("#redo").disabled = !shown?.can_redo;
  find("#next").disabled = !doubtful;
  find("#checked").disabled = !isOpen;
  find("#checked").setAttribute("aria-pressed", String(Boolean(shown?.checked)));
  find("#checked span").textContent = word(shown?.checked ? "checked" : "check");
  find("#export").disabled = !isOpen;
  corrections.tell();
  enableTools();
}

// What is selected: a heading of the tree, or an object of the page that is none.
const target = () => selectedText ?? tree.current();

function selectText(object) {
  selectedText = object.object;
  tree.select(null);
  details.object(object);
  enableTools();
}

const NEEDS_HEADING = new Set(["confirm", "delete", "promote", "demote", "top", "move", "rename"]);
const IS_IDLE_AT_TOP = new Set(["promote", "top"]);

function enableTools() {
  const heading = tree.heading(tree.current());
  const object = shown ? target() : null;
  for (const button of document.querySelectorAll("#tools [data-action]")) {
    const { action } = button.dataset;
    const isIdle = IS_IDLE_AT_TOP.has(action) && heading?.level === 1;
    button.disabled = NEEDS_HEADING.has(action) ? !heading || isIdle : object === null;
  }
  const isText = !heading && object !== null;
  find("[data-action=mark]").hidden = !isText;
  find("[data-action=delete]").hidden = isText;
}

function movedAlong(moved) {
  return moved?.length ? counted("moved", moved.length) : "";
}

function tell(error) {
  if (error.code === 409 && shown) {
    say(word("conflict"));
    return load(shown.id, tree.current());
  }
  return say(error.code === 0 ? word("lost") : error.message);
}

corrections.listen({
  document: () => shown,
  refused: tell,
  async applied(changed, change) {
    const selected = tree.current();
    shown = changed;
    pages.update(shown);
    tree.show(shown.headings);
    present();
    tree.flash(changed.moved ?? []);
    documents.put({ ...documents.job(shown.id), headings: shown.headings.length, checked: shown.checked });
    // Whoever has gone on to another heading meanwhile stays there.
    const isStill = selected === null || selected === change.object || !tree.heading(selected);
    if (isStill && change.object !== null) showAgain(change.object);
    else if (tree.current() !== null) details.heading(tree.heading(tree.current()));
    change.applied(changed);
  },
});

function showAgain(object) {
  const heading = tree.heading(object);
  if (heading) return tree.select(object, { focus: isFocusFree() });
  selectedText = object; // keys work at once, whatever the server is asked for
  enableTools();
  return api.object(shown.id, object).then((found) => {
    if (tree.current() !== null) return;
    pages.mark(object, found.page);
    selectText(found);
  }, selectNothing);
}

// Whether the focus may be moved: nobody types anywhere.
const isFocusFree = () => !document.activeElement?.closest("input, textarea, select, dialog, #scroll, #export-menu");

function correct(correction) {
  if (offer.isShown()) offer.cancel();
  return corrections.add({
    object: correction.object,
    run: (document_) => api.correct(document_.id, document_.version, correction),
    applied(changed) {
      offer.set(correction, changed.alike);
      say(word(`did_${correction.op}`), movedAlong(changed.moved));
    },
  });
}

// Takes the offer: the last correction is taken back and made to all of its look.
offer.listen({
  accept(correction, count) {
    corrections.add({
      object: correction.object,
      async run(document_) {
        const back = await api.undo(document_.id, document_.version);
        return api.correct(document_.id, back.version, correction);
      },
      applied: (changed) => say(word("did_alike", count), movedAlong(changed.moved)),
    });
  },
});

function travel(way, phrase) {
  if (!shown) return;
  if (offer.isShown()) offer.cancel();
  corrections.add({
    object: tree.current(),
    run: (document_) => way(document_.id, document_.version),
    applied(changed) {
      offer.set(null, null);
      const [first] = changed.moved;
      if (first !== undefined && !changed.moved.includes(tree.current())) showAgain(first);
      say(word(phrase));
    },
  });
}

function nextDoubtful() {
  if (!shown) return undefined;
  const left = shown.doubted.filter((object) => !corrections.isPending(object));
  if (!left.length) return say(word("no_doubt"));
  return tree.select(left[(left.indexOf(tree.current()) + 1) % left.length], { focus: true });
}

function check() {
  corrections.add({
    object: null,
    async run(document_) {
      return { ...(await api.check(document_.id, document_.version, !document_.checked)), moved: [] };
    },
    applied: (changed) => say(word(changed.checked ? "kept" : "unkept")),
  });
}

const ACTIONS = {
  promote: () => correct({ op: "promote", object: tree.current() }),
  demote: () => correct({ op: "demote", object: tree.current() }),
  delete: () => correct({ op: "delete", object: tree.current() }),
  confirm: () => correct({ op: "confirm", object: tree.current() }),
  top: () => correct({ op: "move", object: tree.current(), under: null }),
  mark: () => correct({ op: "mark", object: target() }),
  join: () => correct({ op: "join", object: target() }),
  async move() {
    const object = tree.current();
    const parent = await dialogs.parentOf(tree.heading(object));
    if (parent !== undefined) correct({ op: "move", object, under: parent });
  },
  async rename() {
    const object = tree.current();
    const title = await dialogs.title(tree.heading(object));
    if (title) correct({ op: "rename", object, text: title });
  },
  async split() {
    const object = target();
    const { text } = await api.object(shown.id, object);
    const at = await dialogs.splitAt(text);
    if (at) correct({ op: "split", object, at });
  },
};

function act(action) {
  if (!shown || target() === null) return;
  if (NEEDS_HEADING.has(action) && !tree.heading(tree.current())) return;
  ACTIONS[action]();
}

const KEYS = {
  j: tree.moves.ArrowDown, k: tree.moves.ArrowUp,
  "[": () => act("promote"), "]": () => act("demote"), t: () => act("top"), m: () => act("move"),
  d: () => act("delete"), Delete: () => act("delete"), h: () => act("mark"), c: () => act("confirm"),
  r: () => act("rename"), F2: () => act("rename"), s: () => act("split"), a: offer.advance,
  n: nextDoubtful, f: () => tree.setOnlyDoubtful(!tree.isOnlyDoubtful()),
  z: () => travel(api.undo, "undone"), y: () => travel(api.redo, "redone"),
  "/": () => find("#filter").focus(), "?": help.show, b: toggleDocuments, o: pages.toggleObjects,
  PageUp: () => pages.go(pages.page() - 1), PageDown: () => pages.go(pages.page() + 1),
  "+": () => pages.zoom(1), "=": () => pages.zoom(1), "-": () => pages.zoom(-1), 0: pages.fit,
};
const SHIFTED = { ArrowLeft: () => act("promote"), ArrowRight: () => act("demote"), J: () => act("join") };
const PREVIEWING = { Enter: offer.advance, Escape: offer.cancel };

function toggleDocuments() {
  showDocuments(!document.body.classList.contains("documents-open"), { remember: !isNarrow() });
}

function handlerOf(event) {
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isCommand) return { z: event.shiftKey ? KEYS.y : KEYS.z, y: KEYS.y }[key];
  if (event.altKey) return undefined;
  if (offer.isShown() && PREVIEWING[key] && !event.target.closest("#offer")) return PREVIEWING[key];
  if (event.shiftKey && SHIFTED[event.key]) return SHIFTED[event.key];
  const isOnTree = event.target === document.body || event.target.closest("#tree");
  if (isOnTree && tree.moves[key]) return tree.moves[key];
  return KEYS[key];
}

addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, dialog, [role=menu]")) {
    if (event.key === "Escape" && !event.target.closest("dialog")) leaveField(event.target);
    return;
  }
  if (event.key === "Escape" && isNarrow()) showDocuments(false, { remember: false });
  const handle = handlerOf(event);
  if (!handle) return;
  event.preventDefault();
  handle();
});

// Escape empties the search, then gives the focus back to the tree.
function leaveField(field) {
  if (field.id === "filter" && field.value) {
    field.value = "";
    field.dispatchEvent(new Event("input"));
  }
  field.blur();
}

function label() {
  translate();
  find("#language").textContent = word("language");
  find("#language").lang = document.documentElement.lang === "en" ? "zh" : "en";
  exportMenu.draw();
  offer.draw();
  documents.draw();
  present();
  if (shown) {
    tree.show(shown.headings);
    if (tree.current() !== null) tree.select(tree.current());
    pages.update(shown);
  } else if (document.body.dataset.state === "empty") {
    welcome.invite();
  }
}

tree.listen({
  select(heading) {
    selectedText = null;
    if (tree.heading(heading.object)) {
      details.heading(heading);
      history.replaceState(null, "", `#${shown.id}/${heading.object}`);
    } else {
      details.object({ kind: "paragraph", text: heading.title });
    }
    pages.mark(heading.object, heading.page);
    enableTools();
  },
  move: (object, under) => correct({ op: "move", object, under }),
});
pages.listen({
  select(object) {
    if (object.heading) return tree.select(object.object);
    return selectText(object);
  },
});
details.listen({ under: (parent) => correct({ op: "move", object: tree.current(), under: parent }) });
exportMenu.listen({ document: () => shown });
documents.listen({
  open,
  error: tell,
  changed(job) {
    if (job.id !== welcome.awaited()) return;
    if (documents.isReadable(job)) open(job.id);
    else welcome.awaitDocument(job);
  },
  removed(id) {
    if (id !== shown?.id && id !== welcome.awaited()) return;
    shown = null;
    history.replaceState(null, "", "#");
    present();
    welcome.invite();
  },
});

find("#undo").addEventListener("click", KEYS.z);
find("#redo").addEventListener("click", KEYS.y);
find("#next").addEventListener("click", nextDoubtful);
find("#checked").addEventListener("click", check);
find("#help").addEventListener("click", help.show);
find("#only-doubtful").addEventListener("click", KEYS.f);
find("#toggle-documents").addEventListener("click", toggleDocuments);
find("#language").addEventListener("click", () => {
  switchLanguage();
  label();
});
for (const button of document.querySelectorAll("#tools [data-action]")) button.addEventListener("click", () => act(button.dataset.action));
for (const tab of document.querySelectorAll(".views button")) tab.addEventListener("click", () => view(tab.dataset.view));
find("main").addEventListener("click", (event) => {
  // Beside the drawer of a narrow window, a click closes it.
  if (isNarrow() && !event.target.closest("#documents")) showDocuments(false, { remember: false });
});
addEventListener("focus", async () => {
  documents.load().catch(() => {}); // what other tabs and programs have given to the server
  if (!shown || corrections.isBusy()) return;
  const now = await api.open(shown.id).catch(() => null);
  if (now && now.id === shown?.id && now.version !== shown.version && !corrections.isBusy()) {
    corrections.add({ object: null, run: async () => now, applied() {} });
  }
});
addEventListener("hashchange", openLinked);

async function start() {
  restoreDocuments();
  label();
  view("tree");
  details.nothing();
  try {
    const about = await api.about();
    exportMenu.setFormats(about.formats);
    welcome.setSample(about.sample);
    await documents.load();
  } catch (error) {
    welcome.invite();
    return tell(error);
  }
  return openLinked();
}

// Opens what the address names, a document and perhaps one of its headings; else the newest document.
function openLinked() {
  const [id, object] = location.hash.slice(1).split("/");
  if (id && id === shown?.id) return tree.select(Number(object));
  const newest = documents.all().find(documents.isReadable) ?? documents.all()[0];
  const wanted = documents.job(id) ?? newest;
  if (!wanted) return welcome.invite();
  return open(wanted.id, Number(object));
}

start();
