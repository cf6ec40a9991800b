// report_page.mjs: opens a report.html and uses it as a reader does. Prints a line a check; exit code 1 at the first
// that fails. Usage: node report_page.mjs report.html [--hostile]
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { axePath, launch } from "./browser.mjs";

const [file, flag] = process.argv.slice(2);
const address = pathToFileURL(file).href;

function expect(truth, what) {
  if (!truth) {
    console.error("FAILED: " + what);
    process.exit(1);
  }
  console.log("ok: " + what);
}

// A page that notes everything that should not happen in it.
async function open(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      page.faults.push("console: " + message.text());
    }
  });
  page.on("pageerror", (error) => page.faults.push("error: " + error.message));
  page.on("dialog", (dialog) => { page.faults.push("dialog: " + dialog.message()); dialog.dismiss(); });
  page.on("request", (request) => {
    const url = request.url();
    if (url !== address && !url.startsWith("data:")) {
      page.faults.push("request: " + url);
    }
  });
  await page.goto(address);
  return page;
}

async function quiet(page, what) {
  expect(page.faults.length === 0, what + ": no error, no request, no dialog " + page.faults.slice(0, 3).join("; "));
  await page.context().close();
}

async function checkAccessible(browser, colorScheme) {
  const page = await open(browser, { colorScheme });
  // What is folded is looked at too.
  await page.evaluate(() => document.querySelectorAll("main details").forEach((part) => { part.open = true; }));
  await page.addScriptTag({ content: readFileSync(axePath, "utf-8") });
  const results = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const faults = results.violations.map((one) => one.id + " at " + one.nodes.slice(0, 2).map((node) => node.target + " " +
    node.failureSummary).join(", "));
  expect(faults.length === 0, "axe has nothing to say, " + colorScheme + " " + faults.join("\n"));
  await quiet(page, colorScheme);
}

async function column(page, table, index) {
  return table.evaluate((element, at) => Array.from(element.tBodies[0].rows).map((row) => Number(row.cells[at].dataset.v)),
    index);
}

async function checkSorting(page) {
  const table = page.locator("#choose table").first();
  const head = table.locator("thead th", { hasText: "M records/s" });
  const index = await head.evaluate((element) => element.cellIndex);
  const before = await column(page, table, index);
  await head.locator("button").click();
  const up = await column(page, table, index);
  expect(String(up) === String([...before].sort((a, b) => a - b)), "a click sorts upwards: " + up);
  expect(await head.getAttribute("aria-sort") === "ascending", "and says so");
  await head.locator("button").press("Enter");
  const down = await column(page, table, index);
  expect(String(down) === String([...up].reverse()), "Enter on it sorts downwards");
}

// How many elements of each entry or cell can be seen.
function visible(page, selector) {
  return page.locator(selector).evaluateAll((all) => all.filter((one) => one.getClientRects().length > 0).length);
}

async function checkFilter(page, kind, selector) {
  const before = await visible(page, selector);
  const list = page.locator(`#tools details[data-filter=${kind}]`);
  await list.locator("summary").click();
  await list.locator("input").first().uncheck();
  expect(before > 0 && await visible(page, selector) === 0, kind + ": what is switched off is gone (" + before + " parts)");
  await list.locator("input").first().press("Escape");
  expect(await list.getAttribute("open") === null, "Escape closes the list");
  await page.locator("#tools button", { hasText: "Show all" }).click();
  expect(await visible(page, selector) === before, "and all comes back");
}

async function checkDrill(page, hostile) {
  const figure = page.locator("#results td[data-m] button").first();
  await figure.focus();
  await figure.press("Enter");
  const dialog = page.locator("dialog#drill");
  expect(await dialog.isVisible(), "a figure opens the trials behind it");
  const rows = await dialog.locator("tbody tr").count();
  expect(rows >= 6, "with all of them: " + rows);
  const raw = dialog.locator("details").first();
  await raw.locator("summary").click();
  // It is filled when the browser tells that it was opened, which is a little later.
  await raw.locator("pre", { hasText: "}" }).waitFor();
  const text = await raw.locator("pre").textContent();
  const number = await dialog.locator("tbody tr td").first().textContent();
  expect(JSON.parse(text).number === Number(number), "and the raw JSON of each");
  const link = await dialog.locator("tbody a").first().getAttribute("href");
  expect(/^trials\/\d+\.json$/.test(link), "and a link to its file: " + link);
  expect(hostile || !(await dialog.textContent()).includes("undefined"), "nothing is undefined");
  await page.keyboard.press("Escape");
  expect(!(await dialog.isVisible()), "Escape closes it");
  expect(await figure.evaluate((element) => element === document.activeElement), "and the focus is back");
}

async function checkValues(page) {
  const chart = page.locator("#ratios svg[tabindex]");
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  const said = await page.locator("#live").textContent();
  expect(/speed ratio \d/.test(said) && await page.locator("#tip").textContent() === said, "arrow keys tell values: " + said);
  await page.keyboard.press("Enter");
  expect(await page.locator("dialog#drill").isVisible(), "Enter opens the trials behind the value");
  await page.keyboard.press("Escape");
  const small = page.locator(".multiples svg").first();
  await small.scrollIntoViewIfNeeded();
  const place = await small.locator("path.trial").first().evaluate((path) => {
    const at = path.getPointAtLength(path.getTotalLength() / 2);
    const box = path.ownerSVGElement.getBoundingClientRect();
    const scale = box.width / path.ownerSVGElement.viewBox.baseVal.width;
    return { x: box.left + at.x * scale, y: box.top + at.y * scale };
  });
  await page.mouse.move(place.x, place.y);
  const tip = await page.locator("#tip").textContent();
  expect(/trial \d+, row \d+.*: [\d.]+ .* at [\d.]+/.test(tip), "the pointer tells a trial's value: " + tip);
  await page.mouse.click(place.x, place.y);
  expect(await page.locator("dialog#drill tbody tr").count() === 1, "a click opens that trial");
  await page.keyboard.press("Escape");
}

async function checkTheme(page) {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.locator("#theme").selectOption("dark");
  expect(await colour() !== light, "the switch turns the page dark");
  await page.locator("#theme").selectOption("auto");
  expect(await colour() === light, "and back");
}

async function checkPrint(page) {
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await page.locator("main details:not([open])").count() === 0, "nothing is folded on paper");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  expect((await page.pdf()).length > 20000, "it prints");
}

async function checkWithoutScript(browser) {
  const page = await open(browser, { javaScriptEnabled: false });
  expect(!(await page.locator("#tools").isVisible()), "without script no switches that do nothing");
  expect(await page.locator("#results table").first().isVisible(), "but tables");
  expect(await page.locator("#ratios svg").isVisible(), "and pictures");
  await quiet(page, "without script");
}

async function checkNarrow(browser) {
  const page = await open(browser, { viewport: { width: 390, height: 800 } });
  const [needed, there] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
  expect(needed <= there, "a telephone shows it without scrolling sideways: " + needed + " of " + there);
  await quiet(page, "narrow");
}

async function checkHostile(page) {
  const title = await page.locator("h1").textContent();
  expect(title.includes("<script>alert(1)</script>") && await page.title() === title.trim(), "hostile texts are texts");
  expect(await page.locator("main script, svg script").count() === 0, "none of them is an element");
}

const browser = await launch();
const page = await open(browser);
if (flag === "--hostile") {
  await checkHostile(page);
}
await checkSorting(page);
await checkFilter(page, "entry", "[data-e='0']");
await checkFilter(page, "cell", "#results [data-c='0']");
await checkFilter(page, "class", "[data-e='0']");
await checkFilter(page, "load", "#evidence [data-c='0']");
await checkDrill(page, flag === "--hostile");
await checkValues(page);
await checkTheme(page);
await checkPrint(page);
await quiet(page, "used");
await checkAccessible(browser, "light");
await checkAccessible(browser, "dark");
await checkWithoutScript(browser);
await checkNarrow(browser);
await browser.close();
