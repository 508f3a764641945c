// The card above the pages: what is selected, how sure the tree is of it, and where else it might stand.

import { element, find } from "./elements.js";
import * as tree from "./tree.js";
import { word } from "./words.js";

const card = find("#details");
let listener = { under() {} };

export function listen(given) {
  listener = given;
}

export function nothing() {
  card.replaceChildren(element("p", word("nothing"), "quiet"));
}

export function heading(shown) {
  const facts = element("p", "", "facts");
  const level = `${word("level", shown.level)} · ${word("on_page", shown.label)}`;
  facts.append(...path(shown), element("span", level));
  const top = element("div", "", "top");
  top.append(element("h3", shown.title), certainty(shown));
  card.replaceChildren(top, facts, ...alternatives(shown));
}

function certainty(shown) {
  if (shown.fixed) return element("span", `✓ ${word("by_you")}`, "by-you");
  const percent = Math.round(100 * shown.certainty);
  const made = element("span", "", "certainty");
  made.classList.toggle("doubtful", shown.doubtful);
  const meter = element("meter");
  Object.assign(meter, { min: 0, max: 1, low: 0.5, high: 0.8, optimum: 1, value: shown.certainty });
  meter.setAttribute("aria-label", word("sure", percent));
  made.title = word("sure_parts", Math.round(100 * shown.probability), Math.round(100 * shown.confidence));
  made.append(meter, element("span", word("sure", percent)));
  return made;
}

function path(shown) {
  const above = [];
  for (let at = shown.parent; at !== null; at = tree.heading(at).parent) above.unshift(tree.heading(at));
  return above.flatMap((upper) => {
    const link = element("button", upper.title, "link");
    link.title = upper.title; // long titles are cut
    link.addEventListener("click", () => tree.select(upper.object));
    const separator = element("i", "›");
    separator.setAttribute("aria-hidden", "true");
    return [link, separator];
  });
}

function alternatives(shown) {
  const others = shown.alternatives
    .map((other) => ({ ...other, title: other.parent === null ? word("top_place") : tree.heading(other.parent)?.title }))
    .filter((other) => other.title !== undefined);
  if (!others.length || shown.fixed) return [];
  const row = element("p", "", "others");
  row.append(element("span", word("alternatives")));
  for (const other of others) {
    const choice = element("button", "", "chip");
    choice.title = other.title;
    choice.append(element("span", other.title), element("small", `${Math.round(100 * other.probability)} %`));
    choice.addEventListener("click", () => listener.under(other.parent));
    row.append(choice);
  }
  return [row];
}

// An object on the page that is no heading.
export function object(shown) {
  const top = element("div", "", "top");
  top.append(element("h3", word(shown.kind)));
  card.replaceChildren(top, element("p", shown.text, "text"));
}
