// What all views share: the open document, how the server understands it, and who wants to know of changes.

import { ask } from "./api";
import { later } from "./dom";
import { EMPTY, Model } from "./document";
import type { Hello, ModelView, Opened, Saved, Text } from "./protocol";

export type Topic = "model" | "understood" | "queries" | "tab" | "shown" | "trace" | "message";

export interface Query {
  formula: string;
  comment: string;
}

export class App {
  hello: Hello = { version: "", folder: "", model: null, searches: [], heuristics: [], families: [] };
  /** The path in the folder; null for a model that was never saved. */
  path: string | null = null;
  name = "untitled.xml";
  digest: string | null = null;
  exact = true;
  /** Whether something was not saved. */
  dirty = false;
  /** The text of a model that has no XML of its own: what is sent to the server. */
  source: string | null = null;
  /** The model as XML: its own, or a drawing of `source` that becomes the model when it is edited. */
  model = new Model(EMPTY);
  view: ModelView | null = null;
  /** Queries of a model that is no XML. */
  private asked: Query[] = [];
  tab = "model";
  private readonly listeners = new Map<Topic, (() => void)[]>();
  private readonly understand = later(250, () => void this.check());
  private checking = 0;

  on(topic: Topic, act: () => void): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), act]);
  }

  tell(topic: Topic): void {
    for (const act of this.listeners.get(topic) ?? []) act();
  }

  /** A message to the person; errors stay until the next one. */
  message = "";
  failed = false;
  say(message: string, failed = false): void {
    this.message = message;
    this.failed = failed;
    this.tell("message");
  }

  /** Whether the model is edited as XML. */
  get isXml(): boolean {
    return this.source === null;
  }

  get text(): string {
    return this.source ?? this.model.text;
  }

  get queries(): Query[] {
    return this.isXml ? this.model.queries : this.asked;
  }

  setQuery(index: number, query: Query): void {
    if (this.isXml) {
      this.model.setQuery(index, query.formula, query.comment);
    } else {
      this.asked[index] = query;
      this.tell("queries");
    }
  }

  removeQuery(index: number): void {
    if (this.isXml) this.model.removeQuery(index);
    else this.asked.splice(index, 1);
    this.tell("queries");
  }

  async open(path: string): Promise<void> {
    const file = await ask<Opened>("open", { path });
    this.take(file.path.split("/").pop()!, file.text);
    this.path = file.path;
    this.digest = file.digest;
    this.exact = file.exact;
    this.dirty = false;
    await this.check();
    this.tell("model");
    if (!file.exact) this.say("the file is not UTF-8: save it under another name", true);
  }

  /** A model that is not in the folder yet. */
  async start(name: string, text: string): Promise<void> {
    this.take(name, text);
    this.path = null;
    this.digest = null;
    this.exact = true;
    this.dirty = true;
    await this.check();
    this.tell("model");
  }

  private take(name: string, text: string): void {
    const xml = name.endsWith(".xml");
    this.name = name;
    this.asked = [];
    this.view = null;
    this.source = xml && Model.readable(text) ? null : text;
    this.model = new Model(this.source === null ? text : EMPTY);
    this.model.onchange = () => this.edited();
  }

  private edited(): void {
    // A drawing that is edited is the model from now on.
    if (this.source !== null) {
      this.source = null;
      this.name = this.name.replace(/\.\w+$/, ".xml");
      this.path = null;
      this.digest = null;
      this.say("the drawing is a model of its own now, in XML; the file that it was read from stays as it is");
    }
    this.dirty = true;
    this.tell("model");
    this.understand();
  }

  /** The text of a model that is no XML was edited. */
  setSource(text: string): void {
    this.source = text;
    this.dirty = true;
    this.tell("message");
    this.understand();
  }

  /** Asks the server how the model is understood. */
  async check(): Promise<void> {
    const number = ++this.checking;
    try {
      const view = await ask<ModelView>("model", { name: this.name, text: this.text });
      if (number !== this.checking) return;
      this.view = view;
      if (this.source !== null) {
        if (view.drawing && Model.readable(view.drawing)) {
          this.model = new Model(view.drawing);
          this.model.onchange = () => this.edited();
        }
        if (!this.asked.length) this.asked = view.queries.map((one) => ({ formula: one.text, comment: one.comment ?? "" }));
        this.tell("model");
      }
      this.tell("understood");
    } catch (error) {
      if (number === this.checking) this.say(String((error as Error).message), true);
    }
  }

  async save(path: string): Promise<void> {
    let text = this.text;
    if (this.isXml && /\.x?ta$/.test(path)) {
      text = (await ask<Text>("convert", { name: this.name, text })).text;
    }
    const was = path === this.path && this.exact ? this.digest : null;
    const saved = await ask<Saved>("save", { path, text, was });
    this.digest = saved.digest;
    this.path = path;
    this.name = path.split("/").pop()!;
    this.exact = true;
    this.dirty = false;
    this.say(`saved as ${path}`);
    this.tell("model");
  }
}

export const app = new App();
