// The offer to do the last correction to all objects of the same look: first as a preview in the tree.

import { element, find } from "./elements.js";
import * as tree from "./tree.js";
import { counted, word } from "./words.js";

const bar = find("#offer");
let offer = null; // { correction, changes }
let isPreviewing = false;
let listener = { accept() {} };

export function listen(given) {
  listener = given;
}

export function set(correction, changes) {
  if (isPreviewing) tree.setPreview(null);
  isPreviewing = false;
  offer = changes?.length ? { correction, changes } : null;
  draw();
}

export const isShown = () => isPreviewing;

// Shows what would change; a second time it is applied.
export function advance() {
  if (!offer) return;
  if (isPreviewing) return accept();
  isPreviewing = true;
  tree.setPreview(offer.changes);
  tree.select(offer.changes[0].object, { focus: true });
  draw();
}

export function cancel() {
  if (!isPreviewing) return set(null, null);
  isPreviewing = false;
  const { object } = offer.correction;
  tree.setPreview(null);
  if (tree.heading(object)) tree.select(object, { focus: true });
  return draw();
}

function accept() {
  const { correction, changes } = offer;
  set(null, null);
  listener.accept({ ...correction, alike: true }, changes.length + 1);
}

export function draw() {
  bar.hidden = !offer;
  bar.classList.toggle("previewing", isPreviewing);
  if (!offer) return;
  const count = offer.changes.length;
  if (isPreviewing) {
    const question = element("p", word(`preview_${offer.correction.op}`, count));
    bar.replaceChildren(question, button(word("apply"), "primary", "Enter", accept), button(word("cancel"), "plain", "Esc", cancel));
  } else {
    const apply = button(counted("alike", count), "plain", "A", advance);
    const dismiss = button("×", "icon", "", () => set(null, null));
    dismiss.setAttribute("aria-label", word("dismiss"));
    bar.replaceChildren(apply, dismiss);
  }
}

function button(text, className, key, act) {
  const made = element("button", text, className);
  if (key) {
    const shown = element("kbd", key);
    shown.setAttribute("aria-hidden", "true");
    made.append(shown);
  }
  made.addEventListener("click", act);
  return made;
}
