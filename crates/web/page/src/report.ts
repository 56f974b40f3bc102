// The part of `merkhet check --format json` that the page shows; docs/schema/report-1.schema.json describes all of it.

export interface Report {
  model: string;
  results: Result[];
}

export interface Result {
  query: string;
  verdict: "satisfied" | "violated" | "unknown";
  reason: string | null;
  values?: { expression: string; inf: string | null; sup: string | null }[];
  explored: number;
  stored: number;
  transitions: number;
  time_s: number;
  peak_memory_bytes: number;
  search: string;
  heuristic: string | null;
  found_by?: string;
  schedule?: Stage[];
  trace: Trace | null;
  path?: Path;
}

export interface Stage {
  stage: string;
  engine: string;
  guide?: string;
  budget?: number;
  explored: number;
  ended: string;
  time_s: number;
}

export interface Trace {
  length: number;
  duration: string;
  initial?: State;
  steps: Step[];
  last_delay?: string;
  ending: { kind: string; from?: number };
}

export interface State {
  locations: Record<string, string>;
  variables: Record<string, number>;
  clocks: Record<string, string>;
}

export interface Step {
  time: string;
  delay: string;
  sync: string | null;
  moves: TraceMove[];
  changes: { variable: string; before: number; after: number }[];
  after?: State;
}

export interface TraceMove {
  process: string;
  source: string;
  target: string;
  guard?: string;
  update?: string;
  select?: string[];
  /** The edge's number in the process and in its template. */
  edge?: number;
  origin?: number;
}

/** A path of an SMV model. */
export interface Path {
  length: number;
  loop_from: number | null;
  initial: { variable: string; value: string }[];
  steps: { process: string | null; inputs: { variable: string; value: string }[]; changes: { variable: string; before: string; after: string }[] }[];
}
