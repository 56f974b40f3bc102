// The messages of crates/web/src/protocol.rs, made by its test.

export type SessionRequest = { 
/**
 * The token.
 */
token: string, };

export type Session = { 
/**
 * The key; it lives as long as the server.
 */
key: string, };

export type Problem = { 
/**
 * What is wrong, as a sentence.
 */
error: string, 
/**
 * What to do about it.
 */
hint: string | null, };

export type Hello = { 
/**
 * The program's version.
 */
version: string, 
/**
 * The folder that is open, for people.
 */
folder: string, 
/**
 * The model to show first, if one was named.
 */
model: string | null, 
/**
 * The searches that `check` knows.
 */
searches: Array<Choice>, 
/**
 * The heuristics that `check` knows.
 */
heuristics: Array<Choice>, 
/**
 * The families that `generate` knows.
 */
families: Array<string>, };

export type Choice = { 
/**
 * The name as the command line takes it.
 */
name: string, 
/**
 * One sentence.
 */
help: string, };

export type Listing = { 
/**
 * The files, by path.
 */
files: Array<ListedFile>, 
/**
 * There are more than are listed.
 */
more: boolean, };

export type ListedFile = { 
/**
 * The path from the folder, with `/`.
 */
path: string, 
/**
 * The size in bytes.
 */
bytes: number, };

export type OpenRequest = { 
/**
 * The path from the folder.
 */
path: string, };

export type Opened = { 
/**
 * The path from the folder.
 */
path: string, 
/**
 * The text.
 */
text: string, 
/**
 * Names this content; saving asks for it.
 */
digest: string, 
/**
 * Whether the text is the file to the letter: one that is not UTF-8 cannot be saved in place.
 */
exact: boolean, };

export type SaveRequest = { 
/**
 * The path from the folder.
 */
path: string, 
/**
 * The new text.
 */
text: string, 
/**
 * The content that it replaces; none for a file that must not be there yet.
 */
was: string | null, };

export type Saved = { 
/**
 * Names the new content.
 */
digest: string, };

export type Text = { 
/**
 * The file's name.
 */
name: string, 
/**
 * The text.
 */
text: string, };

export type ModelView = { 
/**
 * The language: `xml`, `xta`, `tck` or `smv`.
 */
language: string, 
/**
 * Whether queries can be asked.
 */
usable: boolean, 
/**
 * Errors and warnings, lint included.
 */
diagnostics: Array<Diagnostic>, 
/**
 * The queries inside, in order.
 */
queries: Array<QueryView>, 
/**
 * The processes of the network.
 */
processes: Array<ProcessView>, 
/**
 * The variables of a state.
 */
variables: Array<string>, 
/**
 * The clocks.
 */
clocks: Array<string>, 
/**
 * The model in UPPAAL's XML, for a language that has no drawing of its own.
 */
drawing: string | null, 
/**
 * What an SMV model consists of.
 */
system: SystemView | null, 
/**
 * Names of the lattice types that the model uses.
 */
lattices: Array<string>, };

export type SystemView = { 
/**
 * The variables with their types.
 */
variables: Array<NamedText>, };

export type NamedText = { 
/**
 * The name.
 */
name: string, 
/**
 * The text.
 */
text: string, };

export type Diagnostic = { 
/**
 * `error`, `warning` or `note`.
 */
severity: string, 
/**
 * A stable name for this sort of message.
 */
code: string, 
/**
 * What is wrong.
 */
message: string, 
/**
 * What the author may do about it.
 */
hint: string | null, 
/**
 * Line of the text, from 1.
 */
line: number | null, 
/**
 * Column of the text, from 1.
 */
column: number | null, 
/**
 * The template.
 */
template: string | null, 
/**
 * The XML element.
 */
xpath: string | null, 
/**
 * The query's number from 1, where it is about one.
 */
query: number | null, };

export type QueryView = { 
/**
 * The formula.
 */
text: string, 
/**
 * The author's comment.
 */
comment: string | null, 
/**
 * Whether it can be asked.
 */
readable: boolean, };

export type ProcessView = { 
/**
 * Its name.
 */
name: string, 
/**
 * The template that it comes from.
 */
template: string, 
/**
 * The names of its locations, in the template's order.
 */
locations: Array<string>, };

export type SimulateRequest = { 
/**
 * The model's name.
 */
name: string, 
/**
 * The model's text.
 */
text: string, 
/**
 * The steps taken so far.
 */
steps: Array<Array<Move>>, };

export type Move = { 
/**
 * The process.
 */
process: string, 
/**
 * The edge's number among those of the process, which has copies for the values of `select`.
 */
edge: number, 
/**
 * Its number among the edges of the template, from 0.
 */
origin: number, };

export type Simulation = { 
/**
 * The states on the way, the initial one first.
 */
states: Array<SymbolicView>, 
/**
 * The transitions that can be taken in the last state.
 */
enabled: Array<EnabledView>, 
/**
 * There are more than are listed.
 */
more: boolean, 
/**
 * The exact time at which each step was taken, in a run that the judge accepted; absent where there is none.
 */
times: Array<string> | null, 
/**
 * Why nothing can come next, or a fault of the model there.
 */
remark: string | null, };

export type SymbolicView = { 
/**
 * The location of every process, in the order of the network.
 */
locations: Array<string>, 
/**
 * The value of every variable.
 */
values: Array<number>, 
/**
 * The zone's constraints.
 */
zone: Array<string>, };

export type EnabledView = { 
/**
 * The edges taken together.
 */
moves: Array<Move>, 
/**
 * In words.
 */
words: string, 
/**
 * The channel, if two or more synchronise.
 */
channel: string | null, };

export type RunRequest = { 
/**
 * The model's name.
 */
name: string, 
/**
 * The model's text.
 */
text: string, 
/**
 * The formula.
 */
query: string, 
/**
 * The search, by default `auto`.
 */
search: string | null, 
/**
 * The heuristic.
 */
heuristic: string | null, 
/**
 * The trace wanted: `none`, `some`, `shortest` or `fastest`.
 */
trace: string | null, 
/**
 * Most seconds.
 */
timeout: number | null, 
/**
 * Most memory, as `512MiB`.
 */
memory: string | null, 
/**
 * Threads.
 */
threads: number | null, 
/**
 * The seed of random choices.
 */
seed: number | null, };

export type CancelRequest = { 
/**
 * The run's number.
 */
run: number, };

export type Done = { 
/**
 * Whether there was something to do.
 */
done: boolean, };

export type Figures = { 
/**
 * Seconds since the start.
 */
time_s: number, 
/**
 * States expanded.
 */
explored: number, 
/**
 * States stored.
 */
stored: number, 
/**
 * States that wait.
 */
waiting: number, 
/**
 * The depth reached.
 */
depth: number, 
/**
 * Bytes in use.
 */
memory_bytes: number, 
/**
 * The best estimate of the distance so far.
 */
best_estimate: number | null, 
/**
 * Nodes of decision diagrams.
 */
nodes: number, };

export type GenerateRequest = { 
/**
 * The family's name.
 */
family: string, 
/**
 * The size.
 */
size: number, };

export type RunEvent = { "kind": "started", 
/**
 * Its number, for cancelling.
 */
run: number, } | { "kind": "progress", 
/**
 * The figures.
 */
figures: Figures, } | { "kind": "ended", 
/**
 * The report, described by `docs/schema/report-1.schema.json`.
 */
report: import('./report').Report, 
/**
 * The program's exit code.
 */
exit: number | null, 
/**
 * What it said on standard error.
 */
messages: string, } | { "kind": "failed", 
/**
 * Why.
 */
error: string, };
