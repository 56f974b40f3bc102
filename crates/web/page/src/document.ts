// The model as an XML document that is edited in place: what UPPAAL wrote there and we do not know survives.

export interface Point {
  x: number;
  y: number;
}

const DECLARATION = /^\s*<\?xml[^>]*\?>\s*/;

/** Where text, elements and undo meet. */
export class Model {
  private xml: XMLDocument;
  private readonly head: string;
  private past: string[] = [];
  private future: string[] = [];
  /** Counts changes. */
  version = 0;
  onchange: () => void = () => {};

  constructor(text: string) {
    this.head = DECLARATION.exec(text)?.[0].trimStart() ?? "";
    this.xml = parse(text);
  }

  /** Whether the text is XML at all. */
  static readable(text: string): boolean {
    return parse(text).querySelector("parsererror") === null;
  }

  get text(): string {
    // Some browsers write the declaration themselves.
    const body = new XMLSerializer().serializeToString(this.xml).replace(DECLARATION, "");
    return `${this.head}${body}\n`;
  }

  get templates(): Template[] {
    return children(this.xml.documentElement, "template").map((element) => new Template(this, element));
  }

  template(name: string): Template | undefined {
    return this.templates.find((one) => one.name === name);
  }

  get declaration(): string {
    return child(this.xml.documentElement, "declaration")?.textContent ?? "";
  }

  set declaration(text: string) {
    this.change(() => setText(this.xml.documentElement, "declaration", text, ["template", "instantiation", "system", "queries"]));
  }

  get system(): string {
    return child(this.xml.documentElement, "system")?.textContent ?? "";
  }

  set system(text: string) {
    this.change(() => setText(this.xml.documentElement, "system", text, ["queries"]));
  }

  get queries(): { formula: string; comment: string }[] {
    return this.queryElements().map((one) => ({
      formula: child(one, "formula")?.textContent ?? "",
      comment: child(one, "comment")?.textContent ?? "",
    }));
  }

  setQuery(index: number, formula: string, comment: string): void {
    this.change(() => {
      const root = this.xml.documentElement;
      const all = child(root, "queries") ?? root.appendChild(this.xml.createElement("queries"));
      const query = this.queryElements()[index] ?? all.appendChild(this.xml.createElement("query"));
      setText(query, "formula", formula, ["comment"]);
      if (comment || child(query, "comment")) setText(query, "comment", comment, ["option", "expect", "result"]);
      // What was recorded of another formula says nothing of this one.
      for (const old of children(query, "result")) old.remove();
    });
  }

  removeQuery(index: number): void {
    this.change(() => this.queryElements()[index]?.remove());
  }

  private queryElements(): Element[] {
    const all = child(this.xml.documentElement, "queries");
    return all ? children(all, "query") : [];
  }

  addTemplate(): Template {
    const names = new Set(this.templates.map((one) => one.name));
    let number = 1;
    while (names.has(`Template${number}`)) number += 1;
    const element = this.xml.createElement("template");
    this.change(() => {
      setText(element, "name", `Template${number}`, []);
      const root = this.xml.documentElement;
      root.insertBefore(element, child(root, "instantiation") ?? child(root, "system") ?? child(root, "queries"));
    });
    return new Template(this, element);
  }

  removeTemplate(template: Template): void {
    this.change(() => template.element.remove());
  }

  /** The element that a diagnostic's path names. */
  at(xpath: string): Element | null {
    try {
      const found = this.xml.evaluate(xpath, this.xml, null, XPathResult.FIRST_ORDERED_NODE_TYPE, null).singleNodeValue;
      return found instanceof Element ? found : null;
    } catch {
      return null;
    }
  }

  /** Makes a change that can be taken back. */
  change(act: () => void): void {
    this.past.push(this.text);
    if (this.past.length > 200) this.past.shift();
    this.future = [];
    act();
    this.touched();
  }

  /** Makes a further part of the last change: a drag is one change, not a hundred. */
  amend(act: () => void): void {
    act();
    this.touched();
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  undo(): void {
    this.travel(this.past, this.future);
  }

  redo(): void {
    this.travel(this.future, this.past);
  }

  private travel(from: string[], to: string[]): void {
    const text = from.pop();
    if (text === undefined) return;
    to.push(this.text);
    this.xml = parse(text);
    this.touched();
  }

  private touched(): void {
    this.version += 1;
    this.onchange();
  }

  create(name: string): Element {
    return this.xml.createElement(name);
  }
}

export type LabelKind = "select" | "guard" | "synchronisation" | "assignment" | "invariant" | "comments" | "exponentialrate" | "probability";

/** A template of the document; cheap, made anew whenever it is needed. */
export class Template {
  constructor(
    readonly model: Model,
    readonly element: Element,
  ) {}

  get name(): string {
    return (child(this.element, "name")?.textContent ?? "").trim();
  }

  set name(text: string) {
    this.model.change(() => setText(this.element, "name", text, ["parameter", "declaration", "location"]));
  }

  get parameter(): string {
    return child(this.element, "parameter")?.textContent ?? "";
  }

  set parameter(text: string) {
    this.model.change(() => setText(this.element, "parameter", text, ["declaration", "location", "branchpoint", "init", "transition"]));
  }

  get declaration(): string {
    return child(this.element, "declaration")?.textContent ?? "";
  }

  set declaration(text: string) {
    this.model.change(() => setText(this.element, "declaration", text, ["location", "branchpoint", "init", "transition"]));
  }

  get locations(): Place[] {
    const branchpoints = children(this.element, "branchpoint");
    return [...children(this.element, "location"), ...branchpoints].map((one) => new Place(this, one));
  }

  get edges(): Edge[] {
    return children(this.element, "transition").map((one) => new Edge(this, one));
  }

  get initial(): string | null {
    return child(this.element, "init")?.getAttribute("ref") ?? null;
  }

  setInitial(place: Place): void {
    this.model.change(() => {
      const init = child(this.element, "init") ?? this.model.create("init");
      init.setAttribute("ref", place.id);
      if (!init.parentNode) this.element.insertBefore(init, child(this.element, "transition"));
    });
  }

  addLocation(at: Point): Place {
    const used = new Set([...this.element.ownerDocument.querySelectorAll("location, branchpoint")].map((one) => one.id || one.getAttribute("id")));
    let number = 0;
    while (used.has(`id${number}`)) number += 1;
    const element = this.model.create("location");
    this.model.change(() => {
      element.setAttribute("id", `id${number}`);
      move(element, at);
      const before = children(this.element, "branchpoint")[0] ?? child(this.element, "init") ?? child(this.element, "transition");
      this.element.insertBefore(element, before ?? null);
      if (!this.initial) {
        const init = this.model.create("init");
        init.setAttribute("ref", `id${number}`);
        this.element.insertBefore(init, child(this.element, "transition"));
      }
    });
    return new Place(this, element);
  }

  addEdge(source: Place, target: Place, nails: Point[]): Edge {
    const element = this.model.create("transition");
    this.model.change(() => {
      for (const [name, place] of [["source", source], ["target", target]] as const) {
        const end = this.model.create(name);
        end.setAttribute("ref", place.id);
        element.append(end);
      }
      for (const nail of nails) element.append(nailAt(this.model, nail));
      this.element.append(element);
    });
    return new Edge(this, element);
  }

  /** Removes a location with its edges, or an edge. */
  remove(one: Place | Edge): void {
    this.model.change(() => {
      if (one instanceof Place) {
        for (const edge of this.edges) if (edge.source === one.id || edge.target === one.id) edge.element.remove();
        if (this.initial === one.id) child(this.element, "init")?.remove();
      }
      one.element.remove();
    });
  }
}

/** A location or a branch point. */
export class Place {
  constructor(
    readonly template: Template,
    readonly element: Element,
  ) {}

  get id(): string {
    return this.element.getAttribute("id") ?? "";
  }

  get isBranchpoint(): boolean {
    return this.element.localName === "branchpoint";
  }

  get name(): string {
    return (child(this.element, "name")?.textContent ?? "").trim();
  }

  get at(): Point | null {
    return point(this.element);
  }

  get colour(): string | null {
    return this.element.getAttribute("color");
  }

  /** Committed wins, as in UPPAAL. */
  get kind(): "committed" | "urgent" | "plain" {
    if (child(this.element, "committed")) return "committed";
    return child(this.element, "urgent") ? "urgent" : "plain";
  }

  setKind(kind: "committed" | "urgent" | "plain"): void {
    this.template.model.change(() => {
      for (const name of ["committed", "urgent"]) child(this.element, name)?.remove();
      if (kind !== "plain") this.element.append(this.template.model.create(kind));
    });
  }

  setName(text: string): void {
    this.template.model.change(() => {
      if (text) setText(this.element, "name", text, ["label", "urgent", "committed"]);
      else child(this.element, "name")?.remove();
    });
  }

  label(kind: LabelKind): string {
    return labelOf(this.element, kind)?.textContent ?? "";
  }

  setLabel(kind: LabelKind, text: string): void {
    this.template.model.change(() => setLabel(this.template.model, this.element, kind, text, ["urgent", "committed"]));
  }

  /** Labels as they are drawn. */
  get texts(): { kind: string; text: string; at: Point | null }[] {
    return texts(this.element);
  }

  /** Moves the location with its labels. */
  shift(by: Point): void {
    const at = this.at ?? { x: 0, y: 0 };
    move(this.element, { x: at.x + by.x, y: at.y + by.y });
    for (const one of this.element.children) {
      const place = point(one);
      if (place) move(one, { x: place.x + by.x, y: place.y + by.y });
    }
  }
}

/** An edge. */
export class Edge {
  constructor(
    readonly template: Template,
    readonly element: Element,
  ) {}

  get source(): string {
    return child(this.element, "source")?.getAttribute("ref") ?? "";
  }

  get target(): string {
    return child(this.element, "target")?.getAttribute("ref") ?? "";
  }

  get nails(): Point[] {
    return children(this.element, "nail").map((one) => point(one) ?? { x: 0, y: 0 });
  }

  get colour(): string | null {
    return this.element.getAttribute("color");
  }

  addNail(index: number, at: Point): void {
    this.template.model.change(() => {
      const nails = children(this.element, "nail");
      this.element.insertBefore(nailAt(this.template.model, at), nails[index] ?? null);
    });
  }

  removeNail(index: number): void {
    this.template.model.change(() => children(this.element, "nail")[index]?.remove());
  }

  moveNail(index: number, at: Point): void {
    const nail = children(this.element, "nail")[index];
    if (nail) move(nail, at);
  }

  label(kind: LabelKind): string {
    return labelOf(this.element, kind)?.textContent ?? "";
  }

  setLabel(kind: LabelKind, text: string): void {
    this.template.model.change(() => setLabel(this.template.model, this.element, kind, text, ["nail"]));
  }

  get texts(): { kind: string; text: string; at: Point | null }[] {
    return texts(this.element);
  }
}

function parse(text: string): XMLDocument {
  return new DOMParser().parseFromString(text.replace(/^﻿/, "").trimStart(), "application/xml");
}

export function children(of: Element, name: string): Element[] {
  return [...of.children].filter((one) => one.localName === name);
}

function child(of: Element, name: string): Element | null {
  return children(of, name)[0] ?? null;
}

function point(of: Element): Point | null {
  const [x, y] = [of.getAttribute("x"), of.getAttribute("y")];
  if (x === null || y === null) return null;
  const at = { x: Number(x), y: Number(y) };
  return Number.isFinite(at.x) && Number.isFinite(at.y) ? at : null;
}

export function move(element: Element, at: Point): void {
  element.setAttribute("x", String(Math.round(at.x)));
  element.setAttribute("y", String(Math.round(at.y)));
}

/** Sets the text of a child, which is made before the first of `followers` where it is not there. */
function setText(of: Element, name: string, text: string, followers: string[]): void {
  let element = child(of, name);
  if (!element) {
    element = of.ownerDocument.createElement(name);
    const next = [...of.children].find((one) => followers.includes(one.localName));
    of.insertBefore(element, next ?? null);
  }
  element.textContent = text;
}

function labelOf(of: Element, kind: string): Element | undefined {
  return children(of, "label").find((one) => one.getAttribute("kind") === kind);
}

function setLabel(model: Model, of: Element, kind: string, text: string, followers: string[]): void {
  const old = labelOf(of, kind);
  if (!text) {
    old?.remove();
  } else if (old) {
    old.textContent = text;
  } else {
    const label = model.create("label");
    label.setAttribute("kind", kind);
    label.textContent = text;
    const next = [...of.children].find((one) => followers.includes(one.localName));
    of.insertBefore(label, next ?? null);
  }
}

function texts(of: Element): { kind: string; text: string; at: Point | null }[] {
  const named = [...children(of, "name"), ...children(of, "label")];
  return named
    .map((one) => ({ kind: one.getAttribute("kind") ?? "name", text: (one.textContent ?? "").trim(), at: point(one) }))
    .filter((one) => one.text !== "");
}

function nailAt(model: Model, at: Point): Element {
  const nail = model.create("nail");
  move(nail, at);
  return nail;
}

/** What a new model begins with. */
export const EMPTY = `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
	<declaration>// Variables, clocks and channels of all processes.
</declaration>
	<template>
		<name>Template1</name>
	</template>
	<system>system Template1;
</system>
	<queries>
	</queries>
</nta>
`;
