// Every model of a folder is opened, drawn, edited, undone and saved: `MERKHET_PROGRAM=… node tests/sweep.mjs FOLDER`.
// A drawing that lacks a location, a page that throws, or a saved model that is another network is a failure.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { closeBrowser, open } from "./helpers.mjs";

const program = process.env.MERKHET_PROGRAM;
const folder = mkdtempSync(join(tmpdir(), "merkhet-sweep-"));
cpSync(process.argv[2], folder, { recursive: true, dereference: true });
execFileSync("chmod", ["-R", "u+w", folder]);
const child = spawn(program, ["serve", folder], { stdio: ["ignore", "pipe", "ignore"] });
const address = await new Promise((resolve) => child.stdout.once("data", (data) => resolve(String(data).trim())));
const { page, errors } = await open(address);
await page.click("dialog button[title=Close]").catch(() => {});
page.on("dialog", (dialog) => dialog.accept());
const models = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".xml")).sort();
const shown = (path) => {
  try {
    return execFileSync(program, ["show", path, "--color", "never"], { stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 28, timeout: 60000 }).toString();
  } catch {
    return null;
  }
};
let failures = 0;
let compared = 0;
const times = [];
const only = process.env.SWEEP_ONLY;
for (const name of models.filter((one) => !only || one.includes(only))) {
  try {
    await sweep(name);
  } catch (error) {
    failures += 1;
    console.log(`${name}: ${String(error.message).split("\n")[0]}`);
  }
}

async function sweep(name) {
  const path = join(folder, name);
  const failed = (why) => {
    failures += 1;
    console.log(`${name}: ${why}`);
  };
  errors.length = 0;
  const before = shown(path);
  const start = performance.now();
  await page.goto("about:blank");
  await page.goto(`${new URL(address).origin}/#model=${encodeURIComponent(name)}`);
  await page.waitForSelector("#app[aria-busy=false]", { timeout: 60000 });
  times.push(performance.now() - start);
  const text = readFileSync(path, "utf8");
  const xml = await page.$$eval(".templates > button", (all) => all.length);
  if (!xml) {
    failed(`nothing is shown: ${await page.textContent(".status")}`);
    return;
  }
  const first = /<template[\s>][\s\S]*?<\/template>/.exec(text)?.[0] ?? "";
  const wanted = (first.match(/<(location|branchpoint)[\s>]/g) ?? []).length;
  const drawn = await page.locator("#tab-model .canvas .place").count();
  if (first && drawn !== wanted && !/<!--/.test(first)) failed(`${drawn} locations are drawn, ${wanted} are there`);
  const throws = errors.filter((one) => !/Failed to load resource/.test(one));
  if (throws.length) failed(throws[0]);
  if (before === null || !(await page.locator(".templates button:has-text('Declarations')").count())) return;
  await page.click(".templates button:has-text('Declarations')");
  const area = page.locator("textarea[aria-label='Global declarations']");
  await area.fill(`${await area.inputValue()}\n`, { timeout: 10000 });
  await page.keyboard.press("Control+s");
  await page.waitForFunction(() => /^saved|!?/.test(document.querySelector(".status").textContent) && document.querySelector(".status").textContent !== "", undefined, { timeout: 30000 }).catch(() => {});
  const status = await page.textContent(".status");
  if (!/^saved/.test(status)) {
    if (!/UTF-8/.test(status)) failed(`not saved: ${status}`);
    return;
  }
  compared += 1;
  if (shown(path) !== before) failed("the saved model is another network");
}
times.sort((a, b) => a - b);
console.log(`${models.length} models, ${compared} saved and compared, ${failures} failures; opening took ${Math.round(times[times.length >> 1])} ms in the median, ${Math.round(times[Math.floor(times.length * 0.95)])} ms at 95 %`);
await closeBrowser();
child.kill();
rmSync(folder, { recursive: true, force: true });
process.exit(failures ? 1 : 0);
