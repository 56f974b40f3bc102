// Where locations stand that have no coordinates: a layered layout from the initial location.

import { Graph, layout } from "@dagrejs/dagre";
import type { Point, Template } from "./document";

/** Whether a template says where its locations are: not all at one point. */
export function isPlaced(template: Template): boolean {
  const places = template.locations.map((one) => one.at);
  if (places.some((at) => at === null)) return false;
  return places.length < 2 || new Set(places.map((at) => `${at!.x},${at!.y}`)).size > 1;
}

/** A point for each location, and way points for each edge. */
export function place(template: Template): { places: Map<string, Point>; nails: Map<Element, Point[]> } {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 90, ranksep: 90, edgesep: 40 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const one of template.locations) {
    graph.setNode(one.id, { width: Math.max(40, 8 * one.name.length), height: 40 });
  }
  const edges = template.edges;
  edges.forEach((edge, index) => {
    if (!graph.hasNode(edge.source) || !graph.hasNode(edge.target)) return;
    const widest = Math.max(0, ...edge.texts.flatMap((one) => one.text.split("\n")).map((line) => line.length));
    const label = { width: Math.min(160, 7 * widest), height: 16 * edge.texts.length, labelpos: "c" };
    graph.setEdge(edge.source, edge.target, label, String(index));
  });
  layout(graph);
  const places = new Map<string, Point>();
  for (const id of graph.nodes()) {
    const { x, y } = graph.node(id) as unknown as Point;
    places.set(id, { x: Math.round(x), y: Math.round(y) });
  }
  const nails = new Map<Element, Point[]>();
  for (const edge of graph.edges()) {
    const points = (graph.edge(edge) as unknown as { points: Point[] }).points;
    const element = edges[Number(edge.name)]?.element;
    if (element) nails.set(element, points.slice(1, -1).map((one) => ({ x: Math.round(one.x), y: Math.round(one.y) })));
  }
  return { places, nails };
}
