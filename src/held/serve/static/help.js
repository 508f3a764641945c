// The sheet of keys.

import { element, find } from "./elements.js";
import { word } from "./words.js";

const GROUPS = [
  ["keys_move", [["N", "key_next"], ["↑ ↓ J K", "key_move"], ["→ ←", "key_fold"], ["/", "key_find"], ["F", "key_doubtful"]]],
  ["keys_correct", [
    ["C", "key_confirm"], ["D", "key_delete"], ["H", "key_mark"], ["[ ]", "key_promote"], ["T", "key_top"], ["M", "key_under"],
    ["R", "key_rename"], ["Shift+J", "key_join"], ["S", "key_split"], ["A", "key_all"], ["Z Y", "key_undo"],
  ]],
  ["keys_view", [
    ["PageUp PageDown", "key_page"], ["+ - 0", "key_zoom"], ["O", "key_objects"], ["B", "key_documents"], ["?", "key_help"],
  ]],
];

export function show() {
  find("#keys").replaceChildren(...GROUPS.map(groupOf));
  find("#keys-dialog").showModal();
}

function groupOf([title, rows]) {
  const group = element("section");
  const list = element("dl");
  for (const [keys, phrase] of rows) {
    const term = element("dt");
    term.append(...keys.split(" ").map((key) => element("kbd", key)));
    list.append(term, element("dd", word(phrase)));
  }
  group.append(element("h3", word(title)), list);
  return group;
}
