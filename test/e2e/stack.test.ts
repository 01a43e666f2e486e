import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDevVars } from "../../src/tools/local/dev-vars.ts";
import { openBrowser } from "../support/browser/chromium.ts";
import { png } from "../support/media/samples.ts";
import { curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

const run = promisify(execFile);

let stack: Stack;
let picture: string;

beforeAll(async () => {
  stack = await Stack.start();
  picture = join(stack.stateDir, "tiny.png");
  await writeFile(picture, png());
});

afterAll(async () => {
  await stack?.dispose();
});

describe("npm start", () => {
  it("`npm start` prints keys that work", async () => {
    const { free, pro } = await stack.demoAccounts();
    const list = await curl("-H", `Authorization: Bearer ${pro.apiKey}`, `${stack.baseUrl}/images`);
    expect(list.status).toBe(200);
    const forbidden = await curl("-H", `Authorization: Bearer ${free.uploadKey}`, `${stack.baseUrl}/images`);
    expect(forbidden.status).toBe(403);
    expect(forbidden.json()).toEqual({
      error: "API access requires Pro or Business tier",
      code: "api_tier_required",
      statusCode: 403,
    });
  });

  it("`npm start` prints a password that logs both accounts in", async () => {
    const { password, free, pro } = await stack.demoAccounts();
    for (const { email } of [free, pro]) {
      const body = JSON.stringify({ email, password });
      const answer = await curl("-H", "Content-Type: application/json", "-d", body, `${stack.baseUrl}/auth/login`);
      expect(answer.status).toBe(200);
    }
  });

  it("`npm start` gives the CDN Worker only the secret that it needs", async () => {
    expect([...readDevVars().keys()].sort()).toEqual([
      "ADMIN_TOKEN",
      "JWT_SECRET",
      "PREVIEW_SECRET",
      "RECEIPT_SECRET",
      "SIGN_IN_SECRET",
      "URL_SIGNING_SECRET",
      "WEBHOOK_SECRET",
    ]);
    const { stdout } = await run("cat", ["src/cdn/.dev.vars"]);
    // The variable is here, too, because `wrangler dev` passes variables of its command line only to the first Worker.
    expect(stdout.match(/^\w+/gm)).toEqual(["PREVIEW_SECRET", "URL_SIGNING_SECRET", "VIEW_FLUSH_SECONDS"]);
  });

  it("`npm start` reports a taken port and starts nothing", async () => {
    const child = spawn(process.execPath, ["src/tools/start.ts"], {
      env: { ...process.env, PORT: new URL(stack.baseUrl).port, STATE_DIR: stack.stateDir },
    });
    let output = "";
    child.stderr.on("data", (data) => {
      output += data;
    });
    const [exitCode] = await once(child, "close");
    expect(exitCode).toBe(1);
    expect(output).toContain("is taken");
  });

  it("The operator changes a tier, and gets an error for an unknown one", async () => {
    expect(await stack.admin("set-tier", "free@example.com", "starter")).toContain("starter");
    expect(await stack.admin("show", "free@example.com")).toContain("starter");
    await expect(stack.admin("set-tier", "free@example.com", "gold")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("tier"),
    });
    await expect(stack.admin("show", "nobody@example.com")).rejects.toMatchObject({
      stderr: expect.stringContaining("Account not found"),
    });
    await stack.admin("set-tier", "free@example.com", "free");
  });

  it("URLs have the address of the request", async () => {
    const { port } = new URL(stack.baseUrl);
    const { free } = await stack.demoAccounts();
    const authorization = `Authorization: Bearer ${free.uploadKey}`;
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
      const answer = await curl("-H", authorization, "-F", `file=@${picture}`, `${origin}/images/upload`);
      const { url } = answer.json() as { url: string };
      expect([answer.status, new URL(url).origin]).toEqual([201, origin]);
      expect((await curl(url)).status).toBe(200);
    }
  });

  it("An address has all of its registrations left after the demo accounts were opened", async () => {
    const limit = Number(process.env.ADDRESS_REGISTRATIONS_PER_HOUR ?? 20);
    const statuses: number[] = [];
    for (let number = 0; number <= limit; number++) {
      const body = JSON.stringify({ email: `new-${number}@example.com`, password: "long enough a password" });
      statuses.push(
        (await curl("-H", "Content-Type: application/json", "-d", body, `${stack.baseUrl}/auth/register`)).status,
      );
    }
    expect(statuses).toEqual([...new Array(limit).fill(201), 429]);
  });

  describe("API reference in a browser", () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(async () => {
      await browser?.close();
    });

    it("The API reference shows the endpoints, with their asterisks", async () => {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("response", (response) => {
        if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(`${stack.baseUrl}/docs`);
      await page.locator(".opblock-summary-path", { hasText: "/images/upload" }).first().waitFor({ timeout: 20_000 });
      expect(await page.locator(".opblock").count()).toBeGreaterThan(90);
      expect(await page.locator(".info em").count()).toBe(0);
      expect(await page.locator(".info table").count()).toBeGreaterThan(2);
      expect(problems).toEqual([]);
    });

    it("The API reference tries an upload and a listing with only a key and a file filled in", async () => {
      const { pro } = await stack.demoAccounts();
      const page = await browser.newPage();
      await page.goto(`${stack.baseUrl}/docs`);
      await page.locator(".btn.authorize").click({ timeout: 20_000 });
      const key = page.locator(".auth-container", { hasText: "apiKey" });
      await key.locator("input").fill(pro.apiKey);
      await key.getByRole("button", { name: "Apply credentials" }).click();
      await page.locator(".btn-done").first().click();
      const execute = async (operation: string, path: string, prepare?: (block: Locator) => Promise<void>) => {
        const block = page.locator(`#operations-images-${operation}`);
        await block.locator(".opblock-summary").click();
        await block.locator(".try-out__btn").click();
        await prepare?.(block);
        const answer = page.waitForResponse((response) => new URL(response.url()).pathname === path);
        await block.locator(".execute").click();
        return (await answer).status();
      };
      const withFile = async (block: Locator) => {
        const add = block.locator(".json-schema-form-item-add");
        if ((await add.count()) > 0) await add.first().click();
        await block.locator("input[type=file]").first().setInputFiles(picture);
      };
      expect(await execute("uploadImages", "/images/upload", withFile)).toBe(201);
      expect(await execute("listImages", "/images")).toBe(200);
    });
  });

  it("SIGTERM stops every process, and the next start has the same accounts and files", async () => {
    const before = await stack.demoAccounts();
    const { exitCode, left } = await stack.stop();
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] });
    await stack.restart();
    expect(await stack.demoAccounts()).toEqual(before);
    const list = await curl("-H", `Authorization: Bearer ${before.pro.apiKey}`, `${stack.baseUrl}/images`);
    expect(list.status).toBe(200);
  });
});
