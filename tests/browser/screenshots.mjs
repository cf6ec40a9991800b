// screenshots.mjs: pictures of a report.html for people to look at, in both themes.
// Usage: node screenshots.mjs report.html PREFIX, which writes PREFIX-light.png and PREFIX-dark.png.
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [file, prefix] = process.argv.slice(2);
const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 1700 } });
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: prefix + "-" + colorScheme + ".png" });
}
await browser.close();
