// Small helpers to make elements and find them.

export const find = (selector) => document.querySelector(selector);

export function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

// Text for screen readers alone.
export const unseen = (text) => element("span", text, "unseen");
