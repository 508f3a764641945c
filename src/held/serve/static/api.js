// What the page asks the server for. An answer that is no success is a `Refusal` with its code.

export class Refusal extends Error {
  constructor(code, detail) {
    super(detail);
    this.code = code;
  }
}

async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refusal(0, "");
  }
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const said = await answer.json().catch(() => ({}));
  const detail = typeof said.detail === "string" ? said.detail : `${answer.status} ${answer.statusText}`;
  throw new Refusal(answer.status, detail);
}

const post = (path, value) => ask(path, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: value === undefined ? undefined : JSON.stringify(value),
});

export const about = () => ask("/v1/about");
export const jobs = () => ask("/v1/jobs");
export const remove = (id) => ask(`/v1/jobs/${id}`, { method: "DELETE" });
export const open = (id) => ask(`/v1/documents/${id}`);
export const page = (id, number) => ask(`/v1/documents/${id}/pages/${number}`);
export const object = (id, number) => ask(`/v1/documents/${id}/objects/${number}`);
export const correct = (id, version, correction) => post(`/v1/documents/${id}/corrections?version=${version}`, correction);
export const undo = (id, version) => post(`/v1/documents/${id}/undo?version=${version}`);
export const redo = (id, version) => post(`/v1/documents/${id}/redo?version=${version}`);
export const check = (id, version, value) =>
  ask(`/v1/documents/${id}/checked?version=${version}&value=${value}`, { method: "PUT" });
export const picture = (id, number, width) => `/v1/jobs/${id}/pages/${number}.png?width=${width}`;
export const result = (id, format) => `/v1/jobs/${id}/result?format=${format}`;

export const teach = () => post("/v1/teach");
export const sample = () => post("/v1/sample");

export function upload(file, options) {
  const form = new FormData();
  for (const [name, value] of Object.entries(options)) if (value) form.append(name, value);
  form.append("file", file, file.name);
  return ask("/v1/jobs", { method: "POST", body: form });
}

// Calls `told` with the job whenever it has come further, until it has ended.
export function follow(id, told) {
  const events = new EventSource(`/v1/jobs/${id}/events`);
  events.addEventListener("progress", (event) => told(JSON.parse(event.data)));
  events.addEventListener("end", (event) => {
    events.close();
    told(JSON.parse(event.data));
  });
}
