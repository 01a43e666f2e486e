import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser } from "../support/browser/chromium.ts";
import { openReceiver } from "../support/dashboard/receiver.ts";
import { makeMediaFiles } from "../support/media/media-files.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

const PAGES = globSync("docs/using/*.md");
const SHELL_BLOCK = /^```sh\n([\s\S]*?)^```/gm;
const BLOCK = /^```(\w+)\n([\s\S]*?)^```/gm;
/** The webhook of the examples, in whose place the test has a receiver on this machine. */
const WEBHOOK = "https://example.com/hooks/media";

/** A page's shell examples in their order, as one script. The first example of the quick start sets the address and the key. */
async function scriptOf(page: string): Promise<string> {
  const blocks = [...(await readFile(page, "utf8")).matchAll(SHELL_BLOCK)].map(([, code]) => code);
  return blocks.filter((code) => !code?.startsWith("export HOST=")).join("\n");
}

describe("documentation", () => {
  let stack: Stack;
  let folder: string;
  let receiver: Awaited<ReturnType<typeof openReceiver>>;

  beforeAll(async () => {
    receiver = await openReceiver();
    stack = await Stack.start({ WEBHOOK_ALLOW_PRIVATE: "true" });
    ({ folder } = await makeMediaFiles());
    // A second page of a list needs more than one upload.
    const { pro } = await stack.demoAccounts();
    const photo = `file=@${join(folder, "photo.jpg")}`;
    await curl("-H", `Authorization: Bearer ${pro.apiKey}`, "-F", photo, "-F", photo, `${stack.baseUrl}/images/upload`);
    await copyFile(join(folder, "clip.mp4"), join(folder, "film.mp4"));
  });

  afterAll(async () => {
    await stack?.dispose();
    await receiver?.[Symbol.asyncDispose]();
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it.each(PAGES)("Every shell example of %s works against the stack", async (page) => {
    const { pro, password } = await stack.demoAccounts();
    const account = { KEY: pro.apiKey, EMAIL: pro.email, PASSWORD: password, TOKEN: await logIn(pro.email, password) };
    const env = { ...process.env, HOST: stack.baseUrl, ...account };
    const strict = 'set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n';
    const script = strict + (await scriptOf(page)).replaceAll(WEBHOOK, receiver.url);
    const { stderr } = await promisify(execFile)("bash", ["-c", script], { cwd: folder, env });
    expect(stderr).toBe("");
  });

  it.each(PAGES)("Every line of %s that begins with curl is in a block that is run", async (page) => {
    const blocks = [...(await readFile(page, "utf8")).matchAll(BLOCK)];
    const hidden = blocks.filter(([, language, code]) => language !== "sh" && /^curl /m.test(code ?? ""));
    expect(hidden.map(([block]) => block)).toEqual([]);
  });

  async function logIn(email: string, password: string): Promise<string> {
    const answer = await fetch(`${stack.baseUrl}/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    return ((await answer.json()) as { token: string }).token;
  }

  it("Each page is served as HTML and as Markdown with the caller's own address", async () => {
    for (const page of PAGES) {
      const name = basename(page, ".md");
      const [html, markdown] = await Promise.all([read(`/docs/${name}`), read(`/docs/${name}.md`)]);
      expect(html).toContain("<h1");
      expect(markdown).toMatch(/^# /);
      expect(html + markdown).not.toContain("localhost:8787");
    }
    expect(await read("/docs/quick-start.md")).toContain(stack.baseUrl);
  });

  it("Every link and anchor of the served pages leads somewhere", async () => {
    const names = PAGES.map((page) => basename(page, ".md"));
    const pages = new Map<string, string>();
    for (const name of [...names, "contract"]) pages.set(`/docs/${name}`, await read(`/docs/${name}`));
    for (const [path, html] of pages) {
      for (const [, href = ""] of html.matchAll(/<a href="([^"]*)"/g)) {
        if (href.startsWith("http")) continue;
        const { pathname, hash } = new URL(href, `${stack.baseUrl}${path}`);
        const target = pages.get(pathname) ?? (await read(pathname));
        if (hash !== "") expect(target, `${path} links to ${href}`).toContain(`id="${hash.slice(1)}"`);
      }
    }
  });

  it("`llms.txt` lists every page, and `llms-full.txt` holds them", async () => {
    const [list, all] = await Promise.all([read("/llms.txt"), read("/llms-full.txt")]);
    for (const page of PAGES) expect(list).toContain(`${stack.baseUrl}/docs/${basename(page)}`);
    expect(all).toContain("# Resumable uploads");
  });

  it("The search of the pages finds a section by its words, on a phone too", async () => {
    const browser = await openBrowser();
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await page.goto(`${stack.baseUrl}/docs/uploads`);
      await page.getByLabel("Search").fill("idempotency");
      await page.getByRole("link", { name: "Uploads: Retry without duplicates" }).click();
      await page.waitForURL(/#retry-without-duplicates$/);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
    } finally {
      await browser.close();
    }
  });

  async function read(path: string): Promise<string> {
    const answer = await fetch(`${stack.baseUrl}${path}`);
    expect(answer.status, path).toBe(200);
    return await answer.text();
  }
});
