// What the page itself says, in English and Chinese. A phrase has {} where something is put in.

const ENGLISH = {
  skip: "Skip to the headings", tools: "Corrections", undo: "Undo", redo: "Redo", next: "Next doubtful",
  group_decide: "Decide", group_place: "Place in the tree", group_title: "Title and text",
  check: "Mark as checked", checked: "Checked", export: "Export", help: "Keyboard help",
  documents: "Documents", add: "Add PDFs", choose: "Choose PDFs", folder: "Choose a folder", drop_here: "Drop the PDFs here",
  tree: "Headings", filter: "Find a heading", only_doubtful: "Doubtful only", page: "Pages", pages: "Pages of the document",
  details: "Selected heading", views: "Views", view: "Page view", kinds: "Kinds of objects", progress: "Progress",
  previous_page: "Previous page", next_page: "Next page", page_number: "Page number", of: "of {}", at_of: "({} of {})", zoom_in: "Zoom in",
  zoom_out: "Zoom out", fit: "Fit width", all_objects: "Show all objects, not only headings",
  welcome: "See and correct the headings of a PDF",
  welcome_text: "Drop PDFs anywhere on this page, or choose them. They stay on this machine.",
  sample_why: "Nothing at hand?", sample: "Open the sample report (40 pages)",
  no_documents: "No documents yet.", choose_one: "Choose a document", choose_one_text: "Choose one from the list, or drop PDFs anywhere on this page.",
  opening: "Opening {}", reading_one: "Reading {}", failed_one: "{} can’t be read", because: "Reason: {}.", no_headings: "No headings were found. Select a text on the page and press H to make it one.",
  no_match: "No heading matches.", no_doubt_left: "No doubtful headings.",
  nothing: "Select a heading, or a text on the page.",
  keyboard: "Keyboard", keys_move: "Move around", keys_correct: "Correct", keys_view: "View",
  close: "Close", apply: "Apply", cancel: "Cancel", open: "Open", remove: "Remove {}",
  queued: "Waiting", running: "Starting", done: "{} headings · {} pages", partial: "{} headings · {} pages, some unreadable",
  failed: "Failed: {}", reading: "Reading page {} of {}", recognising: "Recognising page {} of {}",
  headings: "Finding headings", inserting: "Placing heading {} of {}", writing: "Writing", learning: "Learning, step {} of {}",
  saved: "Saved", saving_one: "Applying a correction …", saving: "Applying {} corrections …", pending: "being corrected",
  sure: "{} % sure", sure_parts: "{} % that it is a heading, {} % that it is in the right place", by_you: "Corrected by you",
  path: "Path", alternatives: "Could also go under", top_place: "Top level", doubtful: "doubtful", fixed: "corrected by you",
  level: "Level {}", on_page: "page {}", headings_count: "{} headings, {} doubtful",
  promote: "Up a level", demote: "Down a level", top: "Top level", move: "Move under …", delete: "Not a heading",
  mark: "Make a heading", confirm: "Confirm", join: "Join with next", split: "Split …", rename: "Rename …",
  offer: "{} more look like this.", offer_one: "One more looks like this.", offer_label: "Same look",
  alike: "Apply to the other {} of this look", alike_one: "Apply to the other one of this look", dismiss: "Dismiss",
  preview_promote: "Move these {} up?", preview_demote: "Move these {} down?", preview_move: "Move these {}?",
  preview_delete: "Turn these {} into text?", preview_mark: "Make these {} headings?",
  becomes_level: "level {}", becomes_text: "text", becomes_heading: "heading",
  did_promote: "Moved up.", did_demote: "Moved down.", did_move: "Moved.", did_delete: "Now text.", did_mark: "Now a heading.",
  did_confirm: "Confirmed.", did_join: "Joined.", did_split: "Split.", did_rename: "Renamed.", did_alike: "Applied to {}.",
  undone: "Undone.", redone: "Redone.", moved: "{} other headings moved along.", moved_one: "One other heading moved along.",
  no_doubt: "No heading is doubtful any more.", conflict: "Another tab changed this document. It was loaded again: please look, and repeat your correction.",
  lost: "The server doesn’t answer. Is `held serve` still running?", kept: "Checked: kept for training.", unkept: "No longer checked.",
  ask_move: "Move “{}” under", ask_move_label: "Type part of a heading’s title", ask_rename: "Rename “{}”", ask_rename_label: "Title",
  ask_split: "Split where the heading ends", ask_split_label: "Put the cursor after the heading, then press Enter",
  do_move: "Move", do_rename: "Rename", do_split: "Split",
  paragraph: "Paragraph", heading: "Heading", list_item: "List item", subtitle: "Subtitle", code: "Code", header: "Running head",
  footer: "Running foot", watermark: "Watermark", margin: "Margin note",
  contents_entry: "Contents entry", caption: "Caption", footnote: "Footnote", formula: "Formula", table: "Table", figure: "Figure",
  key_move: "Next, previous heading", key_fold: "Unfold, fold; go to the parent", key_promote: "Up, down a level", key_top: "Top level",
  key_under: "Move under another heading (or drag it there)", key_delete: "Not a heading", key_mark: "Make the selected text a heading",
  key_confirm: "Confirm: right as it is", key_rename: "Rename", key_join: "Join with the next text", key_split: "Split a heading from its text",
  key_all: "Apply the last correction to all of this look", key_next: "Next doubtful heading, most important first",
  key_undo: "Undo, redo", key_find: "Find a heading", key_doubtful: "Doubtful only", key_page: "Previous, next page", key_zoom: "Zoom in, out, fit width",
  key_objects: "Show all objects", key_documents: "Show or hide the documents", key_help: "This help",
  unlock: "Enter the password …", password: "Password", ask_password: "Open “{}” with its password", no_pdf: "Only PDFs can be read.",
  "is encrypted": "it needs a password", "the password is wrong": "the password is wrong",
  language: "中文", teach: "Train on {} checked documents", teach_one: "Train on 1 checked document", teach_why: "Checked documents can train a model of your own.",
  base_model: "Shipped model", model: "Model for new PDFs",
  format_pdf: "PDF with bookmarks", format_pdf_why: "the same PDF, with this tree as its bookmarks",
  format_markdown: "Markdown", format_markdown_why: "the whole text, headings at their level",
  format_html: "Web page", format_html_why: "one file to read: the tree beside the text, with search",
  format_docx: "Word document", format_docx_why: "the whole text with heading styles",
  format_epub: "E-book (EPUB)", format_epub_why: "the whole text with a table of contents",
  format_json: "JSON", format_json_why: "everything: objects, paths, pages, boxes, confidence",
  format_outline: "Outline (TSV)", format_outline_why: "one heading per line: level, page, title",
  format_tree: "Plain text tree", format_tree_why: "the headings alone, indented",
  format_chunks: "Chunks (JSON Lines)", format_chunks_why: "passages for retrieval, each with its path",
  format_labelled: "Training document", format_labelled_why: "objects with these headings as labels, for held train",
  exports_read: "To read", exports_use: "For programs",
};

const CHINESE = {
  skip: "跳到标题树", tools: "修改", undo: "撤销", redo: "重做", next: "下一个存疑",
  group_decide: "判断", group_place: "层级位置", group_title: "标题与文本",
  check: "标为已核对", checked: "已核对", export: "导出", help: "快捷键",
  documents: "文档", add: "添加 PDF", choose: "选择 PDF", folder: "选择文件夹", drop_here: "把 PDF 放到这里",
  tree: "标题", filter: "查找标题", only_doubtful: "只看存疑", page: "页面", pages: "文档页面",
  details: "所选标题", views: "视图", view: "页面视图", kinds: "对象类别", progress: "进度",
  previous_page: "上一页", next_page: "下一页", page_number: "页码", of: "/ {}", at_of: "（{} / {}）", zoom_in: "放大",
  zoom_out: "缩小", fit: "适合宽度", all_objects: "显示所有对象，不只标题",
  welcome: "查看并修改 PDF 的标题层级",
  welcome_text: "把 PDF 拖到本页任意处，或点击选择。文件不会离开本机。",
  sample_why: "手头没有文件？", sample: "打开示例报告（40 页）",
  no_documents: "还没有文档。", choose_one: "请选择文档", choose_one_text: "从列表中选择，或把 PDF 拖到本页任意处。",
  opening: "正在打开 {}", reading_one: "正在读取 {}", failed_one: "无法读取 {}", because: "原因：{}。", no_headings: "没有找到标题。在页面上选中文字，按 H 标为标题。",
  no_match: "没有匹配的标题。", no_doubt_left: "没有存疑的标题。",
  nothing: "请选择一个标题，或页面上的文字。",
  keyboard: "快捷键", keys_move: "移动", keys_correct: "修改", keys_view: "视图",
  close: "关闭", apply: "应用", cancel: "取消", open: "打开", remove: "移除 {}",
  queued: "等待中", running: "正在开始", done: "{} 个标题 · {} 页", partial: "{} 个标题 · {} 页，部分无法读取",
  failed: "失败：{}", reading: "正在读取第 {} 页，共 {} 页", recognising: "正在识别第 {} 页，共 {} 页",
  headings: "正在查找标题", inserting: "正在放置第 {} 个标题，共 {} 个", writing: "正在写入", learning: "正在学习，第 {} 步，共 {} 步",
  saved: "已保存", saving_one: "正在应用修改…", saving: "正在应用 {} 处修改…", pending: "修改中",
  sure: "{}% 把握", sure_parts: "{}% 是标题，{}% 位置正确", by_you: "已由您修改",
  path: "路径", alternatives: "也可能位于", top_place: "顶层", doubtful: "存疑", fixed: "已由您修改",
  level: "第 {} 级", on_page: "第 {} 页", headings_count: "{} 个标题，{} 个存疑",
  promote: "升一级", demote: "降一级", top: "顶层", move: "移到…之下", delete: "不是标题",
  mark: "标为标题", confirm: "确认", join: "与下一段合并", split: "拆分…", rename: "改名…",
  offer: "另有 {} 个样式相同。", offer_one: "另有 1 个样式相同。", offer_label: "相同样式",
  alike: "应用于另外 {} 个同样式标题", alike_one: "应用于另外 1 个同样式标题", dismiss: "忽略",
  preview_promote: "这 {} 个也升级吗？", preview_demote: "这 {} 个也降级吗？", preview_move: "这 {} 个也移动吗？",
  preview_delete: "这 {} 个也变为正文吗？", preview_mark: "这 {} 个也标为标题吗？",
  becomes_level: "第 {} 级", becomes_text: "正文", becomes_heading: "标题",
  did_promote: "已升级。", did_demote: "已降级。", did_move: "已移动。", did_delete: "已变为正文。", did_mark: "已标为标题。",
  did_confirm: "已确认。", did_join: "已合并。", did_split: "已拆分。", did_rename: "已改名。", did_alike: "已应用于 {} 个。",
  undone: "已撤销。", redone: "已重做。", moved: "另有 {} 个标题随之移动。", moved_one: "另有 1 个标题随之移动。",
  no_doubt: "没有存疑的标题了。", conflict: "另一个标签页已修改此文档，现已重新载入，请查看后再操作。",
  lost: "服务器没有响应。`held serve` 还在运行吗？", kept: "已核对，并留作训练。", unkept: "已取消核对。",
  ask_move: "将“{}”移到", ask_move_label: "输入标题的一部分", ask_rename: "改名“{}”", ask_rename_label: "标题",
  ask_split: "在标题结尾处拆分", ask_split_label: "把光标放在标题之后，然后按回车",
  do_move: "移动", do_rename: "改名", do_split: "拆分",
  paragraph: "段落", heading: "标题", list_item: "列表项", subtitle: "副标题", code: "代码", header: "页眉",
  footer: "页脚", watermark: "水印", margin: "边注",
  contents_entry: "目录项", caption: "图表题", footnote: "脚注", formula: "公式", table: "表格", figure: "图",
  key_move: "下一个、上一个标题", key_fold: "展开、折叠；到上级标题", key_promote: "升级、降级", key_top: "移到顶层",
  key_under: "移到另一标题之下（也可拖动）", key_delete: "不是标题", key_mark: "把所选文字标为标题",
  key_confirm: "确认：就是这样", key_rename: "改名", key_join: "与下一段合并", key_split: "把标题与正文拆开",
  key_all: "把上一次修改应用于所有同样式标题", key_next: "下一个存疑标题，重要的在前",
  key_undo: "撤销、重做", key_find: "查找标题", key_doubtful: "只看存疑", key_page: "上一页、下一页", key_zoom: "放大、缩小、适合宽度",
  key_objects: "显示所有对象", key_documents: "显示或隐藏文档列表", key_help: "本帮助",
  unlock: "输入密码…", password: "密码", ask_password: "用密码打开“{}”", no_pdf: "只能读取 PDF 文件。",
  "is encrypted": "文件已加密", "the password is wrong": "密码不正确", "is not a PDF": "不是 PDF 文件",
  "is too damaged to read": "文件损坏，无法读取",
  language: "English", teach: "用 {} 份已核对的文档训练", teach_one: "用 1 份已核对的文档训练", teach_why: "已核对的文档可以训练您自己的模型。",
  base_model: "自带模型", model: "新 PDF 所用模型",
  format_pdf: "带书签的 PDF", format_pdf_why: "同一 PDF，以此标题树为书签",
  format_markdown: "Markdown", format_markdown_why: "全文，标题按级别",
  format_html: "网页", format_html_why: "单个文件：标题树与正文并列，可搜索",
  format_docx: "Word 文档", format_docx_why: "全文，带标题样式",
  format_epub: "电子书（EPUB）", format_epub_why: "全文，带目录",
  format_json: "JSON", format_json_why: "全部信息：对象、路径、页码、位置、把握",
  format_outline: "大纲（TSV）", format_outline_why: "每行一个标题：级别、页码、标题",
  format_tree: "纯文本树", format_tree_why: "只有标题，按级缩进",
  format_chunks: "分块（JSON Lines）", format_chunks_why: "用于检索的片段，各带路径",
  format_labelled: "训练文档", format_labelled_why: "对象及其标题标注，供 held train 使用",
  exports_read: "供阅读", exports_use: "供程序使用",
};

const LANGUAGES = { en: ENGLISH, zh: CHINESE };
let current = localStorage.getItem("language") ?? (navigator.language.startsWith("zh") ? "zh" : "en");

export function word(name, ...values) {
  let phrase = LANGUAGES[current][name] ?? name;
  for (const value of values) phrase = phrase.replace("{}", () => value); // a "$" in a title means itself
  return phrase;
}

// A phrase with a number, which has another form for one where the language has one.
export function counted(name, count) {
  const single = LANGUAGES[current][`${name}_one`];
  return count === 1 && single ? single : word(name, count);
}

export function switchLanguage() {
  current = current === "en" ? "zh" : "en";
  localStorage.setItem("language", current);
}

// Fills all elements of the page that name a phrase.
export function translate(root = document) {
  document.documentElement.lang = current;
  for (const element of root.querySelectorAll("[data-word]")) element.textContent = word(element.dataset.word);
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", word(element.dataset.label));
  for (const element of root.querySelectorAll("[data-title]")) element.title = word(element.dataset.title);
  for (const element of root.querySelectorAll("[data-placeholder]")) element.placeholder = word(element.dataset.placeholder);
  for (const element of root.querySelectorAll("button[data-key]")) {
    const name = element.getAttribute("aria-label") ?? element.querySelector("[data-word]")?.textContent ?? "";
    element.title = `${name} (${element.dataset.key})`;
    element.setAttribute("aria-keyshortcuts", element.dataset.key);
  }
}
