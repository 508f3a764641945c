// What the page itself says, in English and Chinese. A phrase has {} where something is put in.

const ENGLISH = {
  skip: "Skip to the tree", tools: "Tools", undo: "Undo", redo: "Redo", next: "Next doubtful",
  check: "Tree is right", checked: "Tree is right ✓", export: "Save as", save_as: "choose …", help: "Help, keyboard",
  documents: "Documents", drop: "Drop PDFs here, or a folder of them.", choose: "Choose PDFs", folder: "Choose a folder",
  tree: "Headings", filter: "Find a heading", page: "Page", details: "Details", views: "Views", kinds: "Kinds of objects",
  previous_page: "Page before", next_page: "Next page", page_number: "Page number", of: "{} of {}",
  empty_tree: "Choose a document on the left.", nothing: "Select a heading in the tree, or an object on the page.",
  keyboard: "Keyboard", close: "Close", do_it: "Do it", cancel: "Cancel", remove: "Remove {}",
  queued: "waits", running: "at work", done: "{} headings, {} pages", partial: "{} headings, {} pages, some unreadable",
  failed: "failed: {}", reading: "reading page {} of {}", recognising: "recognising page {} of {}",
  headings: "finding headings", inserting: "putting heading {} of {} in place", writing: "writing", learning: "learning, step {} of {}",
  sure: "{} % sure", sure_heading: "is a heading", sure_place: "stands in its place", by_you: "fixed by you",
  path: "Path", top: "the top", alternatives: "It might also stand under", no_alternatives: "No other place was close.",
  doubtful: "doubtful", fixed: "fixed", level: "level {}", on_page: "page {}", headings_count: "{} headings, {} doubtful",
  promote: "Promote", demote: "Demote", move: "Move under …", delete: "No heading", mark: "Mark as heading",
  confirm: "It is right", join: "Join with the next", split: "Split …", rename: "Rename …",
  all: "Do the same to {} others of this look",
  did_promote: "Promoted.", did_demote: "Demoted.", did_move: "Moved.", did_delete: "Is text now.", did_mark: "Is a heading now.",
  did_confirm: "Kept where it is.", did_join: "Joined.", did_split: "Split.", did_rename: "Renamed.", did_alike: "Done to all of this look.",
  undone: "Taken back.", redone: "Made again.", moved: "{} other headings moved along.", moved_one: "One other heading moved along.",
  no_doubt: "No heading is doubtful any more.", conflict: "Another tab has changed this document. It was loaded anew: please look, and do it again.",
  lost: "The server does not answer.", saved: "The tree is kept as right.", unsaved: "The tree is no longer called right.",
  ask_move: "Move “{}” under", ask_move_label: "Type part of a heading’s title", ask_rename: "Rename “{}”", ask_rename_label: "Title",
  ask_split: "Split where the heading ends", ask_split_label: "Put the cursor behind the heading, then press Enter",
  object_text: "Text", kind: "Kind", paragraph: "paragraph", heading: "heading", list_item: "list item",
  contents_entry: "contents entry", caption: "caption", footnote: "footnote", formula: "formula", table: "table", figure: "figure",
  key_move: "next, previous heading", key_fold: "fold, unfold; to the heading above", key_promote: "promote, demote",
  key_under: "move under another heading, by its name (or drag it)", key_delete: "it is no heading", key_mark: "the object on the page is a heading",
  key_confirm: "it is right where it is", key_rename: "rename", key_join: "join with the next object", key_split: "split",
  key_all: "do the last correction to all of this look", key_next: "next doubtful heading, the most costly first",
  key_undo: "undo, redo", key_find: "find a heading", key_page: "page before, next page", key_help: "this sheet",
  unlock: "Password …", password: "Password", ask_password: "Open “{}” with its password", no_pdf: "Only PDFs can be read.",
  language: "中文", teach: "Teach from {} right documents", base_model: "as it ships", model: "Model for new PDFs",
};

const CHINESE = {
  skip: "跳到标题树", tools: "工具", undo: "撤销", redo: "重做", next: "下一个存疑标题",
  check: "确认整棵树", checked: "整棵树已确认 ✓", export: "另存为", save_as: "请选择…", help: "帮助与快捷键",
  documents: "文档", drop: "把 PDF 或文件夹拖到这里。", choose: "选择 PDF", folder: "选择文件夹",
  tree: "标题", filter: "查找标题", page: "页面", details: "详情", views: "视图", kinds: "对象类别",
  previous_page: "上一页", next_page: "下一页", page_number: "页码", of: "第 {} / {} 页",
  empty_tree: "请在左侧选择文档。", nothing: "请在树中选择标题，或在页面上选择对象。",
  keyboard: "快捷键", close: "关闭", do_it: "确定", cancel: "取消", remove: "移除{}",
  queued: "等待中", running: "处理中", done: "{} 个标题，{} 页", partial: "{} 个标题，{} 页，部分无法读取",
  failed: "失败：{}", reading: "正在读取第 {} 页，共 {} 页", recognising: "正在识别第 {} 页，共 {} 页",
  headings: "正在查找标题", inserting: "正在插入第 {} 个标题，共 {} 个", writing: "正在写入", learning: "正在学习，第 {} 步，共 {} 步",
  sure: "{}% 把握", sure_heading: "是标题", sure_place: "位置正确", by_you: "已由您确定",
  path: "路径", top: "顶层", alternatives: "也可能位于", no_alternatives: "没有其他接近的位置。",
  doubtful: "存疑", fixed: "已确定", level: "第 {} 级", on_page: "第 {} 页", headings_count: "{} 个标题，{} 个存疑",
  promote: "升级", demote: "降级", move: "移到…之下", delete: "不是标题", mark: "标为标题",
  confirm: "位置正确", join: "与下一段合并", split: "拆分…", rename: "改名…",
  all: "对同样式的另外 {} 个标题执行同样操作",
  did_promote: "已升级。", did_demote: "已降级。", did_move: "已移动。", did_delete: "已变为正文。", did_mark: "已标为标题。",
  did_confirm: "已保持原位。", did_join: "已合并。", did_split: "已拆分。", did_rename: "已改名。", did_alike: "已应用于所有同样式标题。",
  undone: "已撤销。", redone: "已重做。", moved: "另有 {} 个标题随之移动。", moved_one: "另有 1 个标题随之移动。",
  no_doubt: "没有存疑的标题了。", conflict: "另一个标签页已修改此文档，现已重新载入，请查看后再操作。",
  lost: "服务器没有响应。", saved: "整棵树已确认为正确。", unsaved: "已取消确认。",
  ask_move: "将“{}”移到", ask_move_label: "输入标题的一部分", ask_rename: "改名“{}”", ask_rename_label: "标题",
  ask_split: "在标题结尾处拆分", ask_split_label: "把光标放在标题之后，然后按回车",
  object_text: "文本", kind: "类别", paragraph: "段落", heading: "标题", list_item: "列表项",
  contents_entry: "目录项", caption: "图表题", footnote: "脚注", formula: "公式", table: "表格", figure: "图",
  key_move: "下一个、上一个标题", key_fold: "折叠、展开；到上级标题", key_promote: "升级、降级",
  key_under: "按名称移到另一标题之下（也可拖动）", key_delete: "不是标题", key_mark: "把页面上的对象标为标题",
  key_confirm: "位置正确", key_rename: "改名", key_join: "与下一个对象合并", key_split: "拆分",
  key_all: "把上一次修改应用于所有同样式标题", key_next: "下一个存疑标题，影响最大的在前",
  key_undo: "撤销、重做", key_find: "查找标题", key_page: "上一页、下一页", key_help: "本帮助",
  unlock: "输入密码…", password: "密码", ask_password: "用密码打开“{}”", no_pdf: "只能读取 PDF 文件。",
  "is encrypted": "文件已加密", "the password is wrong": "密码不正确", "is not a PDF": "不是 PDF 文件",
  "is too damaged to read": "文件损坏，无法读取",
  language: "English", teach: "用 {} 份已确认的文档训练", base_model: "自带模型", model: "新 PDF 所用模型",
};

const LANGUAGES = { en: ENGLISH, zh: CHINESE };
let current = localStorage.getItem("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");

export function word(name, ...values) {
  let phrase = LANGUAGES[current][name] ?? name;
  for (const value of values) phrase = phrase.replace("{}", value);
  return phrase;
}

export function otherLanguage() {
  current = current === "en" ? "zh" : "en";
  localStorage.setItem("language", current);
}

// Fills all elements of the page that name a phrase.
export function translate(root = document) {
  document.documentElement.lang = current;
  for (const element of root.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", word(element.dataset.label));
  for (const element of root.querySelectorAll("[data-placeholder]")) element.placeholder = word(element.dataset.placeholder);
  for (const element of root.querySelectorAll("button[data-key]")) {
    element.title = `${element.getAttribute("aria-label") ?? element.textContent} (${element.dataset.key})`;
    element.setAttribute("aria-keyshortcuts", element.dataset.key);
  }
}
