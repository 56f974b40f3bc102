// A way through the model: a trace that was found, or a walk of the simulator. Both are shown by the same views.

import { app } from "./app";
import { ask } from "./api";
import type { Result, State, Step, Trace } from "./report";
import type { EnabledView, Move, Simulation } from "./protocol";

export interface WalkMove {
  process: string;
  source: string;
  target: string;
  origin: number | null;
  edge: number | null;
  text: string;
}

export interface WalkStep {
  time: string | null;
  delay: string | null;
  channel: string | null;
  moves: WalkMove[];
}

export interface WalkState {
  locations: Record<string, string>;
  values: [string, string][];
  /** Clock values, or the constraints of a zone. */
  time: string[];
}

/** States, and the steps between them. */
export class Walk {
  kind: "none" | "trace" | "path" | "simulation" = "none";
  title = "";
  states: WalkState[] = [];
  steps: WalkStep[] = [];
  ending = "";
  /** Where a loop begins, as a step's number from 0. */
  loop: number | null = null;
  /** The state that is looked at. */
  at = 0;
  /** What the simulator can do next. */
  enabled: EnabledView[] = [];
  more = false;
  remark = "";
  /** The model's text that the simulator walks through. */
  private text = "";
  /** The trace as the program printed it. */
  trace: Trace | null = null;

  go(at: number): void {
    this.at = Math.max(0, Math.min(this.states.length - 1, at));
    app.tell("trace");
  }

  /** Shows the trace or path of a result. */
  load(result: Result): void {
    this.clear("trace", result.query);
    if (result.trace) this.loadTrace(result.trace);
    else if (result.path) {
      this.kind = "path";
      const values = new Map(result.path.initial.map((one) => [one.variable, one.value]));
      const state = (): WalkState => ({ locations: {}, values: [...values], time: [] });
      this.states = [state()];
      for (const step of result.path.steps) {
        for (const change of step.changes) values.set(change.variable, change.after);
        const inputs = step.inputs.map((one) => `${one.variable} = ${one.value}`).join(", ");
        const moves = step.process ? [{ process: step.process, source: "", target: "", origin: null, edge: null, text: inputs }] : [];
        this.steps.push({ time: null, delay: null, channel: moves.length ? null : inputs || null, moves });
        this.states.push(state());
      }
      this.loop = result.path.loop_from === null ? null : result.path.loop_from - 1;
    }
    app.tell("trace");
    app.tab = "trace";
    app.tell("tab");
  }

  private loadTrace(trace: Trace): void {
    this.trace = trace;
    const ends: Record<string, string> = { deadlock: "no transition is possible any more", diverges: "time can pass for ever", state: "" };
    this.ending = ends[trace.ending.kind] ?? "";
    this.loop = trace.ending.kind === "loop" ? (trace.ending.from ?? 1) - 1 : null;
    if (this.loop !== null) this.ending = `the steps from ${this.loop + 1} on repeat for ever`;
    if (trace.last_delay) this.ending = `${this.ending ? `${this.ending}; ` : ""}a delay of ${trace.last_delay} at the end`;
    const first = trace.initial;
    this.states = first ? [state(first)] : [];
    this.steps = trace.steps.map(step);
    for (const one of trace.steps) if (one.after) this.states.push(state(one.after));
  }

  private clear(kind: Walk["kind"], title: string): void {
    Object.assign(this, { text: "", kind, title, states: [], steps: [], ending: "", loop: null, at: 0, enabled: [], more: false, remark: "", trace: null });
  }

  /** The moves of the steps up to the state that is looked at, for the simulator. */
  private get moves(): Move[][] {
    return this.steps.slice(0, this.at).map((one) =>
      one.moves.map((move) => ({ process: move.process, edge: move.edge ?? 0, origin: move.origin ?? 0 })),
    );
  }

  /** Whether the simulator can go on from here. */
  get canSimulate(): boolean {
    return this.kind !== "path" && this.steps.slice(0, this.at).every((one) => one.moves.every((move) => move.edge !== null));
  }

  /** Whether the simulator has to begin anew: it never did, or the model is another one since. */
  get isStale(): boolean {
    return this.kind !== "simulation" || this.text !== app.text;
  }

  /** Starts the simulator, at the beginning or where the trace stands. */
  async simulate(fromHere: boolean): Promise<void> {
    await this.follow(fromHere ? this.moves : []);
  }

  async take(one: EnabledView): Promise<void> {
    await this.follow([...this.moves, one.moves]);
  }

  async back(): Promise<void> {
    await this.follow(this.moves.slice(0, -1));
  }

  private async follow(steps: Move[][]): Promise<void> {
    const request = { name: app.name, text: app.text, steps };
    // A failure is not asked for again and again.
    this.text = request.text;
    const found = await ask<Simulation>("simulate", request);
    const { processes, variables } = app.view ?? { processes: [], variables: [] };
    this.clear("simulation", "simulation");
    this.text = request.text;
    this.states = found.states.map((one) => ({
      locations: Object.fromEntries(processes.map((process, index) => [process.name, one.locations[index] ?? ""])),
      values: variables.map((name, index) => [name, String(one.values[index] ?? "")]),
      time: one.zone,
    }));
    this.steps = steps.map((moves, index) => ({
      time: found.times?.[index] ?? null,
      delay: null,
      channel: null,
      moves: moves.map((move) => ({
        process: move.process,
        source: this.states[index]?.locations[move.process] ?? "",
        target: this.states[index + 1]?.locations[move.process] ?? "",
        origin: move.origin,
        edge: move.edge,
        text: "",
      })),
    }));
    this.enabled = found.enabled;
    this.more = found.more;
    this.remark = found.remark ?? "";
    this.at = this.states.length - 1;
    app.tell("trace");
  }
}

function state(of: State): WalkState {
  return {
    locations: of.locations,
    values: Object.entries(of.variables).map(([name, value]) => [name, String(value)]),
    time: Object.entries(of.clocks).map(([name, value]) => `${name} = ${value}`),
  };
}

function step(of: Step): WalkStep {
  return {
    time: of.time,
    delay: of.delay,
    channel: of.sync,
    moves: of.moves.map((move) => ({
      process: move.process,
      source: move.source,
      target: move.target,
      origin: move.origin ?? null,
      edge: move.edge ?? null,
      text: [move.guard, move.update].filter(Boolean).join("; "),
    })),
  };
}

export const walk = new Walk();
