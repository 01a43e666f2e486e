import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openBrowser } from "../../support/browser/chromium.ts";
import { openPage } from "../../support/dashboard/browser.ts";
import { openDashboard } from "../../support/dashboard/log-in.ts";
import { findFreePort } from "../../support/stack/free-port.ts";
import { descendants, waitUntilGone } from "../../support/stack/processes.ts";

// `npm run dev` in a copy of the sources, because the test changes them.

/** The sources that `npm run build` and the stack read. */
const SOURCES = [
  "src",
  "container",
  "docs",
  "migrations",
  "LICENSE",
  "README.md",
  "package.json",
  "tsconfig.json",
  "wrangler.toml",
];
const START_MS = 120_000;
const RELOAD_MS = 30_000;

let root: string;
let npm: ChildProcess;
let output = "";
let api: string;
let dashboard: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "media-host-dev-"));
  const filter = (path: string) => !path.includes("node_modules");
  for (const name of SOURCES) await cp(name, join(root, name), { recursive: true, filter });
  for (const name of ["node_modules", "container/node_modules"]) await symlink(resolve(name), join(root, name));
  const [port, dashboardPort] = [await findFreePort(), await findFreePort()];
  [api, dashboard] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${dashboardPort}/dashboard`];
  const env = { ...process.env, PORT: String(port), DASHBOARD_PORT: String(dashboardPort) };
  npm = spawn("npm", ["run", "dev"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  for (const stream of [npm.stdout, npm.stderr]) stream?.on("data", (data) => (output += data));
  await vi.waitUntil(() => output.includes("Ctrl-C stops everything.") || npm.exitCode !== null, { timeout: START_MS });
  if (npm.exitCode !== null) throw new Error(output);
}, START_MS);

afterAll(async () => {
  if (npm?.exitCode === null) process.kill(-(npm.pid ?? 0), "SIGKILL");
  await rm(root, { recursive: true, force: true });
});

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(root, file), "utf8");
  expect(text).toContain(from);
  await writeFile(join(root, file), text.replace(from, to));
}

const textOf = async (url: string) => (await fetch(url)).text();

describe("`npm run dev`", () => {
  it("A change of a Worker's source is served without a restart, with the same accounts", {
    timeout: 2 * RELOAD_MS,
  }, async () => {
    expect(await textOf(`${api}/openapi.json`)).toContain("Whether the service works");
    await change("src/api/health.ts", "Whether the service works", "Whether this change is served");
    await expect
      .poll(() => textOf(`${api}/openapi.json`), { timeout: RELOAD_MS })
      .toContain("Whether this change is served");
    const [, key = ""] = /API key +(\S+)/.exec(output) ?? [];
    const images = await fetch(`${api}/images`, { headers: { Authorization: `Bearer ${key}` } });
    expect(images.status).toBe(200);
  });

  it("The dashboard is served from its sources at each of its addresses", { timeout: RELOAD_MS }, async () => {
    for (const path of ["", "?q=sea", "/", "/trash"]) {
      const page = await fetch(dashboard + path, { headers: { Accept: "text/html" } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("@vite/client")]);
    }
    // All other addresses are the API's.
    expect(await (await fetch(new URL("/health", dashboard))).json()).toEqual({ status: "ok" });
  });

  it("An edited text of the dashboard appears in the open page, which logs in through the API", {
    timeout: 4 * RELOAD_MS,
  }, async () => {
    const [, email = "", password = ""] = /Pro account +(\S+).*Password +(\S+)/s.exec(output) ?? [];
    const browser = await openBrowser();
    try {
      const { page, problems } = await openPage(browser);
      await openDashboard(page, new URL(dashboard).origin, { email, password }, "/trash");
      await page.getByText("The trash is empty").waitFor();
      await page.evaluate('document.body.setAttribute("data-same-page", "")');
      await change("src/dashboard/library/nothing.tsx", "The trash is empty", "The trash holds no file");
      await page.locator("[data-same-page]").getByText("The trash holds no file").waitFor();
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it("The Workers' inspector answers on its fixed port", async () => {
    const targets = (await (await fetch("http://127.0.0.1:9229/json")).json()) as unknown[];
    expect(targets.length).toBeGreaterThan(0);
  });

  it("Ctrl-C ends every process", async () => {
    const processes = await descendants(npm.pid ?? 0);
    expect(processes.length).toBeGreaterThan(3);
    process.kill(-(npm.pid ?? 0), "SIGINT");
    await once(npm, "exit");
    expect(await waitUntilGone(processes, 15_000)).toEqual([]);
  });
});
