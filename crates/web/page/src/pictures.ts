// A way through the model as pictures: a message-sequence chart, and a Gantt chart on a true time axis. Both show a window
// around the step that is looked at, so that a trace of ten thousand steps stays usable.

import { s } from "./dom";
import type { Walk } from "./walk";

/** Steps shown before and behind the one that is looked at. */
const AROUND = 25;
const [COLUMN, ROW, HEAD] = [130, 26, 34];
const MOST_COLUMNS = 24;

/** The steps that are shown. */
export function windowOf(walk: Walk): { from: number; to: number } {
  const from = Math.max(0, walk.at - AROUND);
  return { from, to: Math.min(walk.steps.length, from + 2 * AROUND) };
}

/** The processes that move within a window, the busiest where there are too many. */
function movers(walk: Walk, from: number, to: number): string[] {
  const moves = new Map<string, number>();
  for (const step of walk.steps.slice(from, to)) {
    for (const move of step.moves) moves.set(move.process, (moves.get(move.process) ?? 0) + 1);
  }
  const order = Object.keys(walk.states[0]?.locations ?? {});
  const busiest = [...moves.keys()].sort((a, b) => moves.get(b)! - moves.get(a)!).slice(0, MOST_COLUMNS);
  return busiest.sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

const short = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** The message-sequence chart. */
export function sequence(walk: Walk, go: (at: number) => void): SVGSVGElement {
  const { from, to } = windowOf(walk);
  const names = movers(walk, from, to);
  const left = 56;
  const width = left + COLUMN * Math.max(1, names.length);
  const height = HEAD + ROW * (to - from) + 20;
  const svg = s("svg", { class: "sequence", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Message-sequence chart, steps ${from + 1} to ${to}` });
  const x = (name: string): number => left + COLUMN * (names.indexOf(name) + 0.5);
  for (const name of names) {
    svg.append(
      s("text", { class: "head", x: x(name), y: 14 }, short(name, 18)),
      s("line", { class: "life", x1: x(name), x2: x(name), y1: 22, y2: height - 8 }),
    );
  }
  for (let index = from; index < to; index += 1) {
    const step = walk.steps[index]!;
    const y = HEAD + ROW * (index - from) + ROW / 2;
    const row = s("g", { class: index + 1 === walk.at ? "row current" : "row", onclick: () => go(index + 1) });
    row.append(s("rect", { class: "back", x: 0, y: y - ROW / 2, width, height: ROW }));
    row.append(s("text", { class: "time", x: 4, y: y + 4 }, step.time ?? String(index + 1)));
    const [sender, ...receivers] = step.moves.filter((move) => names.includes(move.process));
    if (sender) {
      for (const move of [sender, ...receivers]) {
        row.append(
          s("circle", { class: "event", cx: x(move.process), cy: y, r: 4 }),
          s("text", { class: "location", x: x(move.process) + 7, y: y + 13 }, short(move.target, 17)),
        );
      }
      for (const move of receivers) {
        const [a, b] = [x(sender.process), x(move.process)];
        const gap = a < b ? 5 : -5;
        row.append(s("line", { class: "message", x1: a + gap, x2: b - gap, y1: y, y2: y, "marker-end": "url(#arrow)" }));
      }
      if (step.channel) row.append(s("text", { class: "channel", x: x(sender.process) + 8, y: y - 4 }, short(step.channel, 20)));
    }
    svg.append(row);
  }
  return svg;
}

/** A rational as printed, as a number for drawing. */
export function number(text: string | null): number {
  if (text === null) return 0;
  const [above, below] = text.split("/");
  return Number(above) / Number(below ?? 1);
}

/** The Gantt chart: who was where, when. */
export function gantt(walk: Walk, go: (at: number) => void): SVGSVGElement | null {
  const { from, to } = windowOf(walk);
  if (!walk.steps.slice(from, to).every((step) => step.time !== null) || to === from) return null;
  const names = movers(walk, from, to);
  const start = from ? number(walk.steps[from - 1]!.time) : 0;
  const end = Math.max(start + 1e-9, number(walk.steps[to - 1]!.time));
  const [left, width, bar] = [130, 760, 20];
  const height = 24 + (bar + 6) * names.length + 22;
  const x = (time: number): number => left + ((time - start) / (end - start)) * (width - left - 20);
  const svg = s("svg", { class: "gantt", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `Gantt chart, time ${start} to ${end}` });
  names.forEach((name, row) => {
    const y = 18 + row * (bar + 6);
    svg.append(s("text", { class: "name", x: left - 6, y: y + 14 }, short(name, 18)));
    let since = start;
    let place = walk.states[from]?.locations[name] ?? "";
    const piece = (until: number): void => {
      if (until > since || until === end) {
        const part = s("g", {}, s("title", {}, `${name}.${place}: ${since} to ${until}`));
        const wide = x(until) - x(since);
        part.append(s("rect", { class: `piece shade-${shade(place)}`, x: x(since), y, width: Math.max(1, wide), height: bar }));
        if (wide > 40) part.append(s("text", { class: "place", x: x(since) + 4, y: y + 14 }, short(place, Math.floor(wide / 7))));
        svg.append(part);
      }
    };
    for (let index = from; index < to; index += 1) {
      const move = walk.steps[index]!.moves.find((one) => one.process === name);
      if (!move) continue;
      const time = number(walk.steps[index]!.time);
      piece(time);
      since = time;
      place = move.target;
    }
    piece(end);
  });
  const base = 18 + names.length * (bar + 6);
  svg.append(s("line", { class: "axis", x1: left, x2: width - 20, y1: base, y2: base }));
  const times = [...new Set(walk.steps.slice(from, to).map((step) => step.time!))];
  let last = -Infinity;
  for (const time of times) {
    const at = x(number(time));
    svg.append(s("line", { class: "tick", x1: at, x2: at, y1: base, y2: base + 4 }));
    if (at - last > 34) {
      svg.append(s("text", { class: "time", x: at, y: base + 16 }, time));
      last = at;
    }
  }
  if (walk.at > from) {
    const at = x(number(walk.steps[walk.at - 1]?.time ?? null));
    svg.append(s("line", { class: "now", x1: at, x2: at, y1: 8, y2: base }));
  }
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const time = start + (((event.clientX - box.left) / box.width) * width - left) / (width - left - 20) * (end - start);
    let index = from;
    while (index < to && number(walk.steps[index]!.time) <= time) index += 1;
    go(index);
  });
  return svg;
}

/** One of eight shades, the same for the same name. */
function shade(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (sum * 31 + letter.codePointAt(0)!) % 8191;
  return sum % 8;
}

/** A picture as a file of its own: the page's style goes with it. */
export function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const [old, fresh] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  const wanted = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight", "text-anchor", "opacity"];
  old.forEach((one, index) => {
    const style = getComputedStyle(one);
    fresh[index]!.setAttribute("style", wanted.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
  });
  return new XMLSerializer().serializeToString(copy);
}
