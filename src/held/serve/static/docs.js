// The interface as a list, from its own description: no library, nothing from a network.

const element = (name, text = "") => Object.assign(document.createElement(name), { textContent: text });
const { paths } = await (await fetch("/openapi.json")).json();
const target = document.querySelector("#paths");
for (const [path, methods] of Object.entries(paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const title = element("h2");
    title.append(element("span", method.toUpperCase()), path);
    target.append(title, element("p", operation.description ?? operation.summary ?? ""));
    const asked = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    if (!asked.length) continue;
    const table = element("table");
    for (const parameter of asked) {
      const row = element("tr");
      row.append(element("td", parameter.name), element("td", parameter.description ?? ""), element("td", parameter.required ? "required" : ""));
      table.append(row);
    }
    target.append(table);
  }
}
