// Starts the program on a folder of its own, and a browser on its address.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const EXAMPLES = new URL("../../../../examples/", import.meta.url).pathname;
const PROGRAM = process.env.MERKHET_PROGRAM;
const CHROMIUM = process.env.MERKHET_CHROMIUM ?? "/usr/bin/chromium";
const QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A server on a copy of the examples. */
export async function serve(target = "") {
  const folder = mkdtempSync(join(tmpdir(), "merkhet-page-"));
  cpSync(EXAMPLES, folder, { recursive: true });
  const child = spawn(PROGRAM, ["serve", join(folder, target)], { stdio: ["ignore", "pipe", "ignore"] });
  const address = await new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("the server ended")));
    child.stdout.once("data", (data) => resolve(String(data).trim()));
  });
  const stop = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { address, folder, child, stop };
}

let browser;
/** A tab that fails the test where the page throws. */
export async function open(address, options = {}) {
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: QUIET });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  await page.waitForSelector("#app[aria-busy=false]");
  return { page, errors, close: () => context.close() };
}

export const closeBrowser = async () => browser?.close();

/** A picture for the book, where MERKHET_SCREENSHOTS names a folder: they show what the tests have seen. */
export async function picture(page, name) {
  const folder = process.env.MERKHET_SCREENSHOTS;
  if (folder) await page.screenshot({ path: join(folder, `workbench-${name}.png`) });
}

/** Chooses a tab of the page. */
export const tab = (page, name) => page.click(`[data-tab=${name}]`);

/** Where each process is, as drawn. */
export const locations = (page, id) =>
  page.$$eval(`#tab-${id} .automaton`, (all) => Object.fromEntries(all.map((one) => [one.dataset.process, one.dataset.location])));
