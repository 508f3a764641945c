// The details pane: how sure the tree is of a heading, where else it might stand, and what can be done.

import * as tree from "./tree.js";
import { word } from "./words.js";

const pane = document.querySelector("#details");
const ACTIONS = [["promote", "["], ["demote", "]"], ["move", "M"], ["delete", "D"], ["confirm", "C"], ["rename", "R"], ["join", "⇧J"], ["split", "S"]];
let onAct = () => {};
let offer = null; // { correction, count }

export function listen({ act }) {
  onAct = act;
}

export function setOffer(made) {
  offer = made;
}

export const offered = () => offer;

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function button(text, action, key, value) {
  const made = element("button", text);
  made.dataset.action = action;
  if (key) {
    made.append(element("kbd", key));
    made.setAttribute("aria-keyshortcuts", key);
  }
  made.addEventListener("click", () => onAct(action, value));
  return made;
}

export function nothing() {
  pane.replaceChildren(element("p", word("nothing"), "empty"));
}

export function heading(shown) {
  const percent = Math.round(100 * shown.certainty);
  const parts = [element("h3", shown.title)];
  parts.push(element("p", `${word("level", shown.level)} · ${word("on_page", shown.label)}`, "where"));
  parts.push(shown.fixed ? element("p", word("by_you"), "by-you") : certainty(shown, percent));
  parts.push(element("h4", word("path")), path(shown));
  parts.push(...offerParts(), actions(), ...alternatives(shown));
  pane.replaceChildren(...parts);
}

function certainty(shown, percent) {
  const made = element("div", "", "certainty");
  const meter = document.createElement("meter");
  meter.min = 0;
  meter.max = 1;
  meter.low = 0.5;
  meter.high = 0.8;
  meter.optimum = 1;
  meter.value = shown.certainty;
  meter.setAttribute("aria-label", word("sure", percent));
  const both = `${Math.round(100 * shown.probability)} % ${word("sure_heading")}, ${Math.round(100 * shown.confidence)} % ${word("sure_place")}`;
  made.append(element("strong", word("sure", percent)), meter, element("small", both));
  return made;
}

function path(shown) {
  const list = element("ol", "", "path");
  const above = [];
  for (let at = shown.parent; at !== null; at = tree.heading(at).parent) above.unshift(tree.heading(at));
  for (const upper of above) {
    const item = element("li");
    const link = element("button", upper.title, "link");
    link.addEventListener("click", () => tree.select(upper.object));
    item.append(link);
    list.append(item);
  }
  list.append(element("li", shown.title));
  return list;
}

function offerParts() {
  return offer?.count ? [button(word("all", offer.count), "alike", "A")] : [];
}

function actions() {
  const bar = element("div", "", "actions");
  bar.append(...ACTIONS.map(([action, key]) => button(word(action), action, key)));
  return bar;
}

function alternatives(shown) {
  const parts = [element("h4", word("alternatives"))];
  if (!shown.alternatives.length) return [...parts, element("p", word("no_alternatives"), "empty")];
  const list = element("ul", "", "alternatives");
  for (const other of shown.alternatives) {
    const item = element("li");
    const title = other.parent === null ? word("top") : tree.heading(other.parent)?.title;
    if (title === undefined) continue;
    const choice = button(title, "under", "", other.parent);
    choice.append(element("small", ` ${Math.round(100 * other.probability)} %`));
    item.append(choice);
    list.append(item);
  }
  return [...parts, list];
}

// An object on the page that is no heading.
export function object(shown) {
  const bar = element("div", "", "actions");
  bar.append(button(word("mark"), "mark", "H"), button(word("split"), "split", "S"), button(word("join"), "join", "⇧J"));
  const parts = [element("h3", word(shown.kind)), element("p", shown.text, "text"), ...offerParts(), bar];
  pane.replaceChildren(...parts);
}
