// Talks to the server: `POST /api/…` with JSON, and the key in a header.

import type { Problem, RunEvent, Session } from "./protocol";

const KEY = "merkhet-key";

/** What the server refused, with its hint. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint: string | null,
  ) {
    super(hint ? `${message}; ${hint}` : message);
  }
}

async function send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { "content-type": "application/json" };
  const key = localStorage.getItem(KEY);
  if (key) headers.authorization = `Bearer ${key}`;
  const response = await fetch(`/api/${path}`, { method: "POST", headers, body: JSON.stringify(body), signal }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Refused(0, "the server does not answer", "is `merkhet serve` still running?");
    },
  );
  if (response.ok) return response;
  const text = await response.text();
  let problem: Problem = { error: text || response.statusText, hint: null };
  try {
    problem = JSON.parse(text) as Problem;
  } catch {
    // Not every refusal is JSON: a body that is too long is refused before it is read.
  }
  throw new Refused(response.status, problem.error, problem.hint);
}

/** One question, one answer. */
export async function ask<Answer>(path: string, body: unknown = {}): Promise<Answer> {
  return (await (await send(path, body)).json()) as Answer;
}

/** Exchanges the token in the address for the key. */
export async function enter(): Promise<void> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("token");
  if (!token) return;
  fragment.delete("token");
  history.replaceState(null, "", fragment.size ? `#${fragment}` : location.pathname);
  const { key } = await ask<Session>("session", { token });
  localStorage.setItem(KEY, key);
}

/** Starts a run and hands over its events until it ends. */
export async function run(request: unknown, tell: (event: RunEvent) => void): Promise<void> {
  const response = await send("run", request);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    const lines = (waiting + value).split("\n");
    waiting = lines.pop() ?? "";
    for (const line of lines) if (line) tell(JSON.parse(line) as RunEvent);
  }
}
