// The verifier: queries with their verdicts, how to search, and what runs have found.

import { app } from "./app";
import { ask, run } from "./api";
import { chart } from "./chart";
import { button, bytes, count, h, seconds } from "./dom";
import type { Report, Result } from "./report";
import { walk } from "./walk";
import type { Figures, RunEvent, RunRequest } from "./protocol";

interface Run {
  query: string;
  /** The model's text when it was started: a verdict on another text is stale. */
  text: string;
  label: string;
  number: number | null;
  figures: Figures[];
  result: Result | null;
  error: string;
  messages: string;
  done: boolean;
}

const TRACES = ["some", "shortest", "fastest", "none"];

export class VerifierTab {
  readonly element = h("section", { class: "tab verifier", id: "tab-verifier", role: "tabpanel", hidden: true });
  private readonly list = h("ol", { class: "queries", "aria-label": "Queries" });
  private readonly form = h("form", { class: "options", "aria-label": "How to search" });
  private readonly runs_view = h("div", { class: "runs", "aria-live": "polite" });
  private runs: Run[] = [];
  private search = this.choice("Search");
  private heuristic = this.choice("Heuristic");
  private trace = this.choice("Trace");
  private timeout = h("input", { type: "number", min: 0.1, step: "any", value: 60, "aria-label": "Seconds" });
  private memory = h("input", { type: "text", value: "2GiB", "aria-label": "Memory", size: 8 });
  private threads = h("input", { type: "number", min: 1, max: 64, value: 1, "aria-label": "Threads" });
  private seed = h("input", { type: "number", min: 0, "aria-label": "Seed" });

  constructor() {
    const label = (text: string, input: HTMLElement): HTMLElement => h("label", {}, text, input);
    this.form.append(
      label("Search", this.search),
      label("Heuristic", this.heuristic),
      label("Trace", this.trace),
      label("Most seconds", this.timeout),
      label("Most memory", this.memory),
      label("Threads", this.threads),
      label("Seed", this.seed),
    );
    this.form.addEventListener("submit", (event) => event.preventDefault());
    const bar = h(
      "div",
      { class: "bar" },
      button("Check all", "Check all queries, one after the other", () => void this.all()),
      button("+ query", "Add a query", () => {
        app.setQuery(app.queries.length, { formula: "E<> ", comment: "" });
        this.update();
        const areas = this.list.querySelectorAll<HTMLTextAreaElement>("textarea.formula");
        areas[areas.length - 1]?.focus();
      }),
      button("Clear runs", "Forget the runs that have ended", () => {
        this.runs = this.runs.filter((one) => !one.done);
        this.update();
      }),
    );
    this.element.append(h("div", { class: "left" }, bar, this.list), h("div", { class: "right" }, this.form, this.runs_view));
    for (const topic of ["model", "understood", "queries"] as const) app.on(topic, () => this.update());
  }

  /** The choices come from the program that serves the page. */
  greet(): void {
    const option = (value: string, text: string, help = ""): HTMLOptionElement => h("option", { value, title: help }, text);
    this.search.replaceChildren(option("", "by default"), ...app.hello.searches.map((one) => option(one.name.replace(/:W$/, ":2"), one.name, one.help)));
    this.heuristic.replaceChildren(option("", "by default"), ...app.hello.heuristics.map((one) => option(one.name, one.name, one.help)));
    this.trace.replaceChildren(...TRACES.map((one) => option(one, one)));
    this.search.addEventListener("change", () => (this.search.title = this.search.selectedOptions[0]?.title ?? ""));
    this.heuristic.addEventListener("change", () => (this.heuristic.title = this.heuristic.selectedOptions[0]?.title ?? ""));
  }

  private choice(label: string): HTMLSelectElement {
    return h("select", { "aria-label": label });
  }

  private latest(query: string): Run | undefined {
    return [...this.runs].reverse().find((one) => one.query === query);
  }

  private async all(): Promise<void> {
    for (const query of app.queries) if (query.formula.trim()) await this.start(query.formula);
  }

  async start(query: string): Promise<void> {
    const text = app.text;
    const number = (input: HTMLInputElement): number | null => (input.value === "" ? null : Number(input.value));
    const request: RunRequest = {
      name: app.name,
      text,
      query,
      search: this.search.value || null,
      heuristic: this.heuristic.value || null,
      trace: this.trace.value,
      timeout: number(this.timeout),
      memory: this.memory.value || null,
      threads: number(this.threads),
      seed: number(this.seed),
    };
    const label = [request.search ?? "auto", request.heuristic].filter(Boolean).join(" ");
    const one: Run = { query, text, label, number: null, figures: [], result: null, error: "", messages: "", done: false };
    this.runs.push(one);
    this.update();
    const frame = { asked: false };
    try {
      await run(request, (event) => {
        this.take(one, event);
        if (frame.asked) return;
        frame.asked = true;
        requestAnimationFrame(() => {
          frame.asked = false;
          this.drawRuns();
        });
      });
    } catch (error) {
      one.error = (error as Error).message;
    }
    one.done = true;
    this.update();
  }

  private take(one: Run, event: RunEvent): void {
    if (event.kind === "started") one.number = event.run;
    else if (event.kind === "progress") {
      one.figures.push(event.figures);
      // A long run keeps every second figure, again and again.
      if (one.figures.length > 600) one.figures = one.figures.filter((_, index) => index % 2 === 0);
    } else if (event.kind === "ended") {
      const report = event.report as Report;
      one.result = report.results[0] ?? null;
      one.messages = event.messages;
      if (!one.result) one.error = event.messages || "the run came to no answer";
    } else one.error = event.error;
  }

  update(): void {
    if (!this.list.contains(document.activeElement) || !(document.activeElement instanceof HTMLTextAreaElement)) this.drawQueries();
    this.drawRuns();
  }

  private drawQueries(): void {
    const items = app.queries.map((query, index) => {
      const last = this.latest(query.formula);
      const stale = last !== undefined && last.text !== app.text;
      const verdict = last?.error ? "failed" : (last?.result?.verdict ?? (last && !last.done ? "running" : "none"));
      const formula = h("textarea", { class: "formula", rows: Math.min(6, 1 + Math.floor(query.formula.length / 70)), spellcheck: "false", "aria-label": `Query ${index + 1}` });
      formula.value = query.formula;
      formula.addEventListener("change", () => app.setQuery(index, { ...query, formula: formula.value.trim() }));
      formula.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || !event.shiftKey)) {
          event.preventDefault();
          formula.blur();
          void this.start(formula.value.trim());
        }
      });
      const comment = h("textarea", { class: "comment", rows: Math.max(1, query.comment.split("\n").length), placeholder: "comment", "aria-label": `Comment of query ${index + 1}` });
      comment.value = query.comment;
      comment.addEventListener("change", () => app.setQuery(index, { ...query, comment: comment.value }));
      const names: Record<string, string> = { none: "not checked", failed: "no answer" };
      const words = names[verdict] ?? verdict;
      return h(
        "li",
        { class: `query ${verdict}${stale ? " stale" : ""}`, "data-verdict": verdict },
        h("span", { class: "verdict", title: stale ? "of the model before it was changed" : "" }, stale ? `${words} (before the change)` : words),
        formula,
        comment,
        h(
          "div",
          { class: "acts" },
          button("Check", `Check query ${index + 1}`, () => void this.start(formula.value.trim())),
          last?.result?.trace || last?.result?.path ? button("Trace", `Show the trace of query ${index + 1}`, () => this.showTrace(last)) : null,
          button("Remove", `Remove query ${index + 1}`, () => app.removeQuery(index)),
        ),
        last?.result?.reason ? h("p", { class: "reason" }, last.result.reason) : null,
        last?.error ? h("p", { class: "reason error" }, last.error) : null,
        ...(app.view?.diagnostics ?? []).filter((one) => one.query === index + 1).map((one) => h("p", { class: `reason ${one.severity}` }, one.message)),
      );
    });
    this.list.replaceChildren(...items);
  }

  private showTrace(one: Run): void {
    if (one.result) walk.load(one.result);
  }

  private drawRuns(): void {
    const shown = [...this.runs].reverse().slice(0, 40);
    const most = (of: (run: Run) => number): number => Math.max(1e-9, ...shown.map(of));
    const scale = { states: most(states), time: most(time), length: most(length) };
    const rows = shown.map((one) => {
      const bar = (value: number, whole: number, text: string): HTMLElement =>
        h("td", { class: "bar" }, h("meter", { min: 0, max: whole, value, "aria-hidden": "true" }), h("span", {}, text));
      const verdict = one.error ? "failed" : (one.result?.verdict ?? (one.done ? "failed" : "running"));
      const row = h(
        "tr",
        { class: verdict },
        h("td", {}, h("span", { class: "verdict" }, verdict)),
        h("td", { title: one.query }, one.query.length > 40 ? `${one.query.slice(0, 40)}…` : one.query),
        h("td", {}, one.result ? [one.result.search, one.result.heuristic].filter(Boolean).join(" ") : one.label),
        bar(states(one), scale.states, count(states(one))),
        bar(time(one), scale.time, seconds(time(one))),
        bar(length(one), scale.length, one.result?.trace ? count(length(one)) : "–"),
        h("td", {}, one.done || one.number === null ? null : button("Cancel", "Cancel this run", () => void ask("cancel", { run: one.number }))),
      );
      return row;
    });
    const live = this.runs.find((one) => !one.done) ?? this.runs[this.runs.length - 1];
    const head = ["verdict", "query", "search", "states", "time", "trace", ""].map((one) => h("th", { scope: "col" }, one));
    this.runs_view.replaceChildren(
      shown.length ? h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...rows)) : h("p", { class: "hint" }, "No run yet. Check a query; its figures appear here."),
      live ? this.details(live) : "",
    );
  }

  private details(one: Run): HTMLElement {
    const last = one.figures[one.figures.length - 1];
    const line =
      last && !one.done
        ? `${count(last.explored)} states, ${count(last.explored / Math.max(last.time_s, 1e-3))}/s, ${count(last.waiting)} waiting, depth ${last.depth}, ${bytes(last.memory_bytes)}, ${last.time_s.toFixed(0)} s`
        : "";
    const stages = (one.result?.schedule ?? []).map((stage) =>
      h(
        "tr",
        {},
        h("td", {}, stage.stage),
        h("td", {}, stage.guide ?? stage.engine),
        h("td", {}, stage.budget === undefined ? "any" : count(stage.budget)),
        h("td", {}, count(stage.explored)),
        h("td", {}, seconds(stage.time_s)),
        h("td", {}, stage.ended),
      ),
    );
    const head = ["stage", "with", "budget", "states", "time", "ended"].map((name) => h("th", { scope: "col" }, name));
    return h(
      "div",
      { class: "details" },
      h("p", { class: "live" }, line),
      one.figures.length > 1 ? h("div", { class: "charts" }, chart("waiting", one.figures, (figure) => figure.waiting), chart("best estimate", one.figures, (figure) => figure.best_estimate), chart("memory (MiB)", one.figures, (figure) => figure.memory_bytes / 1048576)) : null,
      stages.length ? h("table", { class: "stages" }, h("caption", {}, "The schedule that was run"), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...stages)) : null,
      one.result?.values?.length ? h("p", {}, ...one.result.values.map((value) => `${value.expression}: ${value.inf ?? "−∞"} … ${value.sup ?? "∞"} `)) : null,
      one.messages ? h("details", {}, h("summary", {}, "What the program said"), h("pre", {}, one.messages)) : null,
    );
  }
}

const states = (one: Run): number => one.result?.explored ?? one.figures[one.figures.length - 1]?.explored ?? 0;
const time = (one: Run): number => one.result?.time_s ?? one.figures[one.figures.length - 1]?.time_s ?? 0;
const length = (one: Run): number => one.result?.trace?.length ?? 0;
