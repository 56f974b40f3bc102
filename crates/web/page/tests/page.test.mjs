// What a person does with the page, and what that person sees.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { closeBrowser, locations, open, picture, serve, tab } from "./helpers.mjs";

let server;
let page;
let errors;
/** What is typed into the next question of the page. */
let answer = "";
before(async () => {
  server = await serve("fischer-flawed.xml");
  ({ page, errors } = await open(server.address));
  page.on("dialog", (dialog) => dialog.accept(answer));
});
after(async () => {
  await closeBrowser();
  server.stop();
});

const openModel = async (name) => {
  await page.click("header button[title^='Open a model']");
  await page.fill("dialog input[type=search]", name);
  await page.click(`dialog button[title='Open ${name}']`);
  await page.waitForFunction((wanted) => document.querySelector("header .file").textContent === wanted, name);
  await page.waitForSelector("#tab-model:not([hidden])");
};
const check = async (index) => {
  await tab(page, "verifier");
  await page.click(`button[title='Check query ${index}']`);
  const item = page.locator(".queries > li").nth(index - 1);
  await page.waitForFunction((at) => ["satisfied", "violated", "unknown", "failed"].includes(document.querySelectorAll(".queries > li")[at]?.dataset.verdict), index - 1);
  return item.getAttribute("data-verdict");
};

describe("the page", () => {
  test("shows the model that was named", async () => {
    const names = await page.$$eval("#tab-model .canvas .label.name", (all) => all.map((one) => one.textContent));
    assert.deepEqual(names.sort(), ["Critical", "Idle", "Trying", "Waiting"]);
    assert.match(await page.textContent(".templates"), /Process\(4\)/);
    assert.equal((await page.textContent(".problems")).trim(), "No errors, no warnings.");
    await picture(page, "model");
  });

  test("checks queries and shows verdicts", async () => {
    assert.equal(await check(1), "satisfied");
    assert.equal(await check(2), "violated");
    assert.match(await page.textContent(".runs .stages"), /decided/);
    await picture(page, "verifier");
  });

  test("steps through a trace by keyboard", async () => {
    await page.click("button[title='Show the trace of query 2']");
    await page.waitForSelector("#tab-trace:not([hidden]) .automaton");
    assert.equal((await locations(page, "trace"))["Process(1)"], "Idle");
    for (let step = 0; step < 6; step += 1) await page.keyboard.press("ArrowRight");
    const last = await locations(page, "trace");
    assert.equal(last["Process(1)"], "Critical");
    assert.equal(last["Process(2)"], "Critical");
    assert.match(await page.textContent("#tab-trace .where"), /state 6 of 6, time 4/);
    // The location that is marked is the one with this name, and the edge taken is marked.
    const marked = await page.$$eval("[data-process='Process(2)'] .place.current .label.name", (all) => all.map((one) => one.textContent));
    assert.deepEqual(marked, ["Critical"]);
    assert.equal(await page.locator("[data-process='Process(2)'] .edge.taken").count(), 1);
    await picture(page, "trace");
    await page.keyboard.press("Home");
    assert.equal((await locations(page, "trace"))["Process(2)"], "Idle");
  });

  test("goes on from a trace in the simulator", async () => {
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.click("button[title='Open this state in the simulator']");
    await page.waitForSelector("#tab-simulator .automaton[data-process='Process(2)'][data-location=Trying]");
    assert.equal((await locations(page, "simulator"))["Process(1)"], "Trying");
  });

  test("simulates three steps and takes one back", async () => {
    await page.click("#tab-simulator button[title='Walk from the initial state']");
    await page.waitForFunction(() => document.querySelector("#tab-simulator .where").textContent.startsWith("state 0 of 0"));
    for (let step = 1; step <= 3; step += 1) {
      await page.click("#tab-simulator [data-choice='1']");
      await page.waitForFunction((at) => document.querySelector("#tab-simulator .where").textContent.startsWith(`state ${at} of ${at}`), step);
    }
    const three = await locations(page, "simulator");
    await picture(page, "simulator");
    await page.keyboard.press("u");
    await page.waitForFunction(() => document.querySelector("#tab-simulator .where").textContent.startsWith("state 2 of 2"));
    assert.notDeepEqual(await locations(page, "simulator"), three);
  });

  test("compares two heuristics", async () => {
    await tab(page, "verifier");
    await page.click("button[title='Forget the runs that have ended']");
    for (const heuristic of ["hu", "hl"]) {
      await page.selectOption("select[aria-label=Search]", "greedy");
      await page.selectOption("select[aria-label=Heuristic]", heuristic);
      await check(2);
      await page.waitForFunction((wanted) => [...document.querySelectorAll(".runs tbody tr")].some((row) => row.textContent.includes(`greedy ${wanted}`) && row.className === "violated"), heuristic);
    }
    assert.equal(await page.locator(".runs table:first-child tbody tr").count(), 2);
    assert.equal(await page.locator(".runs table:first-child tbody tr").first().locator("meter").count(), 3);
    for (const name of ["Search", "Heuristic"]) await page.selectOption(`select[aria-label=${name}]`, "");
  });

  test("shows how the verdict changes with a guard", async () => {
    await tab(page, "model");
    const guard = page.locator("#tab-model .canvas .label.guard", { hasText: "x >= WRITE" });
    await guard.click();
    await page.fill(".inspector textarea[aria-label=Guard]", "x > WRITE && turn == me");
    await page.keyboard.press("Enter");
    await page.waitForSelector("#tab-model .canvas .label.guard:has-text('x > WRITE')");
    await tab(page, "verifier");
    assert.match(await page.locator(".queries > li").nth(1).textContent(), /before the change/);
    assert.equal(await check(2), "satisfied");
    await tab(page, "model");
    await page.click("button[title^='Undo']");
    assert.equal(await check(2), "violated");
  });

  test("shows a message at its place", async () => {
    await tab(page, "model");
    await page.locator("#tab-model .canvas .label.guard", { hasText: "x >= WRITE" }).click();
    await page.fill(".inspector textarea[aria-label=Guard]", "x >= WRIT && turn == me");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".problems .error");
    assert.match(await page.textContent(".problems .error"), /WRIT/);
    assert.equal(await page.locator("#tab-model .canvas .edge.wrong").count(), 1);
    await page.click("button[title^='Undo']");
    await page.waitForSelector(".problems .fine");
  });

  test("cancels a long run, with live figures", async () => {
    await page.click("header button[title^='Open a model']");
    await page.selectOption("dialog select[aria-label=Family]", "fischer");
    await page.fill("dialog input[aria-label=Size]", "12");
    await page.click("dialog button[title='Generate a model of a family']");
    await page.waitForFunction(() => document.querySelector("header .file").textContent.startsWith("fischer-12"));
    await tab(page, "verifier");
    await page.click("button[title='Add a query']");
    await page.locator("textarea.formula").last().fill("A[] not (P1.critical && P2.critical)");
    await page.locator("textarea.formula").last().blur();
    const count = await page.locator(".queries > li").count();
    await page.click(`button[title='Check query ${count}']`);
    const answered = page.waitForFunction(() => /states/.test(document.querySelector(".details .live")?.textContent ?? ""), undefined, { timeout: 20000 });
    await answered;
    await page.click("button[title='Cancel this run']");
    await page.waitForFunction((at) => ["unknown", "failed"].includes(document.querySelectorAll(".queries > li")[at - 1].dataset.verdict), count, { timeout: 20000 });
    assert.match(await page.locator(".queries > li").nth(count - 1).textContent(), /interrupt|cancel/i);
  });

  test("draws two locations and an edge, checks them and saves", async () => {
    await page.click("header button[title='Start with an empty model']");
    await page.waitForFunction(() => document.querySelector("header .file").textContent.startsWith("untitled.xml"));
    await tab(page, "model");
    const box = await page.locator("#tab-model .canvas").boundingBox();
    const at = (x, y) => [box.x + box.width * x, box.y + box.height * y];
    for (const [x, name] of [[0.3, "Off"], [0.6, "On"]]) {
      await page.focus("#tab-model .canvas");
      await page.keyboard.press("l");
      await page.mouse.click(...at(x, 0.5));
      await page.fill(".inspector textarea[aria-label=Name]", name);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`#tab-model .canvas .label.name:has-text('${name}')`);
    }
    const centre = async (index) => {
      const circle = await page.locator("#tab-model .canvas .circle").nth(index).boundingBox();
      return [circle.x + circle.width / 2, circle.y + circle.height / 2];
    };
    await page.focus("#tab-model .canvas");
    await page.keyboard.press("e");
    await page.mouse.click(...(await centre(0)));
    await page.mouse.click(...(await centre(1)));
    // A level line has no height: the browser counts it as hidden.
    await page.waitForSelector("#tab-model .canvas .edge", { state: "attached" });
    await page.waitForSelector(".problems .fine");
    await tab(page, "verifier");
    await page.click("button[title='Add a query']");
    await page.fill("textarea.formula", "E<> Template1.On");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".queries > li[data-verdict=satisfied]");
    answer = "drawn.xml";
    await page.click("header button[title^='Save (']");
    await page.waitForFunction(() => document.querySelector(".status").textContent === "saved as drawn.xml");
    const text = readFileSync(join(server.folder, "drawn.xml"), "utf8");
    assert.match(text, /^<\?xml[\s\S]*<!DOCTYPE nta PUBLIC[\s\S]*<name>On<\/name>[\s\S]*E&lt;&gt; Template1\.On/);
  });

  test("does not write over what changed on disk", async () => {
    writeFileSync(join(server.folder, "drawn.xml"), "<nta/>");
    await tab(page, "model");
    await page.click(".templates button:has-text('Declarations')");
    await page.fill("textarea[aria-label='Global declarations']", "int x;");
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".status.failed");
    assert.match(await page.textContent(".status"), /changed by somebody else/);
    assert.equal(readFileSync(join(server.folder, "drawn.xml"), "utf8"), "<nta/>");
    // The browser reports the refusal as an error of its own.
    errors.length = 0;
  });

  test("keeps what it does not know", async () => {
    const strange = readFileSync(join(server.folder, "lamp.xml"), "utf8").replace("</nta>", '<vendor note="kept"><deep/></vendor></nta>');
    writeFileSync(join(server.folder, "strange.xml"), strange);
    await openModel("strange.xml");
    await page.click(".templates button:has-text('Declarations')");
    const area = page.locator("textarea[aria-label='Global declarations']");
    await area.fill(`${await area.inputValue()}\n// more`);
    await page.keyboard.press("Control+s");
    await page.waitForFunction(() => document.querySelector(".status").textContent === "saved as strange.xml");
    assert.match(readFileSync(join(server.folder, "strange.xml"), "utf8"), /\/\/ more[\s\S]*<vendor note="kept"><deep\/><\/vendor>/);
  });

  test("leaves text alone while somebody types", async () => {
    const area = page.locator("textarea[aria-label='Global declarations']");
    await area.focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("// a");
    // Another part of the page asks for the model to be read again meanwhile.
    await page.evaluate(() => document.querySelector(".tools [data-act=undo]").click());
    await page.waitForTimeout(700);
    await page.keyboard.type("b");
    assert.match(await area.inputValue(), /\/\/ ab$/);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), "TEXTAREA");
    await page.keyboard.press("Control+s");
    await page.waitForFunction(() => document.querySelector(".status").textContent === "saved as strange.xml");
  });

  test("opens an SMV model", async () => {
    await openModel("handshake.smv");
    await page.waitForSelector(".templates h3:has-text('Variables')");
    const verdict = await check(1);
    assert.ok(["satisfied", "violated"].includes(verdict), verdict);
  });

  test("opens a lattice model", async () => {
    await openModel("lattice/login.xta");
    await tab(page, "verifier");
    await page.click("button[title='Add a query']");
    await page.fill("textarea.formula >> nth=-1", "A[] true");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".queries > li[data-verdict=satisfied]");
    await tab(page, "simulator");
    await page.waitForSelector("#tab-simulator [data-choice='1']");
    assert.match(await page.textContent("#tab-simulator .values"), /\w/);
  });

  test("restores a link", async () => {
    const query = "A[] forall (i : id_t) forall (j : id_t) Process(i).Critical && Process(j).Critical imply i == j";
    const parts = new URLSearchParams({ model: "fischer-flawed.xml", query, step: "4" });
    const second = await page.context().newPage();
    await second.goto(`${new URL(server.address).origin}/#${parts}`);
    await second.waitForSelector("#app[aria-busy=false]");
    assert.match(await second.textContent("#tab-trace .where"), /state 4 of 6/);
    assert.equal((await locations(second, "trace"))["Process(1)"], "Critical");
    await second.close();
  });

  test("has a dark mode", async () => {
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await colour();
    await page.click("header button[title^='Light, dark']");
    assert.equal(await page.getAttribute("html", "data-theme"), "dark");
    assert.notEqual(await colour(), light);
    await tab(page, "model");
    await picture(page, "dark");
  });

  test("says what to do without a key", async () => {
    const fresh = await open(`${new URL(server.address).origin}/`);
    assert.match(await fresh.page.textContent(".status"), /merkhet serve/);
    await fresh.close();
  });

  test("threw nothing", () => assert.deepEqual(errors, []));
});
