// A small chart over the time of a run.

import { h, s } from "./dom";
import type { Figures } from "./protocol";

const [WIDTH, HEIGHT] = [260, 90];

/** A line; figures without a value are left out. */
export function chart(name: string, figures: Figures[], of: (figure: Figures) => number | null): HTMLElement {
  const points = figures.map((one) => ({ x: one.time_s, y: of(one) })).filter((one): one is { x: number; y: number } => one.y !== null);
  if (points.length < 2) return h("figure", { hidden: true });
  const end = points[points.length - 1]!.x || 1;
  const top = Math.max(1, ...points.map((one) => one.y));
  const place = (one: { x: number; y: number }): string => `${(one.x / end) * WIDTH} ${HEIGHT - (one.y / top) * HEIGHT}`;
  const path = points.map((one, index) => `${index ? "L" : "M"}${place(one)}`).join("");
  const svg = s("svg", { viewBox: `0 -4 ${WIDTH} ${HEIGHT + 8}`, role: "img", "aria-label": `${name} over time, at most ${Math.round(top)}` });
  svg.append(s("path", { class: "axis", d: `M0 0V${HEIGHT}H${WIDTH}` }), s("path", { class: "series", d: path }));
  const last = points[points.length - 1]!;
  const caption = `${name}: ${last.y.toLocaleString("en-US", { maximumFractionDigits: 1 })} now, at most ${top.toLocaleString("en-US", { maximumFractionDigits: 1 })}`;
  return h("figure", {}, svg as unknown as Node, h("figcaption", {}, caption));
}
