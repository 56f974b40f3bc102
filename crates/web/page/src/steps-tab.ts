// Steps through a way: the automata with their current locations and the edges taken, the variables, the pictures.

import { app } from "./app";
import { button, h } from "./dom";
import { arrows, draw } from "./drawing";
import { gantt, sequence, standalone } from "./pictures";
import { s } from "./dom";
import { walk } from "./walk";

/** Automata drawn at once; the others are a click away. */
const MOST_AUTOMATA = 9;
/** Rows of a list that are in the page at once. */
const ROWS = 200;

export class StepsTab {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
  private readonly where = h("output", { class: "where", "aria-live": "polite" });
  private readonly bar = h("div", { class: "bar" });
  private readonly automata = h("div", { class: "automata", "aria-label": "Automata" });
  private readonly values = h("div", { class: "values", "aria-label": "State" });
  private readonly pictures = h("div", { class: "pictures" });
  private readonly list = h("ol", { class: "steps", "aria-label": "Steps" });
  private readonly choices = h("div", { class: "choices", "aria-label": "What can come next" });
  private readonly filter = h("input", { type: "search", placeholder: "processes: all that move, or names", "aria-label": "Processes to draw" });
  private playing: number | undefined;

  constructor(
    id: string,
    private readonly simulator: boolean,
  ) {
    this.element = h("section", { class: `tab steps-tab ${simulator ? "simulator" : "trace"}`, id: `tab-${id}`, role: "tabpanel", hidden: true, tabindex: -1 });
    this.slider.addEventListener("input", () => walk.go(Number(this.slider.value)));
    this.filter.addEventListener("input", () => this.drawAutomata());
    this.bar.append(
      button("|◀", "To the start (Home)", () => walk.go(0)),
      button("◀", "One step back (Left)", () => walk.go(walk.at - 1)),
      button("▶", "One step on (Right)", () => walk.go(walk.at + 1)),
      button("▶|", "To the end (End)", () => walk.go(walk.steps.length)),
      this.slider,
      this.where,
    );
    if (simulator) {
      this.bar.append(
        button("Restart", "Walk from the initial state", () => this.act(walk.simulate(false))),
        button("Undo", "Take back the last step (U)", () => this.act(walk.back())),
        button("Random", "Take any transition (R)", () => this.act(this.random())),
        button("Save as trace", "Save the walk as JSON", () => this.save("walk.json", JSON.stringify({ steps: walk.steps, states: walk.states }, null, 2), "application/json")),
      );
    } else {
      this.bar.append(
        button("Play", "Step by itself", () => this.play()),
        button("Go on from here", "Open this state in the simulator", () => this.goOn()),
        button("JSON", "Save the trace as JSON", () => this.save("trace.json", JSON.stringify(walk.trace ?? walk.states, null, 2), "application/json")),
        button("Text", "Save the trace as text", () => this.save("trace.txt", this.asText(), "text/plain")),
        button("SVG", "Save the pictures as SVG", () => this.savePictures()),
        button("PNG", "Save the sequence chart as PNG", () => void this.savePng()),
        button("Link", "A link that restores model, query and step", () => this.link()),
      );
    }
    const right = h("div", { class: "right" }, simulator ? this.choices : "", this.values, this.list);
    this.element.append(this.bar, h("div", { class: "stage" }, h("div", { class: "left" }, this.filter, this.automata, this.pictures), right));
    app.on("trace", () => this.update());
    app.on("shown", () => this.update());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  private act(work: Promise<void>): void {
    work.catch((error: unknown) => app.say((error as Error).message, true));
  }

  private async random(): Promise<void> {
    const one = walk.enabled[Math.floor(Math.random() * walk.enabled.length)];
    if (one) await walk.take(one);
  }

  private goOn(): void {
    if (!walk.canSimulate) {
      app.say("the simulator cannot follow this trace: it has no edge numbers", true);
      return;
    }
    app.tab = "simulator";
    app.tell("tab");
    this.act(walk.simulate(true));
  }

  private play(): void {
    if (this.playing !== undefined) {
      window.clearInterval(this.playing);
      this.playing = undefined;
      return;
    }
    this.playing = window.setInterval(() => {
      if (walk.at >= walk.steps.length) this.play();
      else walk.go(walk.at + 1);
    }, 600);
  }

  private key(event: KeyboardEvent): void {
    if (this.element.hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element | null)?.closest?.("dialog, [role=tablist]")) return;
    if (event.target instanceof HTMLTextAreaElement || (event.target instanceof HTMLInputElement && event.target !== this.slider)) return;
    const to: Record<string, number> = { ArrowLeft: walk.at - 1, ArrowRight: walk.at + 1, Home: 0, End: walk.steps.length, PageUp: walk.at - 10, PageDown: walk.at + 10 };
    if (event.key in to) walk.go(to[event.key]!);
    else if (this.simulator && /^[1-9]$/.test(event.key)) {
      const one = walk.enabled[Number(event.key) - 1];
      if (one) this.act(walk.take(one));
    } else if (this.simulator && event.key === "u") this.act(walk.back());
    else if (this.simulator && event.key === "r") this.act(this.random());
    else return;
    event.preventDefault();
  }

  private update(): void {
    if (this.element.hidden) return;
    if (this.simulator && walk.isStale && app.view?.usable && !app.view.system) {
      this.act(walk.simulate(false));
      return;
    }
    this.slider.max = String(walk.steps.length);
    this.slider.value = String(walk.at);
    const time = walk.at ? walk.steps[walk.at - 1]?.time : "0";
    this.where.textContent = walk.states.length ? `state ${walk.at} of ${walk.steps.length}${time ? `, time ${time}` : ""}` : "";
    if (!walk.states.length) {
      this.automata.replaceChildren(h("p", { class: "hint" }, this.simulator ? "This model cannot be simulated." : "No trace yet: check a query, then press Trace."));
      for (const one of [this.values, this.pictures, this.list, this.choices]) one.replaceChildren();
      return;
    }
    this.drawAutomata();
    this.drawValues();
    this.drawPictures();
    this.drawList();
    if (this.simulator) this.drawChoices();
  }

  /** The automata: those that move in this step first, or those that the filter names. */
  private drawAutomata(): void {
    const state = walk.states[walk.at];
    const step = walk.at ? walk.steps[walk.at - 1] : undefined;
    if (!state || !app.view) return;
    const wanted = this.filter.value.split(/[\s,]+/).filter(Boolean);
    const moving = new Set(step?.moves.map((move) => move.process));
    const recent = walk.steps.slice(Math.max(0, walk.at - 40), walk.at + 40).flatMap((one) => one.moves.map((move) => move.process));
    const named = app.view.processes.filter((one) => (wanted.length ? wanted.some((name) => one.name.includes(name)) : true));
    const order = new Map([...new Set([...moving, ...recent])].map((name, index) => [name, index]));
    // Few automata keep their places, so that the eye finds them again.
    const chosen = named.length <= MOST_AUTOMATA ? named : [...named].sort((a, b) => (order.get(a.name) ?? 1e9) - (order.get(b.name) ?? 1e9)).slice(0, MOST_AUTOMATA);
    const cards = chosen.map((process) => {
      const template = app.model.template(process.template);
      const place = state.locations[process.name] ?? "";
      const index = process.locations.indexOf(place);
      const title = h("figcaption", {}, `${process.name}: ${place}`);
      if (!template) return h("figure", { class: "automaton", "data-process": process.name, "data-location": place }, title);
      const places = template.locations.filter((one) => !one.isBranchpoint);
      const edges = template.edges;
      const taken = new Set<Element>();
      for (const move of step?.moves ?? []) {
        const edge = move.process === process.name && move.origin !== null ? edges[move.origin] : undefined;
        if (edge) taken.add(edge.element);
      }
      const drawing = draw(template, { current: places[index] ?? null, taken });
      const { x, y, width, height } = drawing.box;
      const svg = s("svg", { viewBox: `${x} ${y} ${width} ${height}`, role: "img", "aria-label": `${process.name} is in ${place}` }, arrows(), drawing.svg);
      const moves = moving.has(process.name) ? "automaton moving" : "automaton";
      return h("figure", { class: moves, "data-process": process.name, "data-location": place }, title, svg as unknown as Node);
    });
    const rest = named.length - chosen.length;
    this.automata.replaceChildren(...cards, rest > 0 ? h("p", { class: "hint" }, `${rest} more: name them above`) : "");
  }

  private drawValues(): void {
    const state = walk.states[walk.at]!;
    const before = new Map(walk.at ? walk.states[walk.at - 1]!.values : state.values);
    const old = new Set(walk.at ? walk.states[walk.at - 1]!.time : state.time);
    const rows = state.values.slice(0, 2000).map(([name, value]) => {
      const was = before.get(name);
      const changed = was !== undefined && was !== value;
      return h("tr", { class: changed ? "changed" : null }, h("th", { scope: "row" }, name), h("td", {}, value), h("td", {}, changed ? `was ${was}` : ""));
    });
    const time = state.time.slice(0, 500).map((one) => h("li", { class: old.has(one) ? null : "changed" }, one));
    this.values.replaceChildren(
      h("h3", {}, "Variables"),
      h("table", {}, h("tbody", {}, ...rows)),
      h("h3", {}, this.simulator ? "Zone" : "Clocks"),
      h("ul", {}, ...time),
    );
  }

  private drawPictures(): void {
    const go = (at: number): void => walk.go(at);
    const chart = walk.kind === "path" ? null : sequence(walk, go);
    const times = walk.kind === "path" ? null : gantt(walk, go);
    this.pictures.replaceChildren(times ? h("div", {}, times as unknown as Node) : "", chart ? h("div", {}, chart as unknown as Node) : "");
  }

  /** A window of the list: a trace of ten thousand steps has as few rows in the page as one of a hundred. */
  private drawList(): void {
    const from = Math.max(0, Math.min(walk.at - ROWS / 2, walk.steps.length - ROWS));
    const row = (index: number): HTMLElement => {
      const step = walk.steps[index]!;
      const moves = step.moves.map((move) => `${move.process}: ${move.source} → ${move.target}`).join(", ");
      const text = `${step.time === null ? "" : `${step.time}  `}${step.channel ? `${step.channel}: ` : ""}${moves || "…"}`;
      const title = step.moves.map((move) => move.text).filter(Boolean).join(" | ");
      return h("li", { value: index + 1, "aria-current": index + 1 === walk.at ? "step" : null, class: walk.loop !== null && index >= walk.loop ? "loop" : null }, button(text, title || text, () => walk.go(index + 1)));
    };
    const rows = [];
    for (let index = from; index < Math.min(walk.steps.length, from + ROWS); index += 1) rows.push(row(index));
    this.list.replaceChildren(...rows, walk.ending ? h("li", { class: "ending", value: walk.steps.length + 1 }, walk.ending) : "");
    const current = this.list.querySelector<HTMLElement>("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  private drawChoices(): void {
    const last = walk.at === walk.states.length - 1;
    const rows = walk.enabled.map((one, index) => {
      const text = `${one.channel ? `${one.channel}: ` : ""}${one.words}`;
      return h("li", {}, button(text, `Take ${text}`, () => this.act(walk.take(one)), { "data-choice": index + 1 }));
    });
    this.choices.replaceChildren(
      h("h3", {}, "Next"),
      last ? h("ol", {}, ...rows) : button("Go on from this state", "Forget the steps behind it", () => this.act(walk.simulate(true))),
      walk.more ? h("p", { class: "hint" }, "… and more, which are not listed") : "",
      walk.remark ? h("p", { class: "remark" }, walk.remark) : "",
    );
  }

  private asText(): string {
    const lines = walk.steps.map((step, index) => {
      const moves = step.moves.map((move) => `${move.process} ${move.source} -> ${move.target}`).join(", ");
      return `${String(index + 1).padStart(5)}  ${step.time ?? ""}  ${step.channel ? `${step.channel}: ` : ""}${moves}`;
    });
    return `${walk.title}\n\n${lines.join("\n")}\n${walk.ending}\n`;
  }

  private savePictures(): void {
    const all = [...this.pictures.querySelectorAll("svg"), ...this.automata.querySelectorAll("svg")];
    all.slice(0, 2).forEach((one, index) => this.save(index ? "sequence.svg" : "gantt.svg", standalone(one as SVGSVGElement), "image/svg+xml"));
  }

  private async savePng(): Promise<void> {
    const svg = this.pictures.querySelector<SVGSVGElement>("svg.sequence");
    if (!svg) return;
    const image = new Image();
    const address = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
    try {
      image.src = address;
      await image.decode();
      const canvas = h("canvas", { width: 2 * svg.width.baseVal.value, height: 2 * svg.height.baseVal.value });
      const context = canvas.getContext("2d")!;
      context.fillStyle = getComputedStyle(document.body).backgroundColor;
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => blob && this.saveBlob("sequence.png", blob));
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  private link(): void {
    if (!app.path) {
      app.say("save the model first: a link names a file of the folder", true);
      return;
    }
    const parts = new URLSearchParams({ model: app.path, query: walk.title, step: String(walk.at) });
    const address = `${location.origin}/#${parts}`;
    history.replaceState(null, "", `#${parts}`);
    const copied = navigator.clipboard?.writeText(address);
    copied?.then(() => app.say("the link was copied"), () => app.say("the link is in the address bar"));
  }

  private save(name: string, text: string, type: string): void {
    this.saveBlob(name, new Blob([text], { type }));
  }

  private saveBlob(name: string, blob: Blob): void {
    const address = URL.createObjectURL(blob);
    const link = h("a", { href: address, download: name });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }
}
