"use strict";
// Makes the list of links a tree that folds, searches the text, and follows the reader.
(() => {
  const one = (selector) => document.querySelector(selector);
  const tree = one("#_tree"), text = one("#_text"), root = document.documentElement;
  const field = one(".search input"), count = one(".search output"), pageField = one(".goto input");
  const path = one(".path ol"), menu = one(".menu"), keys = one("dialog");
  const said = one(".toast").dataset; // what is said to the reader, in the page's language
  const narrow = matchMedia("(max-width: 48rem)");
  const HEADING = "h1[id],h2[id],h3[id],h4[id],h5[id],h6[id],.title[id]"; // in the tree; the title may not be
  const SHOWN_AT_FIRST = 80, MARKED_AT_MOST = 20000;

  // ---- the tree -------------------------------------------------------------------------------------
  // One node for each heading, in reading order: the tree's links and the text's headings are as many.
  const headings = [...text.querySelectorAll(HEADING)];
  const nodes = [...tree.querySelectorAll("li > a")].map((link, place) => ({ link, place, heading: headings[place], children: [] }));
  const nodeOf = new Map();
  for (const node of nodes) { nodeOf.set(node.link, node); nodeOf.set(node.heading, node); }
  for (const node of nodes) {
    node.parent = nodeOf.get(node.link.parentElement.parentElement.previousElementSibling) ?? null;
    node.level = node.parent ? node.parent.level + 1 : 1;
    node.parent?.children.push(node);
  }
  const above = (node) => { const found = []; for (let at = node; at; at = at.parent) found.unshift(at); return found; };

  // How deep the tree is open at first: as far as it can be taken in at a glance.
  const openBelow = (() => {
    let level = 1;
    while (level < 9 && nodes.filter((node) => node.level <= level + 1).length <= SHOWN_AT_FIRST) level++;
    return level;
  })();

  let current = null, focused = nodes[0] ?? null, filtered = null;
  const isOpen = (node) => {
    if (filtered) return node.unfolded ?? filtered.has(node);
    return node.choice ?? (node.level < openBelow || (current !== null && current !== node && above(current).includes(node)));
  };
  const isShown = (node) => {
    if (node.link.parentElement.hidden) return false;
    for (let at = node.parent; at; at = at.parent) if (!isOpen(at)) return false;
    return true;
  };
  const choose = (node, open) => {
    if (!node?.children.length) return;
    if (filtered) node.unfolded = open; else node.choice = open;
    drawTree();
  };

  function dressTree() {
    tree.querySelector("ul")?.setAttribute("role", "tree");
    tree.querySelector("ul")?.setAttribute("aria-label", tree.ariaLabel);
    for (const list of tree.querySelectorAll("ul ul")) list.setAttribute("role", "group");
    for (const node of nodes) {
      node.link.parentElement.setAttribute("role", "none");
      node.link.setAttribute("role", "treeitem");
      node.link.setAttribute("aria-level", node.level);
      node.link.tabIndex = node === focused ? 0 : -1;
      if (node.children.length) node.link.prepend(document.createElement("b"));
    }
  }

  let marked = null;
  function drawTree() {
    for (const node of nodes) {
      if (!node.children.length) continue;
      const open = String(isOpen(node));
      if (node.link.getAttribute("aria-expanded") !== open) node.link.setAttribute("aria-expanded", open);
    }
    const visible = current && above(current).filter(isShown).at(-1);
    if (visible !== marked) {
      marked?.link.classList.remove("current");
      marked?.link.removeAttribute("aria-current");
      visible?.link.classList.add("current");
      visible?.link.setAttribute("aria-current", "location");
      marked = visible;
    }
  }

  function focusOn(node, really = true) {
    if (!node) return;
    if (focused) focused.link.tabIndex = -1;
    focused = node;
    node.link.tabIndex = 0;
    if (really) node.link.focus({ preventScroll: true });
    keepInView(node.link);
  }

  function keepInView(link) {
    const box = link.getBoundingClientRect(), frame = tree.getBoundingClientRect();
    if (box.top < frame.top + 8 || box.bottom > frame.bottom - 8) tree.scrollTop += box.top - frame.top - frame.height / 3;
  }

  const treeKeys = {
    ArrowDown: () => focusOn(nodes.slice(focused.place + 1).find(isShown)),
    ArrowUp: () => focusOn(nodes.slice(0, focused.place).findLast(isShown)),
    Home: () => focusOn(nodes.find(isShown)),
    End: () => focusOn(nodes.findLast(isShown)),
    ArrowRight: () => (isOpen(focused) ? focusOn(focused.children.find(isShown)) : choose(focused, true)),
    ArrowLeft: () => (focused.children.length && isOpen(focused) ? choose(focused, false) : focusOn(focused.parent)),
    Enter: () => go(focused, true),
    " ": () => go(focused, true),
  };

  // ---- where the reader is --------------------------------------------------------------------------
  const pages = [...text.children];
  const headingsOn = pages.map((page) => [...page.querySelectorAll(HEADING)]);
  const lastBefore = []; // for each page the last heading of the pages before it
  headingsOn.reduce((last, found) => (lastBefore.push(last), found.at(-1) ?? last), null);
  const readingLine = () => one("header").offsetHeight + 64;

  // Only the pages' own boxes are asked for, and the headings of one page: the browser sets no other.
  function pageAt(line) {
    let low = 0, high = pages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (pages[middle].getBoundingClientRect().top <= line) low = middle; else high = middle - 1;
    }
    return low;
  }

  function follow() {
    if (!pages.length) return;
    const line = readingLine(), at = pageAt(line);
    const passed = headingsOn[at].findLast((heading) => heading.getBoundingClientRect().top <= line);
    const node = pinnedHere() ?? nodeOf.get(passed ?? lastBefore[at]) ?? null;
    if (document.activeElement !== pageField) pageField.value = labelOf(pages[at]);
    if (node === current) return;
    current = node;
    drawTree();
    drawPath();
    if (marked && !tree.contains(document.activeElement)) focusOn(marked, false);
  }

  // Where the reader was brought to a section or a match, that is the current one until the reader scrolls on.
  let pinned = null;
  const pinnedHere = () => (pinned && Math.abs(scrollY - pinned.at) < 2 ? pinned.node : (pinned = null));

  function drawPath() {
    const steps = current ? above(current).map((node) => [node.heading.id, titleOf(node)]) : [["_text", document.title]];
    path.replaceChildren(...steps.map(([id, title]) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = "#" + id;
      link.textContent = link.title = title;
      item.append(link);
      return item;
    }));
  }
  const titleOf = (node) => node.link.querySelector("span").textContent;

  // Pages above the target may still change their height while they are set: hold on to it for some frames.
  function settle(element, { block = "start", node = null, frames = 4 } = {}) {
    element.scrollIntoView({ block, inline: "nearest" });
    pinned = node && { node, at: scrollY };
    follow();
    if (frames) requestAnimationFrame(() => settle(element, { block, node, frames: frames - 1 }));
  }

  // A visit that lasts can be undone with the browser's way back.
  function go(node, lasting = false) {
    if (!node) return;
    for (let at = node.parent; at; at = at.parent) at.choice = undefined;
    draw(false);
    searchFrom(node);
    const hash = "#" + encodeURIComponent(node.heading.id);
    if (lasting) location.hash = hash; else location.replace(hash);
    settle(node.heading, { node });
  }

  const decoded = (name) => { try { return decodeURIComponent(name); } catch { return name; } };
  function goToTarget() {
    const target = document.getElementById(decoded(location.hash.slice(1)));
    if (target && text.contains(target)) settle(target, { node: nodeOf.get(target) });
  }

  // ---- pages ----------------------------------------------------------------------------------------
  const labelOf = (page) => page.querySelector(".folio")?.firstChild.textContent ?? "";
  function goToPage(wanted) {
    const plain = wanted.trim().toLowerCase();
    const number = Number(plain), numberOf = (page) => Number(page.id.slice("page-".length));
    const found = pages.find((page) => labelOf(page).toLowerCase() === plain)
      ?? pages.find((page) => page.id && numberOf(page) === number);
    if (!found) return say(said.noSuchPage.replace("{}", wanted));
    location.replace("#" + found.id);
    settle(found);
    pageField.blur();
  }

  // ---- search ---------------------------------------------------------------------------------------
  let pieces = null, matches = [], now = -1;
  const fold = (words) => {
    const plain = words.replace(/\s/g, " "), small = plain.toLowerCase();
    return small.length === plain.length ? small : plain;
  };

  // Every text node but our own words, with its heading, once: an object's text is one node, so a match never crosses nodes.
  function readText() {
    pieces = [];
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (at) =>
      at.classList?.contains("ours") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let node = null; walker.nextNode();) {
      const at = walker.currentNode;
      if (at.nodeType === Node.ELEMENT_NODE) node = nodeOf.get(at) ?? node;
      else if (at.data.trim()) pieces.push({ at, node, words: fold(at.data) });
    }
  }

  // A lone Latin letter stands everywhere: it is no question yet, as a Chinese character may be.
  const isAQuestion = (wanted) => wanted.length > 1 || wanted > "\u00ff";

  const placesOf = (piece, wanted) => {
    const found = [];
    for (let from = piece.words.indexOf(wanted); from >= 0; from = piece.words.indexOf(wanted, from + wanted.length))
      found.push({ piece, from, to: from + wanted.length });
    return found;
  };

  // An object that has all the words, in any order, is found where nothing has them as they were typed.
  const placesOfAll = (piece, words) => {
    const each = words.map((word) => placesOf(piece, word));
    return each.every((places) => places.length) ? each.flat().sort((a, b) => a.from - b.from) : [];
  };
  const matchesOf = (wanted) => {
    const whole = pieces.flatMap((piece) => placesOf(piece, wanted));
    const words = [...new Set(wanted.split(" "))].filter(isAQuestion);
    return whole.length || words.length < 2 ? whole : pieces.flatMap((piece) => placesOfAll(piece, words));
  };

  function search() {
    const typed = fold(field.value.trim().replace(/\s+/g, " ")), wanted = isAQuestion(typed) ? typed : "";
    if (wanted && !pieces) readText();
    matches = wanted ? matchesOf(wanted) : [];
    now = -1;
    filterTree(wanted);
    mark("match", matches.slice(0, MARKED_AT_MOST));
    mark("now", []);
    for (const button of document.querySelectorAll(".search .icon")) button.disabled = !matches.length;
    count.textContent = wanted ? matches.length.toLocaleString("en") : "";
    if (matches.length) goToMatch(firstFromHere());
  }

  function filterTree(wanted) {
    const found = new Map(), kept = new Set();
    for (const { piece } of matches) if (piece.node) found.set(piece.node, (found.get(piece.node) ?? 0) + 1);
    for (const node of found.keys()) for (let at = node; at && !kept.has(at); at = at.parent) kept.add(at);
    for (const node of nodes) {
      node.link.parentElement.hidden = Boolean(wanted) && !kept.has(node);
      node.unfolded = undefined;
      if (found.has(node)) node.link.dataset.found = found.get(node); else delete node.link.dataset.found;
    }
    one(".nothing").hidden = !wanted || kept.size > 0;
    filtered = wanted ? kept : null;
    drawTree();
  }

  const range = ({ piece, from, to }) =>
    new StaticRange({ startContainer: piece.at, startOffset: from, endContainer: piece.at, endOffset: to });
  function mark(name, found) {
    if (self.Highlight) CSS.highlights.set(name, Object.assign(new Highlight(), { priority: name === "now" ? 1 : 0 }));
    if (self.Highlight) for (const match of found) CSS.highlights.get(name).add(range(match));
  }

  // The first match that the reader has not yet passed.
  function firstFromHere() {
    const page = pages[pageAt(readingLine())];
    const at = matches.findIndex(({ piece }) =>
      page === piece.at || page.compareDocumentPosition(piece.at) & Node.DOCUMENT_POSITION_FOLLOWING);
    return Math.max(at, 0);
  }

  function goToMatch(place) {
    if (!matches.length) return;
    now = (place + matches.length) % matches.length;
    const match = matches[now], element = match.piece.at.parentElement;
    mark("now", [match]);
    if (!self.Highlight) getSelection().setBaseAndExtent(match.piece.at, match.from, match.piece.at, match.to);
    count.textContent = `${(now + 1).toLocaleString("en")} / ${matches.length.toLocaleString("en")}`;
    settle(element, { block: "center", node: match.piece.node });
  }

  // The next match is then the first one of this section.
  function searchFrom(node) {
    const at = matches.findIndex(({ piece }) => piece.node && piece.node.place >= node.place);
    now = (at < 0 ? matches.length : at) - 1;
  }

  function startSearch() {
    root.classList.add("searching");
    draw(false);
    field.focus();
    field.select();
  }
  function endSearch() {
    root.classList.remove("searching");
    field.value = "";
    search();
    text.focus({ preventScroll: true });
  }

  // ---- links, the drawer, the panel -----------------------------------------------------------------
  let saying;
  function say(words) {
    one(".toast").textContent = words;
    clearTimeout(saying);
    saying = setTimeout(() => { one(".toast").textContent = ""; }, 1800);
  }

  function copyLink(node) {
    const url = location.href.split("#")[0] + (node ? "#" + encodeURIComponent(node.heading.id) : "");
    const copied = () => say(said.copied);
    if (navigator.clipboard) navigator.clipboard.writeText(url).then(copied, () => prompt(said.copyThis, url));
    else prompt(said.copyThis, url);
  }

  const anchor = document.createElement("button");
  anchor.className = "anchor";
  anchor.type = "button";
  anchor.tabIndex = -1;
  anchor.title = one(".copy").ariaLabel;
  anchor.setAttribute("aria-hidden", "true");

  function draw(open) {
    root.classList.toggle("drawn", open && narrow.matches);
    menu.setAttribute("aria-expanded", String(open));
    if (open) focusOn(marked ?? focused);
  }

  // ---- events ---------------------------------------------------------------------------------------
  const pageKeys = {
    j: () => go(nodes[current ? current.place + 1 : 0]),
    k: () => go(nodes[(current?.place ?? 0) - 1]),
    u: () => go(current?.parent),
    ArrowLeft: () => choose(current && isOpen(current) && current.children.length ? current : current?.parent, false),
    ArrowRight: () => choose(current, true),
    e: () => { for (const node of nodes) node.choice = true; drawTree(); },
    E: () => { for (const node of nodes) node.choice = false; drawTree(); },
    t: () => (narrow.matches ? draw(true) : focusOn(marked ?? focused)),
    n: () => goToMatch(now + 1),
    N: () => goToMatch(now - 1),
    g: () => pageField.select(),
    c: () => copyLink(current),
    "/": startSearch,
    "?": () => keys.showModal(),
    Escape: () => (root.classList.contains("drawn") ? draw(false) : endSearch()),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || keys.open) return;
    if (event.target.closest("input")) return;
    const inTree = tree.contains(event.target) && focused;
    const act = (inTree && treeKeys[event.key]) || pageKeys[event.key];
    if (!act || (event.key.startsWith("Arrow") && event.target.closest(".table"))) return;
    event.preventDefault();
    act();
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") goToMatch(event.shiftKey ? now - 1 : now + 1);
    else if (event.key === "Escape") endSearch();
    else if (event.key === "ArrowDown") focusOn(nodes.find(isShown));
    else return;
    event.preventDefault();
  });
  let typing;
  field.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(search, 150); });
  pageField.addEventListener("keydown", (event) => {
    if (event.key === "Enter") goToPage(pageField.value);
    else if (event.key === "Escape") pageField.blur();
  });
  pageField.addEventListener("focus", () => pageField.select());
  pageField.addEventListener("blur", follow);
  tree.addEventListener("click", (event) => {
    const node = nodeOf.get(event.target.closest("a"));
    if (!node || event.ctrlKey || event.metaKey || event.shiftKey) return;
    focusOn(node, false);
    event.preventDefault();
    if (event.target.localName === "b") return choose(node, !isOpen(node));
    go(node, true);
  });
  one(".previous").addEventListener("click", () => goToMatch(now - 1));
  one(".next").addEventListener("click", () => goToMatch(now + 1));
  one(".find").addEventListener("click", startSearch);
  one(".copy").addEventListener("click", () => copyLink(current));
  one(".help").addEventListener("click", () => keys.showModal());
  keys.addEventListener("click", (event) => { if (event.target === keys) keys.close(); });
  menu.addEventListener("click", (event) => { event.stopPropagation(); draw(!root.classList.contains("drawn")); });
  document.addEventListener("click", (event) => {
    if (root.classList.contains("drawn") && !tree.contains(event.target)) draw(false);
  });
  text.addEventListener("mouseover", (event) => nodeOf.get(event.target)?.heading.append(anchor));
  anchor.addEventListener("click", () => copyLink(nodeOf.get(anchor.parentElement)));
  let waiting = false;
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; follow(); });
  }, { passive: true });
  addEventListener("resize", follow);
  addEventListener("hashchange", goToTarget);

  dressTree();
  drawPath();
  follow();
  drawTree();
  goToTarget();
})();
