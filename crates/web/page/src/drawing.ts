// A template as a picture, as UPPAAL draws it: coordinates, nails, colours, and labels where they were put.

import { s } from "./dom";
import type { Edge, Place, Point, Template } from "./document";
import { isPlaced, place as layOut } from "./layout";

export const RADIUS = 14;

export interface Marks {
  /** The location that the process is in. */
  current?: Place | Element | null;
  /** Edges taken in this step. */
  taken?: Set<Element>;
  /** Elements with an error. */
  wrong?: Set<Element>;
  /** The selected element. */
  selected?: Element | null;
  /** How often edges and locations were visited. */
  visited?: Map<Element, number>;
}

export interface Drawing {
  svg: SVGGElement;
  box: { x: number; y: number; width: number; height: number };
  /** Where locations are drawn. */
  at: Map<string, Point>;
}

/** Where a template's parts stand; laid out where the file does not say. */
export interface Placement {
  at: Map<string, Point>;
  nails: (edge: Edge) => Point[];
}

const placements = new WeakMap<Element, { version: number; placement: Placement }>();

export function placement(template: Template): Placement {
  const known = placements.get(template.element);
  if (known && known.version === template.model.version) return known.placement;
  let result: Placement;
  if (isPlaced(template)) {
    const at = new Map(template.locations.map((one) => [one.id, one.at ?? { x: 0, y: 0 }]));
    result = { at, nails: (edge) => edge.nails };
  } else {
    const { places, nails } = layOut(template);
    result = { at: places, nails: (edge) => nails.get(edge.element) ?? [] };
  }
  placements.set(template.element, { version: template.model.version, placement: result });
  return result;
}

/** Draws a template. */
export function draw(template: Template, marks: Marks = {}): Drawing {
  const { at, nails } = placement(template);
  const edges = s("g", { class: "edges" });
  const places = s("g", { class: "places" });
  const box = new Box();
  const between = new Map<string, number>();
  for (const edge of template.edges) {
    const [from, to] = [at.get(edge.source), at.get(edge.target)];
    if (!from || !to) continue;
    const key = [edge.source, edge.target].sort().join(" ");
    const twin = between.get(key) ?? 0;
    between.set(key, twin + 1);
    edges.append(drawEdge(edge, route(from, to, nails(edge), twin), nails(edge), marks, box));
  }
  for (const one of template.locations) {
    const point = at.get(one.id);
    if (point) places.append(drawPlace(one, point, template.initial === one.id, marks, box));
  }
  return { svg: s("g", {}, edges, places), box: box.with(40), at };
}

class Box {
  private low = { x: Infinity, y: Infinity };
  private high = { x: -Infinity, y: -Infinity };

  add(at: Point, width = 0, height = 0): void {
    this.low = { x: Math.min(this.low.x, at.x), y: Math.min(this.low.y, at.y) };
    this.high = { x: Math.max(this.high.x, at.x + width), y: Math.max(this.high.y, at.y + height) };
  }

  with(margin: number): { x: number; y: number; width: number; height: number } {
    if (this.low.x > this.high.x) return { x: -200, y: -150, width: 400, height: 300 };
    return {
      x: this.low.x - margin,
      y: this.low.y - margin,
      width: this.high.x - this.low.x + 2 * margin,
      height: this.high.y - this.low.y + 2 * margin,
    };
  }
}

/** The points of an edge, its ends at the circles' borders. */
function route(from: Point, to: Point, nails: Point[], twin: number): Point[] {
  let middle = nails;
  if (!middle.length && from.x === to.x && from.y === to.y) {
    const width = 34 + 14 * twin;
    middle = [
      { x: from.x - width, y: from.y - 44 },
      { x: from.x + width, y: from.y - 44 },
    ];
  } else if (!middle.length && twin) {
    // Several edges between the same two: each bends aside.
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const side = (twin % 2 ? 1 : -1) * 26 * Math.ceil(twin / 2);
    middle = [{ x: (from.x + to.x) / 2 - (dy / length) * side, y: (from.y + to.y) / 2 + (dx / length) * side }];
  }
  const points = [from, ...middle, to];
  points[0] = towards(from, points[1]!);
  points[points.length - 1] = towards(to, points[points.length - 2]!);
  return points;
}

function towards(centre: Point, other: Point): Point {
  const length = Math.hypot(other.x - centre.x, other.y - centre.y) || 1;
  const part = Math.min(1, RADIUS / length);
  return { x: centre.x + (other.x - centre.x) * part, y: centre.y + (other.y - centre.y) * part };
}

/** The middle of a way, for labels that were not put anywhere. */
function middle(points: Point[]): Point {
  const index = Math.floor((points.length - 1) / 2);
  const [a, b] = [points[index]!, points[index + 1] ?? points[index]!];
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function drawEdge(edge: Edge, points: Point[], nails: Point[], marks: Marks, box: Box): SVGGElement {
  for (const one of points) box.add(one);
  const path = points.map((one, index) => `${index ? "L" : "M"}${one.x} ${one.y}`).join("");
  const taken = marks.taken?.has(edge.element);
  const classes = ["edge"];
  if (taken) classes.push("taken");
  if (marks.wrong?.has(edge.element)) classes.push("wrong");
  if (marks.selected === edge.element) classes.push("selected");
  if (marks.visited) classes.push(marks.visited.get(edge.element) ? "visited" : "unvisited");
  const group = s("g", { class: classes.join(" ") });
  const line = s("path", { class: "line", d: path, "marker-end": taken ? "url(#arrow-taken)" : "url(#arrow)" });
  if (edge.colour && !taken) line.setAttribute("stroke", edge.colour);
  group.append(line, s("path", { class: "grip", d: path }));
  nails.forEach((one, index) => group.append(s("circle", { class: "nail", cx: one.x, cy: one.y, r: 4, "data-nail": index })));
  let offset = 0;
  for (const { kind, text, at } of edge.texts) {
    const anchor = at ?? { x: middle(points).x + 6, y: middle(points).y + offset };
    if (!at) offset += 15 * text.split("\n").length;
    group.append(drawText(kind, text, anchor, box));
  }
  own(group, edge.element);
  return group;
}

function drawPlace(one: Place, at: Point, initial: boolean, marks: Marks, box: Box): SVGGElement {
  box.add({ x: at.x - RADIUS, y: at.y - RADIUS }, 2 * RADIUS, 2 * RADIUS);
  const current = marks.current instanceof Element ? marks.current : marks.current?.element;
  const classes = ["place", one.kind];
  if (current === one.element) classes.push("current");
  if (marks.wrong?.has(one.element)) classes.push("wrong");
  if (marks.selected === one.element) classes.push("selected");
  if (marks.visited) classes.push(marks.visited.get(one.element) ? "visited" : "unvisited");
  const group = s("g", { class: classes.join(" ") });
  if (one.isBranchpoint) {
    group.append(s("circle", { class: "branchpoint", cx: at.x, cy: at.y, r: 5 }));
  } else {
    const circle = s("circle", { class: "circle", cx: at.x, cy: at.y, r: RADIUS });
    if (one.colour && current !== one.element) circle.style.fill = one.colour;
    group.append(circle);
    if (initial) group.append(s("circle", { class: "inner", cx: at.x, cy: at.y, r: RADIUS - 4 }));
    const letter = one.kind === "committed" ? "C" : one.kind === "urgent" ? "U" : "";
    if (letter) group.append(s("text", { class: "letter", x: at.x, y: at.y + 4 }, letter));
  }
  let offset = RADIUS + 14;
  for (const { kind, text, at: put } of one.texts) {
    const anchor = put ?? { x: at.x + RADIUS + 4, y: at.y + offset - RADIUS - 8 };
    if (!put) offset += 15 * text.split("\n").length;
    group.append(drawText(kind, text, anchor, box));
  }
  own(group, one.element);
  return group;
}

function drawText(kind: string, text: string, at: Point, box: Box): SVGTextElement {
  const element = s("text", { class: `label ${kind}`, x: at.x, y: at.y + 12 });
  const lines = text.split("\n");
  lines.forEach((line, index) => element.append(s("tspan", { x: at.x, dy: index ? 15 : 0 }, line)));
  box.add(at, 6.6 * Math.max(...lines.map((line) => line.length)), 15 * lines.length);
  return element;
}

const owners = new WeakMap<Element, Element>();

function own(drawn: Element, element: Element): void {
  owners.set(drawn, element);
}

/** The part of the model that a drawn element belongs to. */
export function owner(of: EventTarget | null): Element | null {
  for (let one = of as Element | null; one; one = one.parentElement) {
    const found = owners.get(one);
    if (found) return found;
  }
  return null;
}

/** What every drawing needs once: the arrowheads. */
export function arrows(): SVGDefsElement {
  const arrow = (id: string, name: string): SVGMarkerElement =>
    s(
      "marker",
      { id, class: name, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" },
      s("path", { d: "M0 0L10 5L0 10L3 5z" }),
    );
  return s("defs", {}, arrow("arrow", "arrow"), arrow("arrow-taken", "arrow taken"));
}

/** A drawing that can be moved and zoomed. */
export class Canvas {
  readonly svg = s("svg", { class: "canvas", tabindex: 0, role: "img" });
  private readonly content = s("g");
  private box = { x: 0, y: 0, width: 100, height: 100 };
  private view = { x: 0, y: 0, width: 100, height: 100 };
  onview: () => void = () => {};

  constructor(label: string) {
    this.svg.setAttribute("aria-label", label);
    this.svg.append(arrows(), this.content);
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, this.point(event));
    }, { passive: false });
  }

  show(drawing: Drawing, keep: boolean): void {
    this.content.replaceChildren(drawing.svg);
    this.box = drawing.box;
    if (!keep) this.fit();
  }

  get whole(): { x: number; y: number; width: number; height: number } {
    return this.box;
  }

  get visible(): { x: number; y: number; width: number; height: number } {
    return this.view;
  }

  fit(): void {
    this.set({ ...this.box });
  }

  set(view: { x: number; y: number; width: number; height: number }): void {
    this.view = view;
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    this.onview();
  }

  zoom(factor: number, around?: Point): void {
    const { x, y, width, height } = this.view;
    const centre = around ?? { x: x + width / 2, y: y + height / 2 };
    if (width * factor > 1e6 || width * factor < 20) return;
    this.set({
      x: centre.x - (centre.x - x) * factor,
      y: centre.y - (centre.y - y) * factor,
      width: width * factor,
      height: height * factor,
    });
  }

  pan(by: Point): void {
    this.set({ ...this.view, x: this.view.x - by.x, y: this.view.y - by.y });
  }

  centre(at: Point): void {
    this.set({ ...this.view, x: at.x - this.view.width / 2, y: at.y - this.view.height / 2 });
  }

  /** Where the mouse is, in the drawing's coordinates. */
  point(event: MouseEvent): Point {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return { x: 0, y: 0 };
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x: at.x, y: at.y };
  }
}
