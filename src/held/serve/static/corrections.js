// The queue of changes: one after another, each made for the version that the one before has left.
//
// A change is { object, run(document) -> changed document, applied(changed) }. Its row is shown as pending until
// the server has answered, and what is pressed meanwhile waits in line.

import { Refusal } from "./api.js";
import { find } from "./elements.js";
import * as tree from "./tree.js";
import { counted, word } from "./words.js";

const queue = [];
let atWork = Promise.resolve();
let host = { document() {}, async applied() {}, async refused() {} };

export function listen(given) {
  host = given;
}

export const isPending = (object) => queue.some((change) => change.object === object);
export const isBusy = () => queue.length > 0;

// Resolves once nothing waits any more.
export const settled = () => atWork;

export function add(change) {
  queue.push(change);
  tell();
  if (queue.length === 1) atWork = work();
  return atWork;
}

async function work() {
  while (queue.length) {
    const [change] = queue;
    try {
      const changed = await change.run(host.document());
      queue.shift();
      await host.applied(changed, change);
    } catch (error) {
      queue.shift();
      if (!(error instanceof Refusal)) throw error;
      // Those that wait were meant for a document that is no longer there.
      if (error.code === 409 || error.code === 0) queue.length = 0;
      await host.refused(error);
    } finally {
      tell();
    }
  }
}

export function tell() {
  const saving = find("#saving");
  saving.classList.toggle("busy", queue.length > 0);
  if (queue.length) saving.textContent = counted("saving", queue.length);
  else saving.textContent = host.document()?.version ? word("saved") : "";
  tree.setPending(new Set(queue.map((change) => change.object)));
}
