// The model: templates drawn, moved and edited; declarations and labels as text; messages at their place.

import { app } from "./app";
import { button, h, s } from "./dom";
import { Edge, Place, type LabelKind, type Point, type Template } from "./document";
import { Canvas, draw, owner, placement, type Marks } from "./drawing";
import { coloured } from "./text";

type Tool = "select" | "location" | "edge";

const TOOLS: [Tool, string, string][] = [
  ["select", "Select", "Select and move (Escape)"],
  ["location", "Location", "Put a location where you click (L)"],
  ["edge", "Edge", "Click a location, then nails, then the target (E)"],
];

export class ModelTab {
  readonly element = h("section", { class: "tab model", id: "tab-model", role: "tabpanel" });
  private readonly list = h("nav", { class: "templates", "aria-label": "Templates" });
  private readonly canvas = new Canvas("The template");
  private readonly map = s("svg", { class: "minimap", "aria-hidden": "true" });
  private readonly side = h("aside", { class: "inspector", "aria-label": "Properties" });
  private readonly problems = h("ol", { class: "problems", "aria-label": "Messages" });
  private readonly search = h("input", { type: "search", placeholder: "find a location or label", "aria-label": "Find in the drawing" });
  private readonly tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Drawing" });
  private tool: Tool = "select";
  private shown = "";
  private selected: Element | null = null;
  private pending: { from: Place; nails: Point[] } | null = null;
  /** What the middle shows: a template's name, or one of the texts. */
  private page: "template" | "declaration" | "system" | "source" = "template";
  private readonly page_text = h("div", { class: "page-text" });
  private readonly middle: HTMLElement;

  constructor() {
    for (const [tool, name, title] of TOOLS) {
      this.tools.append(button(name, title, () => this.use(tool), { "data-tool": tool }));
    }
    this.tools.append(
      button("↶", "Undo (Ctrl+Z)", () => app.model.undo(), { "data-act": "undo" }),
      button("↷", "Redo (Ctrl+Shift+Z)", () => app.model.redo(), { "data-act": "redo" }),
      button("Delete", "Delete what is selected (Delete)", () => this.remove()),
      button("−", "Zoom out", () => this.canvas.zoom(1.25)),
      button("+", "Zoom in", () => this.canvas.zoom(0.8)),
      button("Fit", "Show all (F)", () => this.canvas.fit()),
      this.search,
    );
    this.search.addEventListener("input", () => this.find(this.search.value));
    const drawing = h("div", { class: "drawing" }, this.canvas.svg as unknown as Node, this.map as unknown as Node);
    this.middle = h("div", { class: "middle" }, this.tools, drawing, this.page_text);
    this.element.append(this.list, this.middle, this.side, h("div", { class: "messages" }, this.problems));
    this.listen();
    this.canvas.onview = () => this.drawMap();
    app.on("model", () => this.update());
    app.on("understood", () => this.update());
  }

  private get template(): Template | undefined {
    return app.model.template(this.shown) ?? app.model.templates[0];
  }

  private use(tool: Tool): void {
    this.tool = tool;
    this.pending = null;
    for (const one of this.tools.querySelectorAll("[data-tool]")) {
      one.setAttribute("aria-pressed", String(one.getAttribute("data-tool") === tool));
    }
    this.canvas.svg.setAttribute("data-tool", tool);
  }

  /** Shows another template or text. */
  show(page: "template" | "declaration" | "system" | "source", name = ""): void {
    this.page = page;
    if (page === "template") {
      this.shown = name;
      this.selected = null;
    }
    this.update(page === "template");
  }

  private update(fit = false): void {
    if (app.source !== null && app.view && !app.view.drawing) this.page = "source";
    else if (this.page === "source" && app.isXml) this.page = "template";
    const template = this.template;
    if (template && template.name !== this.shown) {
      this.shown = template.name;
      fit = true;
    }
    this.drawList();
    this.drawProblems();
    const drawing = this.page === "template";
    this.tools.hidden = !drawing;
    this.middle.classList.toggle("text", !drawing);
    if (drawing && template) this.redraw(template, !fit);
    else this.drawText();
    this.inspect();
    for (const [act, can] of [["undo", app.model.canUndo], ["redo", app.model.canRedo]] as const) {
      (this.tools.querySelector(`[data-act=${act}]`) as HTMLButtonElement).disabled = !can;
    }
  }

  private wrong(): Set<Element> {
    const found = new Set<Element>();
    for (const one of app.view?.diagnostics ?? []) {
      if (one.severity !== "error" || !one.xpath || !app.isXml) continue;
      const element = app.model.at(one.xpath)?.closest("location, transition");
      if (element) found.add(element);
    }
    return found;
  }

  private redraw(template: Template, keep: boolean): void {
    if (this.selected && !template.element.contains(this.selected)) this.selected = null;
    const marks: Marks = { selected: this.selected, wrong: this.wrong() };
    const drawing = draw(template, marks);
    this.canvas.svg.setAttribute("aria-label", `Template ${template.name}: ${template.locations.length} locations, ${template.edges.length} edges`);
    this.canvas.show(drawing, keep);
    this.drawMap();
  }

  /** The mini-map: locations as dots, and what is visible as a frame. */
  private drawMap(): void {
    const template = this.template;
    if (!template) return;
    const { whole, visible } = this.canvas;
    this.map.setAttribute("viewBox", `${whole.x} ${whole.y} ${whole.width} ${whole.height}`);
    const unit = Math.max(whole.width, whole.height) / 160;
    const dots = [...placement(template).at.values()].map((at) => s("circle", { cx: at.x, cy: at.y, r: 3 * unit }));
    const frame = s("rect", { ...visible, "stroke-width": unit });
    this.map.replaceChildren(...dots, frame);
    const all = visible.x <= whole.x && visible.y <= whole.y && visible.width >= whole.width - 1 && visible.height >= whole.height - 1;
    this.map.classList.toggle("all", all);
  }

  private drawList(): void {
    const entry = (text: string, current: boolean, act: () => void, title: string): HTMLElement =>
      button(text, title, act, { "aria-current": current ? "true" : null });
    const templates = app.model.templates.map((one) =>
      entry(one.name || "(no name)", this.page === "template" && one.name === this.template?.name, () => this.show("template", one.name), `Template ${one.name}`),
    );
    const instances = (app.view?.processes ?? []).map((one) =>
      h("li", {}, button(one.name, `Process ${one.name}, of ${one.template}`, () => this.show("template", one.template), { class: "instance" })),
    );
    const system = app.view?.system?.variables.map((one) => h("li", {}, `${one.name}: ${one.text}`)) ?? [];
    if (app.source !== null && !app.view?.drawing) {
      this.list.replaceChildren(
        entry("Text", true, () => this.show("source"), "The text of the model"),
        h("h3", {}, `Variables (${system.length})`),
        h("ul", { class: "instances" }, ...system.slice(0, 1000)),
      );
      return;
    }
    this.list.replaceChildren(
      entry("Declarations", this.page === "declaration", () => this.show("declaration"), "Global declarations"),
      ...templates,
      button("+ template", "Add a template", () => this.show("template", app.model.addTemplate().name), { class: "add" }),
      entry("System", this.page === "system", () => this.show("system"), "System declarations"),
      app.source !== null ? entry("Text", this.page === "source", () => this.show("source"), "The text of the model") : "",
      h("h3", {}, `Processes (${instances.length})`),
      h("ul", { class: "instances" }, ...instances.slice(0, 1000)),
    );
  }

  private drawProblems(): void {
    const all = app.view?.diagnostics ?? [];
    const rank = (severity: string): number => ["error", "warning", "note"].indexOf(severity);
    const items = [...all].sort((a, b) => rank(a.severity) - rank(b.severity)).map((one) => {
      const place = [one.template, one.line ? `line ${one.line}` : null].filter(Boolean).join(", ");
      const text = `${one.severity}: ${one.message}${one.hint ? ` — ${one.hint}` : ""}`;
      return h(
        "li",
        { class: one.severity },
        button(text, text, () => this.go(one.xpath, one.template, one.line)),
        place ? h("small", {}, ` ${place} [${one.code}]`) : h("small", {}, ` [${one.code}]`),
      );
    });
    const none = app.view ? h("li", { class: "fine" }, "No errors, no warnings.") : h("li", {}, "reading …");
    this.problems.replaceChildren(...(items.length ? items : [none]));
  }

  /** Goes to the place of a message. */
  private go(xpath: string | null, template: string | null, line: number | null): void {
    if (!app.isXml) {
      this.show("source");
      const area = this.page_text.querySelector("textarea");
      if (area && line) {
        const start = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
        area.focus();
        area.setSelectionRange(start, start);
      }
      return;
    }
    const element = xpath ? app.model.at(xpath) : null;
    const part = element?.closest("location, transition") ?? null;
    const owner = element?.closest("template") ?? null;
    const name = owner ? (app.model.templates.find((one) => one.element === owner)?.name ?? "") : (template ?? "");
    if (part || name) {
      this.show("template", name);
      this.select(part);
      const drawn = part && placement(this.template!).at.get(part.getAttribute("id") ?? part.querySelector("source")?.getAttribute("ref") ?? "");
      if (drawn) this.canvas.centre(drawn);
    } else {
      this.show(element?.localName === "system" ? "system" : "declaration");
    }
  }

  private find(text: string): void {
    const template = this.template;
    if (!template || !text) return;
    const wanted = text.toLowerCase();
    const all = [...template.locations, ...template.edges];
    const found = all.find((one) => one.texts.some((label) => label.text.toLowerCase().includes(wanted)));
    if (!found) return;
    this.select(found.element);
    const id = found instanceof Place ? found.id : found.source;
    const at = placement(template).at.get(id);
    if (at) this.canvas.centre(at);
  }

  /** The text that is shown; it is left alone while somebody types in it, whatever the server says meanwhile. */
  private drawText(): void {
    const shown = `${this.page} ${app.name}`;
    if (this.page_text.dataset.of === shown && this.page_text.contains(document.activeElement)) return;
    this.page_text.dataset.of = shown;
    if (this.page === "source") {
      this.page_text.replaceChildren(coloured("The text of the model", app.source ?? "", (text) => app.setSource(text)));
    } else if (this.page === "declaration") {
      this.page_text.replaceChildren(coloured("Global declarations", app.model.declaration, (text) => (app.model.declaration = text)));
    } else {
      this.page_text.replaceChildren(coloured("System declarations", app.model.system, (text) => (app.model.system = text)));
    }
  }

  private select(element: Element | null): void {
    this.selected = element;
    const template = this.template;
    if (template) this.redraw(template, true);
    this.inspect();
  }

  private part(element: Element | null): Place | Edge | null {
    const template = this.template;
    if (!template || !element) return null;
    return template.locations.find((one) => one.element === element) ?? template.edges.find((one) => one.element === element) ?? null;
  }

  private remove(): void {
    const part = this.part(this.selected);
    if (part) part.template.remove(part);
  }

  /** The form for what is selected; it is left alone while somebody types in it. */
  private inspect(): void {
    const template = this.template;
    if (!template || this.page !== "template") {
      this.side.replaceChildren();
      return;
    }
    if (this.side.contains(document.activeElement) && this.side.dataset.of === this.key(template)) return;
    this.side.dataset.of = this.key(template);
    const part = this.part(this.selected);
    const field = (label: string, value: string, set: (text: string) => void, rows = 1): HTMLElement => {
      const area = h("textarea", { rows, spellcheck: "false", "aria-label": label });
      area.value = value;
      area.addEventListener("change", () => area.value !== value && set(area.value));
      area.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && !event.shiftKey && rows === 1) {
          event.preventDefault();
          area.blur();
        }
      });
      return h("label", {}, label, area);
    };
    if (part instanceof Place) {
      const label = (name: string, kind: LabelKind): HTMLElement => field(name, part.label(kind), (text) => part.setLabel(kind, text));
      const kind = h("select", { "aria-label": "Kind" }, ...["plain", "urgent", "committed"].map((one) => h("option", { value: one, selected: part.kind === one }, one)));
      kind.addEventListener("change", () => part.setKind(kind.value as "plain"));
      const initial = h("input", { type: "checkbox", checked: template.initial === part.id });
      initial.addEventListener("change", () => template.setInitial(part));
      this.side.replaceChildren(
        h("h3", {}, "Location"),
        field("Name", part.name, (text) => part.setName(text.trim())),
        label("Invariant", "invariant"),
        h("label", {}, "Kind", kind),
        h("label", { class: "check" }, initial, "initial"),
        label("Comment", "comments"),
      );
    } else if (part instanceof Edge) {
      const label = (name: string, kind: LabelKind): HTMLElement => field(name, part.label(kind), (text) => part.setLabel(kind, text));
      this.side.replaceChildren(
        h("h3", {}, "Edge"),
        label("Select", "select"),
        label("Guard", "guard"),
        label("Synchronisation", "synchronisation"),
        label("Update", "assignment"),
        label("Comment", "comments"),
        h("p", { class: "hint" }, "Double-click the edge to add a nail, double-click a nail to remove it."),
      );
    } else {
      this.side.replaceChildren(
        h("h3", {}, "Template"),
        field("Name", template.name, (text) => {
          this.shown = text.trim();
          template.name = text.trim();
        }),
        field("Parameters", template.parameter, (text) => (template.parameter = text)),
        h("div", { class: "field" }, coloured("Declarations of the template", template.declaration, (text) => (template.declaration = text))),
        button("Remove template", "Remove this template", () => app.model.removeTemplate(template), { class: "danger" }),
      );
    }
  }

  private key(template: Template): string {
    const index = this.selected ? [...template.element.children].indexOf(this.selected) : -1;
    return `${template.name} ${index} ${this.selected ? "" : app.name}`;
  }

  /** Mouse and keyboard on the drawing. */
  private listen(): void {
    const svg = this.canvas.svg;
    let drag: { last: Point; act: (by: Point, at: Point) => void; begun: boolean } | null = null;
    svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      svg.focus();
      const at = this.canvas.point(event);
      const template = this.template;
      if (!template) return;
      const part = this.part(owner(event.target));
      if (this.tool === "location") {
        const made = template.addLocation(at);
        this.use("select");
        this.select(made.element);
        return;
      }
      if (this.tool === "edge") {
        this.edgeClick(template, part, at);
        return;
      }
      this.select(part?.element ?? null);
      svg.setPointerCapture(event.pointerId);
      drag = { last: at, begun: false, act: this.dragging(part, event) };
    });
    svg.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const at = this.canvas.point(event);
      const by = { x: at.x - drag.last.x, y: at.y - drag.last.y };
      if (!drag.begun && Math.hypot(by.x, by.y) < this.canvas.visible.width / 300) return;
      drag.begun = true;
      drag.act(by, at);
      drag.last = this.canvas.point(event);
    });
    svg.addEventListener("pointerup", () => (drag = null));
    svg.addEventListener("dblclick", (event) => {
      const part = this.part(owner(event.target));
      if (part instanceof Edge) this.nail(part, event);
      else this.side.querySelector("textarea")?.focus();
    });
    svg.addEventListener("keydown", (event) => this.key_pressed(event));
  }

  private dragging(part: Place | Edge | null, event: PointerEvent): (by: Point, at: Point) => void {
    let first = true;
    const change = (act: () => void): void => {
      if (first) app.model.change(act);
      else app.model.amend(act);
      first = false;
    };
    const nail = (event.target as Element).getAttribute("data-nail");
    if (part instanceof Edge && nail !== null) {
      return (_, at) => change(() => part.moveNail(Number(nail), at));
    }
    if (part instanceof Place) {
      return (by) =>
        change(() => {
          this.keepLayout(part.template);
          part.shift(by);
        });
    }
    return (by) => this.canvas.pan(by);
  }

  /** A layout that was made up becomes the model's own before something in it is moved. */
  private keepLayout(template: Template): void {
    const { at } = placement(template);
    for (const one of template.locations) {
      const point = at.get(one.id);
      if (!one.at && point) {
        one.element.setAttribute("x", String(point.x));
        one.element.setAttribute("y", String(point.y));
      }
    }
  }

  private edgeClick(template: Template, part: Place | Edge | null, at: Point): void {
    if (part instanceof Place && !this.pending) {
      this.pending = { from: part, nails: [] };
      this.select(part.element);
    } else if (part instanceof Place && this.pending) {
      const edge = template.addEdge(this.pending.from, part, this.pending.nails);
      this.pending = null;
      this.use("select");
      this.select(edge.element);
    } else if (this.pending) {
      this.pending.nails.push(at);
    }
  }

  private nail(edge: Edge, event: MouseEvent): void {
    const nail = (event.target as Element).getAttribute("data-nail");
    if (nail !== null) {
      edge.removeNail(Number(nail));
      return;
    }
    const at = this.canvas.point(event);
    const places = placement(edge.template).at;
    const points = [places.get(edge.source), ...edge.nails, places.get(edge.target)];
    let best = { index: 0, distance: Infinity };
    for (let index = 0; index + 1 < points.length; index += 1) {
      const distance = toSegment(at, points[index]!, points[index + 1]!);
      if (distance < best.distance) best = { index, distance };
    }
    edge.addNail(best.index, at);
  }

  private key_pressed(event: KeyboardEvent): void {
    const step = event.shiftKey ? 1 : 10;
    const arrows: Record<string, Point> = {
      ArrowLeft: { x: -step, y: 0 },
      ArrowRight: { x: step, y: 0 },
      ArrowUp: { x: 0, y: -step },
      ArrowDown: { x: 0, y: step },
    };
    const by = arrows[event.key];
    const part = this.part(this.selected);
    if (by && part instanceof Place) app.model.change(() => part.shift(by));
    else if (by) this.canvas.pan({ x: -4 * by.x, y: -4 * by.y });
    else if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (event.key === "Escape") {
      this.use("select");
      this.select(null);
    } else if (event.key === "l" && !event.ctrlKey) this.use("location");
    else if (event.key === "e" && !event.ctrlKey) this.use("edge");
    else if (event.key === "f" && !event.ctrlKey) this.canvas.fit();
    else if (event.key === "Tab" && this.template) {
      this.next(event);
      return;
    } else if (event.key === "Enter") this.side.querySelector("textarea")?.focus();
    else return;
    event.preventDefault();
  }

  /** The tabulator goes through the parts, and leaves the drawing behind the last one. */
  private next(event: KeyboardEvent): void {
    const all = [...this.template!.locations, ...this.template!.edges].map((one) => one.element);
    const index = this.selected ? all.indexOf(this.selected) : -1;
    const to = all[index + (event.shiftKey ? -1 : 1)];
    if (!to) return;
    event.preventDefault();
    this.select(to);
  }
}

function toSegment(at: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const part = Math.max(0, Math.min(1, ((at.x - a.x) * dx + (at.y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(at.x - a.x - part * dx, at.y - a.y - part * dy);
}
