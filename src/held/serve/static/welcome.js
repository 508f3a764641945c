// What is shown while no document is open: an invitation, or how far the one is that is wanted.

import * as documents from "./documents.js";
import { find } from "./elements.js";
import { word } from "./words.js";

let hasSample = false;
let waitedFor = null; // the document that is opened once it is read

export function setSample(value) {
  hasSample = value;
}

export const awaited = () => waitedFor;

export function invite() {
  waitedFor = null;
  const isEmpty = documents.all().length === 0;
  show(word(isEmpty ? "welcome" : "choose_one"), word(isEmpty ? "welcome_text" : "choose_one_text"));
  find("#welcome .choices").hidden = false;
  find("#sample-offer").hidden = !hasSample;
  document.body.dataset.state = "empty";
}

// A document that is still being read, or could not be.
export function awaitDocument(job) {
  waitedFor = job.id;
  const hasFailed = job.status === "failed";
  const text = hasFailed ? word("because", word(job.reason)) : documents.stateOf(job);
  show(word(hasFailed ? "failed_one" : "reading_one", job.name), text);
  find("#welcome .choices").hidden = !hasFailed;
  find("#sample-offer").hidden = true;
  const bar = find("#welcome-progress");
  bar.hidden = hasFailed;
  if (job.progress?.total) Object.assign(bar, { max: job.progress.total, value: job.progress.done });
  find("#unlock").hidden = !documents.isLocked(job);
  document.body.dataset.state = "waiting";
}

function show(title, text) {
  find("#welcome-title").textContent = title;
  find("#welcome-text").textContent = text;
  const bar = find("#welcome-progress");
  bar.hidden = true;
  bar.removeAttribute("value");
  find("#unlock").hidden = true;
}

export function leave() {
  waitedFor = null;
  document.body.dataset.state = "open";
}

find("#unlock").addEventListener("click", () => documents.unlock(documents.job(waitedFor)));
