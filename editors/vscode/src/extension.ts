// Starts the language server, and shows what it finds: verdicts above queries, reports in a tab, the workbench in a panel.

import { ChildProcess, spawn } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;
const workbenches = new Set<ChildProcess>();

function program(): string {
  return vscode.workspace.getConfiguration("merkhet").get("path", "merkhet");
}

async function start(): Promise<void> {
  const server: ServerOptions = { command: program(), args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: ["xta", "uppaal-xml", "uppaal-query", "tck", "smv"].map((language) => ({ language })),
    initializationOptions: {
      check: { arguments: vscode.workspace.getConfiguration("merkhet").get("check.arguments") },
    },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{xml,xta,ta,tck,smv,q}") },
  };
  client = new LanguageClient("merkhet", "Merkhet", server, options);
  try {
    await client.start();
  } catch (problem) {
    const where = "Its place is the setting `merkhet.path`; `cargo install --path crates/cli` puts it on the path.";
    void vscode.window.showErrorMessage(`Cannot start ${program()} lsp: ${problem}. ${where}`);
  }
}

/** Verdicts stand in the server's lenses; this checks all of a file. */
async function checkFile(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (client && document) {
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    await client.sendRequest("workspace/executeCommand", { command: "merkhet.checkAll", arguments: [uri] });
  }
}

/** The workbench of `merkhet serve`, in a panel: traces as automata, charts and a simulator. */
function openWorkbench(): void {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || document.isUntitled) {
    void vscode.window.showInformationMessage("The workbench opens models that are files.");
    return;
  }
  const child = spawn(program(), ["serve", document.fileName], { cwd: path.dirname(document.fileName) });
  workbenches.add(child);
  child.on("error", (problem) => vscode.window.showErrorMessage(`${program()} serve: ${problem.message}`));
  child.on("exit", () => workbenches.delete(child));
  let said = "";
  let shown = false;
  child.stdout.on("data", (data: Buffer) => {
    said += data.toString();
    const address = /^http:\S+/m.exec(said)?.[0];
    if (!address || shown || !said.includes("\n")) {
      return;
    }
    shown = true;
    const panel = vscode.window.createWebviewPanel(
      "merkhet.workbench", path.basename(document.fileName), vscode.ViewColumn.Beside,
      { enableScripts: true, retainContextWhenHidden: true },
    );
    const origin = new URL(address).origin;
    panel.webview.html = `<!DOCTYPE html><html style="height:100%"><head><meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; frame-src ${origin}; style-src 'unsafe-inline'"></head>
      <body style="height:100%;margin:0;padding:0"><iframe src="${address}" style="width:100%;height:100%;border:0"></iframe></body></html>`;
    panel.onDidDispose(() => child.kill());
  });
}

interface Definition extends vscode.TaskDefinition {
  command: string;
  models?: string[];
  arguments?: string[];
}

function task(definition: Definition, scope: vscode.WorkspaceFolder | vscode.TaskScope): vscode.Task {
  const words = [definition.command, ...(definition.arguments ?? []), ...(definition.models ?? ["."])];
  const execution = new vscode.ProcessExecution(program(), words);
  return new vscode.Task(definition, scope, definition.command, "merkhet", execution, "$merkhet");
}

const tasks: vscode.TaskProvider = {
  provideTasks: () =>
    (vscode.workspace.workspaceFolders ?? []).flatMap((folder) =>
      [
        { type: "merkhet", command: "check" },
        { type: "merkhet", command: "lint" },
        { type: "merkhet", command: "fmt", arguments: ["--check"] },
      ].map((definition) => task(definition, folder)),
    ),
  resolveTask: (known) => task(known.definition as Definition, known.scope ?? vscode.TaskScope.Workspace),
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("merkhet.checkFile", checkFile),
    vscode.commands.registerCommand("merkhet.openWorkbench", openWorkbench),
    vscode.commands.registerCommand("merkhet.restart", async () => {
      await client?.stop();
      await start();
    }),
    vscode.tasks.registerTaskProvider("merkhet", tasks),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  workbenches.forEach((child) => child.kill());
  await client?.stop();
}
