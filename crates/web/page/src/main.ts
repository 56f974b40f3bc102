// The page: opens what the address names, and shows one of four views of it.

import { app } from "./app";
import { ask, enter, Refused } from "./api";
import { button, bytes, h } from "./dom";
import { EMPTY } from "./document";
import { ModelTab } from "./model-tab";
import { StepsTab } from "./steps-tab";
import { VerifierTab } from "./verifier";
import { walk } from "./walk";
import type { Hello, Listing } from "./protocol";

const TABS = ["model", "verifier", "trace", "simulator"] as const;

const verifier = new VerifierTab();
const panels = { model: new ModelTab(), verifier, trace: new StepsTab("trace", false), simulator: new StepsTab("simulator", true) };
const title = h("span", { class: "file" });
const status = h("p", { class: "status", role: "status" });
const dialog = h("dialog", { "aria-label": "Files" });
const tabs = h("div", { class: "tabs", role: "tablist" });

function show(tab: string): void {
  app.tab = tab;
  for (const name of TABS) {
    const chosen = name === tab;
    panels[name].element.hidden = !chosen;
    tabs.querySelector(`[data-tab=${name}]`)?.setAttribute("aria-selected", String(chosen));
  }
  app.tell("shown");
  panels[tab as (typeof TABS)[number]].element.focus();
}

function attempt(work: Promise<unknown>): void {
  work.catch((error: unknown) => app.say((error as Error).message, true));
}

/** The folder's models, a filter, and families to generate. */
async function choose(): Promise<void> {
  const listing = await ask<Listing>("files");
  const filter = h("input", { type: "search", placeholder: "filter", "aria-label": "Filter files" });
  const list = h("ul", { class: "files" });
  const update = (): void => {
    const found = listing.files.filter((one) => one.path.toLowerCase().includes(filter.value.toLowerCase())).slice(0, 500);
    list.replaceChildren(...found.map((one) => h("li", {}, button(one.path, `Open ${one.path}`, () => void open(one.path)), h("small", {}, ` ${bytes(one.bytes)}`))));
    if (!found.length) list.replaceChildren(h("li", {}, "no model"));
  };
  filter.addEventListener("input", update);
  update();
  const family = h("select", { "aria-label": "Family" }, ...app.hello.families.map((one) => h("option", { value: one }, one)));
  const size = h("input", { type: "number", min: 1, value: 3, "aria-label": "Size" });
  const generate = button("Generate", "Generate a model of a family", () => {
    dialog.close();
    attempt(ask<{ name: string; text: string }>("generate", { family: family.value, size: Number(size.value) }).then((one) => app.start(one.name, one.text)));
  });
  const leave = button("Close", "Close", () => dialog.close());
  dialog.replaceChildren(
    h("h2", {}, "Open a model"),
    filter,
    list,
    listing.more ? h("p", { class: "hint" }, "There are more files than are listed.") : "",
    h("h2", {}, "Generate a model"),
    h("div", { class: "bar" }, family, size, generate),
    h("div", { class: "bar end" }, leave),
  );
  dialog.showModal();
  filter.focus();
}

function mayLeave(): boolean {
  return !app.dirty || window.confirm(`${app.name} has changes that were not saved. Leave them?`);
}

async function open(path: string): Promise<void> {
  if (!mayLeave()) return;
  dialog.close();
  try {
    await app.open(path);
    show("model");
    app.say("");
  } catch (error) {
    app.say((error as Error).message, true);
  }
}

async function save(asNew: boolean): Promise<void> {
  (document.activeElement as HTMLElement | null)?.blur();
  let path = app.path;
  if (asNew || !path || !app.exact) {
    path = window.prompt("Save as (.xml or .xta, a path in the folder)", path ?? app.name);
    if (!path) return;
  }
  await app.save(path);
}

function theme(next: boolean): void {
  const order = ["system", "dark", "light"];
  const now = localStorage.getItem("merkhet-theme") ?? "system";
  const chosen = next ? order[(order.indexOf(now) + 1) % 3]! : now;
  localStorage.setItem("merkhet-theme", chosen);
  const dark = chosen === "dark" || (chosen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  if (next) app.say(`colours: ${chosen}`);
}

/** Restores what a link names: model, query and step. */
async function restore(): Promise<boolean> {
  const parts = new URLSearchParams(location.hash.slice(1));
  const model = parts.get("model");
  if (!model) return false;
  await app.open(model);
  const query = parts.get("query");
  if (query) {
    await verifier.start(query);
    const trace = document.querySelector<HTMLButtonElement>("#tab-verifier button[title^='Show the trace']");
    const at = app.queries.findIndex((one) => one.formula === query);
    (document.querySelector<HTMLButtonElement>(`#tab-verifier button[title='Show the trace of query ${at + 1}']`) ?? trace)?.click();
    walk.go(Number(parts.get("step") ?? 0));
  }
  return true;
}

function build(): void {
  for (const name of TABS) {
    const text = name[0]!.toUpperCase() + name.slice(1);
    tabs.append(h("button", { type: "button", role: "tab", "data-tab": name, "aria-controls": `tab-${name}`, onclick: () => { app.tab = name; app.tell("tab"); } }, text));
  }
  tabs.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const index = (TABS.indexOf(app.tab as "model") + step + TABS.length) % TABS.length;
    app.tab = TABS[index]!;
    app.tell("tab");
    tabs.querySelector<HTMLButtonElement>(`[data-tab=${app.tab}]`)?.focus();
  });
  const bar = h(
    "header",
    {},
    h("strong", { class: "name" }, "Merkhet"),
    title,
    button("Open", "Open a model of the folder (Ctrl+O)", () => attempt(choose())),
    button("New", "Start with an empty model", () => mayLeave() && attempt(app.start("untitled.xml", EMPTY).then(() => show("model")))),
    button("Save", "Save (Ctrl+S)", () => attempt(save(false))),
    button("Save as", "Save under another name", () => attempt(save(true))),
    tabs,
    button("◐", "Light, dark, or as the system", () => theme(true)),
  );
  document.querySelector("#app")!.replaceChildren(bar, h("main", {}, ...TABS.map((name) => panels[name].element)), status, dialog);
  app.on("tab", () => show(app.tab));
  const named = (): void => {
    title.textContent = `${app.path ?? app.name}${app.dirty ? " •" : ""}`;
    document.title = `${app.dirty ? "• " : ""}${app.name} – Merkhet`;
  };
  app.on("model", named);
  app.on("message", () => {
    named();
    status.textContent = app.message;
    status.classList.toggle("failed", app.failed);
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey)) return;
    const typing = event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLInputElement;
    const key = event.key.toLowerCase();
    if (key === "s") attempt(save(event.shiftKey));
    else if (key === "o") attempt(choose());
    else if (key === "z" && !typing) event.shiftKey ? app.model.redo() : app.model.undo();
    else if (key === "y" && !typing) app.model.redo();
    else return;
    event.preventDefault();
  });
  window.addEventListener("beforeunload", (event) => {
    if (app.dirty) event.preventDefault();
  });
}

async function start(): Promise<void> {
  theme(false);
  build();
  try {
    await enter();
    app.hello = await ask<Hello>("hello");
    verifier.greet();
    if (!(await restore())) {
      if (app.hello.model) await app.open(app.hello.model);
      else {
        await app.start("untitled.xml", EMPTY);
        app.dirty = false;
        await choose();
      }
      show("model");
    }
  } catch (error) {
    show("model");
    const refused = error instanceof Refused && error.status === 403;
    app.say(refused ? `${error.message}. Start \`merkhet serve\` and open the address that it prints.` : (error as Error).message, true);
  }
  document.querySelector("#app")!.setAttribute("aria-busy", "false");
}

void start();
