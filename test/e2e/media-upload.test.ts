import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Browser, Page } from "playwright-core";
import { compile } from "svelte/compiler";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DemoAccounts } from "../../src/tools/local/demo-accounts.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { findBarriers } from "../support/dashboard/find-barriers.ts";
import { mp4, png } from "../support/media/samples.ts";
import { Stack } from "../support/stack/stack.ts";

// <media-upload> in pages of another origin: plain HTML, and the frameworks that developers use it in.

/** Strict: neither inline styles nor scripts of others. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src http:";
const FRAMEWORKS = ["react", "vue", "svelte"] as const;

let stack: Stack;
let accounts: DemoAccounts;
let browser: Browser;
let page: Page;
let server: Server;
let origin: string;
let folder: string;
const modules = new Map<string, string>();

const svelte: Plugin = {
  name: "svelte",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compile(await readFile(path, "utf8"), { generate: "client", css: "external" }).js.code,
    })),
};

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    logLevel: "error",
    plugins: [svelte],
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "false",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    conditions: ["browser"],
    jsx: "automatic",
  });
  return outputFiles[0]?.text ?? "";
}

function pageOf(body: string, module: string): string {
  return `<!doctype html><html lang="en"><title>Uploads</title><main><h1>Uploads</h1>${body}</main><script type="module" src="/${module}"></script></html>`;
}

beforeAll(async () => {
  [stack, browser] = await Promise.all([Stack.start(), openBrowser()]);
  accounts = await stack.demoAccounts();
  folder = await mkdtemp(join(tmpdir(), "media-upload-"));
  modules.set("element.js", await readFile(".element/index.js", "utf8"));
  for (const name of FRAMEWORKS) modules.set(`${name}.js`, await bundle(`test/e2e/media-upload/${name}.ts`));
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const module = modules.get(pathname.slice(1));
    const moduleType = pathname.endsWith(".css") ? "text/css" : "text/javascript";
    response.setHeader("Content-Type", module === undefined ? "text/html" : moduleType);
    response.setHeader("Content-Security-Policy", POLICY);
    response.end(module ?? pageOf(searchParams.get("body") ?? "", searchParams.get("module") ?? "element.js"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await browser?.close();
  await stack?.dispose();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  page = await (await browser.newContext()).newPage();
});
afterEach(() => page?.context().close());

const image = (name: string, width = 50) => ({ name, mimeType: "image/png", buffer: Buffer.from(png(width, 2)) });
const stored = (text: string | null) => (text ?? "").split(" ").filter(Boolean);

/** Opens a page with the element. */
async function open(attributes: string, around = (element: string) => element): Promise<void> {
  const element = `<media-upload base-url="${stack.baseUrl}" token="${accounts.pro.apiKey}" ${attributes}></media-upload>`;
  await page.goto(`${origin}/?${new URLSearchParams({ body: around(element) })}`);
}

async function choose(...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: /^Choose/ }).click();
  await (await chooser).setFiles(files);
}

const statuses = () => page.locator("media-upload [part=status]").allTextContents();

describe("<media-upload>", () => {
  it("Several files are uploaded, and their results are in events, in the property and in the form", async () => {
    await open('multiple name="photo"', (element) => `<form>${element}<button>Send</button></form>`);
    await page.evaluate(() => {
      const element = document.querySelector("media-upload");
      element?.addEventListener("upload", ({ detail }: CustomEventInit<{ url: string }>) => {
        document.body.dataset.urls = `${document.body.dataset.urls ?? ""} ${detail?.url}`;
      });
    });
    expect(await findBarriers(page)).toEqual([]);
    await choose(image("a.png"), image("b.png", 60));
    await expect.poll(statuses).toEqual(["Uploaded", "Uploaded"]);
    expect(await findBarriers(page)).toEqual([]);
    const urls = stored(await page.locator("body").getAttribute("data-urls"));
    expect(urls).toHaveLength(2);
    for (const url of urls) expect((await fetch(url)).status).toBe(200);
    const [inForm, results] = await page.evaluate(() => [
      new FormData(document.forms[0]).getAll("photo"),
      document.querySelector("media-upload")?.results.map(({ _id }) => _id),
    ]);
    expect(inForm).toHaveLength(2);
    expect(inForm).toEqual(results);
  });

  it("A page's own variables of the usual names colour the element", async () => {
    await open("");
    const color = await page.evaluate(`
      document.documentElement.style.setProperty("--accent", "rgb(1, 2, 3)");
      const element = document.querySelector("media-upload");
      element.style.setProperty("--media-upload-accent", "var(--accent)");
      getComputedStyle(element.shadowRoot.querySelector("button")).backgroundColor`);
    expect(color).toBe("rgb(1, 2, 3)");
  });

  it("Everything can be done by keys, and is said to a screen reader", async () => {
    await open("multiple");
    await choose(image("a.png"), image("b.png"));
    await expect.poll(statuses).toEqual(["Uploaded", "Uploaded"]);
    await expect.poll(() => page.getByRole("status").textContent()).toMatch(/^[ab]\.png is uploaded$/);
    await page.getByRole("button", { name: /^Choose/ }).focus();
    await page.keyboard.press("Tab");
    const focused = () =>
      page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("aria-label") ?? "none");
    expect(await focused()).toBe("Remove a.png");
    await page.keyboard.press("Enter");
    expect(await focused()).toBe("Remove b.png");
    await page.keyboard.press("Enter");
    expect(await page.locator("media-upload li").count()).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute("part"))).toBe(
      "button",
    );
  });

  it.each([
    ['accept=".jpg"', "a.png", "Files of this type are not accepted"],
    ['max-bytes="10"', "a.png", "The file is larger than 0.00001 MB"],
    ['multiple max-files="0"', "a.png", "At most 0 files can be uploaded"],
  ])("The element with %s refuses a file with the reason, and does not send it", async (attributes, name, reason) => {
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.method()));
    await open(attributes);
    await choose(image(name));
    await expect.poll(statuses).toEqual([reason]);
    expect(sent.filter((method) => method === "POST")).toEqual([]);
    expect(await findBarriers(page)).toEqual([]);
  });

  it("The service's refusal is shown, and a failed file can be tried again with a renewed token", async () => {
    await open("");
    await page.evaluate(() => document.querySelector("media-upload")?.setAttribute("token", "service_live_wrong"));
    await choose(image("a.png"));
    await page.getByRole("button", { name: "Try a.png again" }).waitFor();
    expect((await statuses())[0]).not.toBe("");
    await page.evaluate((key) => {
      const element = document.querySelector("media-upload");
      if (element) element.token = async () => key;
    }, accounts.pro.apiKey);
    await page.getByRole("button", { name: "Try a.png again" }).click();
    await expect.poll(statuses).toEqual(["Uploaded"]);
  });

  it("An upload token lets a page of its origin upload, until it is used up", async () => {
    const answer = await fetch(`${stack.baseUrl}/upload-tokens`, {
      method: "POST",
      headers: { Authorization: `Bearer ${accounts.pro.apiKey}`, "Content-Type": "application/json" },
      body: JSON.stringify({ maxFiles: 1, origins: [origin] }),
    });
    const { token } = (await answer.json()) as { token: string };
    await open("multiple");
    await page.evaluate((given) => document.querySelector("media-upload")?.setAttribute("token", given), token);
    await choose(image("a.png"));
    await expect.poll(statuses).toEqual(["Uploaded"]);
    await choose(image("b.png"));
    await expect.poll(statuses).toEqual(["Uploaded", "No more files can be uploaded here"]);
    expect(await page.getByRole("button", { name: "Try b.png again" }).count()).toBe(0);
  });

  it("A new file replaces the file before without `multiple`, and dropped files are uploaded", async () => {
    await open("");
    await choose(image("a.png"));
    await expect.poll(statuses).toEqual(["Uploaded"]);
    await page.evaluate(
      (bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "dropped.png", { type: "image/png" }));
        const zone = document.querySelector("media-upload")?.shadowRoot?.querySelector("[part=drop]");
        zone?.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
      },
      [...png(40, 2)],
    );
    await expect.poll(() => page.locator("media-upload [part=name]").allTextContents()).toEqual(["dropped.png"]);
    await expect.poll(statuses).toEqual(["Uploaded"]);
  });

  it("A large file is resumed when the user chooses it again after a reload", async () => {
    await open("");
    const path = join(folder, "large.mp4");
    await writeFile(path, mp4(24 * 1024 * 1024));
    const select = async () => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /^Choose/ }).click();
      await (await chooser).setFiles(path);
    };
    const created = page.waitForResponse((response) => response.request().method() === "POST");
    // No piece arrives before the reload.
    await page.route("**/*", (route) => (route.request().method() === "PATCH" ? undefined : route.continue()));
    await select();
    const location = (await created).headers().location ?? "";
    await page.unroute("**/*");
    await page.reload();
    const asked = page.waitForRequest((request) => request.method() === "HEAD");
    await select();
    expect(new URL((await asked).url()).pathname).toBe(new URL(location, stack.baseUrl).pathname);
    await expect.poll(statuses).toEqual(["Uploaded"]);
  });

  it("A form waits for running uploads and for a required file, and a reset empties the list", async () => {
    await open('required name="photo"', (element) => `<form>${element}<button type="reset">Reset</button></form>`);
    const valid = () => page.evaluate(() => document.forms[0]?.checkValidity());
    expect(await valid()).toBe(false);
    await choose(image("a.png"));
    await expect.poll(statuses).toEqual(["Uploaded"]);
    expect(await valid()).toBe(true);
    await page.getByRole("button", { name: "Reset" }).click();
    expect(await page.locator("media-upload li").count()).toBe(0);
    expect(await valid()).toBe(false);
  });
});

describe("The looks of <media-upload>", () => {
  const style = '<link rel="stylesheet" href="/page.css">';
  const styleOf = (part: string, property: string) =>
    page.evaluate(
      ([name, asked]) => {
        const found = document.querySelector("media-upload")?.shadowRoot?.querySelector(`[part=${name}]`);
        return found ? getComputedStyle(found).getPropertyValue(asked ?? "") : "none";
      },
      [part, property],
    );

  it("A page styles every documented part", async () => {
    const guide = await readFile("docs/using/upload-element.md", "utf8");
    const [sentence = ""] = /Parts for CSS .*?\./s.exec(guide) ?? [];
    const parts = [...sentence.replace(/.*?:/s, "").matchAll(/`([a-z]+)`/g)].map(([, part = ""]) => part);
    expect(parts.length).toBeGreaterThan(10);
    const rules = parts.map((part, at) => `media-upload::part(${part}) { letter-spacing: ${at + 1}px }`);
    modules.set("page.css", rules.join("\n"));
    await open("multiple", (element) => style + element);
    await page.route("**/images/upload*", () => undefined);
    await choose(image("a.png"));
    const seen = new Set<string>();
    const look = async () => {
      for (const [at, part] of parts.entries())
        if ((await styleOf(part, "letter-spacing")) === `${at + 1}px`) seen.add(part);
      return seen;
    };
    await expect.poll(look).toContain("cancel");
    await page.unroute("**/images/upload*");
    await page.evaluate(() => document.querySelector("media-upload")?.setAttribute("token", "service_live_wrong"));
    await choose(image("b.png"));
    await expect.poll(look).toContain("retry");
    expect([...seen].sort()).toEqual(parts.toSorted());
  });

  it("A page sets every documented variable", async () => {
    modules.set(
      "page.css",
      `:root { --accent: rgb(1, 2, 3) }
      media-upload {
        --media-upload-accent: var(--accent); --media-upload-color: rgb(4, 5, 6); --media-upload-border: rgb(7, 8, 9);
        --media-upload-error: rgb(10, 11, 12); --media-upload-radius: 13px; --media-upload-padding: 14px;
      }`,
    );
    await open('accept=".jpg"', (element) => style + element);
    await choose(image("a.png"));
    await expect.poll(() => styleOf("status", "color")).toBe("rgb(10, 11, 12)");
    expect({
      accent: await styleOf("button", "background-color"),
      color: await styleOf("name", "color"),
      border: await styleOf("drop", "border-top-color"),
      radius: await styleOf("drop", "border-top-left-radius"),
      padding: await styleOf("drop", "padding-top"),
    }).toEqual({
      accent: "rgb(1, 2, 3)",
      color: "rgb(4, 5, 6)",
      border: "rgb(7, 8, 9)",
      radius: "13px",
      padding: "14px",
    });
  });

  it.each([
    ["a light page on a dark system", "dark", "", "rgb(0, 0, 0)"],
    [
      "a dark page on a light system",
      "light",
      ":root { color-scheme: dark } body { background: Canvas }",
      "rgb(255, 255, 255)",
    ],
    [
      "a page that follows the system",
      "dark",
      ":root { color-scheme: light dark } body { background: Canvas }",
      "rgb(255, 255, 255)",
    ],
    ["a page with a colour of its own", "dark", "body { color: rgb(1, 2, 3) }", "rgb(1, 2, 3)"],
  ] as const)("Texts have the colour of %s", async (_, colorScheme, css, color) => {
    modules.set("page.css", css);
    await page.emulateMedia({ colorScheme });
    await open('accept=".jpg"', (element) => style + element);
    await choose(image("a.png"));
    await expect.poll(() => styleOf("name", "color")).toBe(color);
    expect(await findBarriers(page)).toEqual([]);
  });
});

describe("<media-upload> in frameworks", () => {
  it.each(FRAMEWORKS)("A page made with %s sets attributes and properties, and hears events", async (name) => {
    const query = new URLSearchParams({ body: '<div id="root"></div>', module: `${name}.js` });
    await page.goto(`${origin}/?${query}&base=${stack.baseUrl}&key=${accounts.pro.apiKey}`);
    await choose(image(`${name}.png`));
    await expect.poll(() => page.getByTestId("urls").textContent()).toContain(`${name}.png`);
    expect((await fetch((await page.getByTestId("urls").textContent()) ?? "")).status).toBe(200);
  });
});
