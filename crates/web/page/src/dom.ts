// Small helpers to build elements.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.replace(/^on/, ""), value as unknown as EventListener);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
}

/** An HTML element with attributes (functions are listeners) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

/** A button with a name for screen readers and a hint. */
export function button(text: string, title: string, act: (event: MouseEvent) => void, more: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", title, "aria-label": title, onclick: act as (event: never) => void, ...more }, text);
}

/** Calls `act` once things have been quiet for a while. */
export function later(milliseconds: number, act: () => void): () => void {
  let timer: number | undefined;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(act, milliseconds);
  };
}

/** `1,234,567` and `12.3 MiB`. */
export const count = (value: number): string => Math.round(value).toLocaleString("en-US");
export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (value >= 1024 && unit < 3) {
    value /= 1024;
    unit += 1;
  }
  return `${unit ? value.toFixed(1) : value} ${units[unit]}`;
}
export const seconds = (value: number): string =>
  value < 0.001 ? "< 1 ms" : value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(value < 10 ? 2 : 1)} s`;
