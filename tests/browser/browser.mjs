// browser.mjs: headless Chromium from the distribution, driven by what the lock file beside names.
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..", "..");
const require = createRequire(path.join(root, ".deps", "browser", "package.json"));
export const { chromium } = require("playwright-core");
export const axePath = require.resolve("axe-core");

// The first browser in PATH; null where there is none.
export function findBrowser() {
  for (const folder of (process.env.PATH || "").split(":")) {
    for (const name of ["chromium-headless-shell", "chromium", "google-chrome"]) {
      try {
        accessSync(path.join(folder, name), constants.X_OK);
        return path.join(folder, name);
      } catch {
        // not there
      }
    }
  }
  return null;
}

export function launch() {
  // A browser of root's has no sandbox. What is opened is a page of our own.
  return chromium.launch({ executablePath: findBrowser(), chromiumSandbox: process.getuid() !== 0 });
}
