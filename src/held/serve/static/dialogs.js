// The small dialogs: under which heading, which title, where to split, which password.

import * as tree from "./tree.js";
import { word } from "./words.js";

const dialog = document.querySelector("#ask");
const field = document.querySelector("#ask-text");
const list = document.querySelector("#ask-list");
const MOST = 12; // headings that are offered at a time

function opened(title, label, text, answer) {
  document.querySelector("#ask-yes").textContent = answer;
  document.querySelector("#ask-title").textContent = title;
  document.querySelector("#ask-label").textContent = label;
  field.value = text;
  field.rows = Math.min(8, 1 + Math.floor(text.length / 55)); // a paragraph is split where one sees it
  list.replaceChildren();
  list.hidden = true;
  dialog.returnValue = "";
  dialog.showModal();
  field.focus();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

field.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  dialog.close("yes");
});

export async function title(shown) {
  const isMeant = await opened(word("ask_rename", shown.title), word("ask_rename_label"), shown.title, word("do_rename"));
  return isMeant && field.value.trim() ? field.value : null;
}

export async function splitAt(text) {
  field.readOnly = false;
  const closing = opened(word("ask_split"), word("ask_split_label"), text, word("do_split"));
  field.setSelectionRange(0, 0);
  let at = 0;
  const follow = () => { at = field.selectionStart; };
  field.addEventListener("keyup", follow);
  field.addEventListener("click", follow);
  const isMeant = await closing;
  field.removeEventListener("keyup", follow);
  field.removeEventListener("click", follow);
  return isMeant && at > 0 ? at : null;
}

const secret = document.querySelector("#ask-password");
const secretField = document.querySelector("#password");

// What was typed, nothing where the dialog was closed.
export function password(name) {
  document.querySelector("#password-title").textContent = word("ask_password", name);
  secretField.value = "";
  secret.returnValue = "";
  secret.showModal();
  return new Promise((resolve) => {
    secret.addEventListener("close", () => {
      resolve(secret.returnValue === "yes" ? secretField.value : "");
      secretField.value = "";
    }, { once: true });
  });
}

// Which heading, of those before the one that is moved; undefined if none was chosen, null for the top.
export async function parentOf(shown) {
  const before = [];
  for (const heading of tree.all()) {
    if (heading.object === shown.object) break;
    before.unshift(heading);
  }
  let chosen = 0;
  let found = [];
  const search = () => {
    const wanted = field.value.trim().toLowerCase();
    const top = { object: null, title: word("top_place"), level: 0 };
    found = [...before.filter((h) => h.title.toLowerCase().includes(wanted)).slice(0, MOST), top];
    chosen = Math.min(chosen, found.length - 1);
    list.replaceChildren(...found.map(option));
    list.hidden = false;
  };
  const option = (heading, place) => {
    const item = document.createElement("li");
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(place === chosen));
    item.style.setProperty("--level", heading.level);
    item.textContent = heading.title;
    item.addEventListener("click", () => { chosen = place; dialog.close("yes"); });
    return item;
  };
  const walk = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    chosen = Math.max(0, Math.min(found.length - 1, chosen + by));
    search();
  };
  const typed = () => { chosen = 0; search(); };
  const closing = opened(word("ask_move", shown.title), word("ask_move_label"), "", word("do_move"));
  field.addEventListener("input", typed);
  field.addEventListener("keydown", walk);
  search();
  const isMeant = await closing;
  field.removeEventListener("input", typed);
  field.removeEventListener("keydown", walk);
  return isMeant ? found[chosen]?.object : undefined;
}
