import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDevVars } from "../../src/tools/local/dev-vars.ts";
import { curl } from "../support/curl.ts";
import { Stack } from "../support/stack.ts";

const run = promisify(execFile);

let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start();
});

afterAll(async () => {
  await stack?.dispose();
});

describe("npm start", () => {
  it("prints keys that work", async () => {
    const { free, pro } = await stack.demoAccounts();
    const list = await curl("-H", `Authorization: Bearer ${pro.apiKey}`, `${stack.baseUrl}/images`);
    expect(list.status).toBe(200);
    const forbidden = await curl("-H", `Authorization: Bearer ${free.uploadKey}`, `${stack.baseUrl}/images`);
    expect(forbidden.status).toBe(403);
    expect(forbidden.json()).toEqual({ error: "API access requires Pro or Business tier", statusCode: 403 });
  });

  it("prints a password that logs both accounts in", async () => {
    const { password, free, pro } = await stack.demoAccounts();
    for (const { email } of [free, pro]) {
      const body = JSON.stringify({ email, password });
      const answer = await curl("-H", "Content-Type: application/json", "-d", body, `${stack.baseUrl}/auth/login`);
      expect(answer.status).toBe(200);
    }
  });

  it("gives the CDN Worker no secret but the one it needs", async () => {
    expect([...readDevVars().keys()].sort()).toEqual(["ADMIN_TOKEN", "JWT_SECRET", "PREVIEW_SECRET"]);
    const { stdout } = await run("cat", ["src/cdn/.dev.vars"]);
    expect(stdout.match(/^\w+/gm)).toEqual(["PREVIEW_SECRET"]);
  });

  it("says so when its port is taken, and starts nothing", async () => {
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

  it("lets the operator change a tier, and says what was wrong with a bad one", async () => {
    const admin = (...args: string[]) =>
      run(process.execPath, ["src/tools/admin.ts", ...args], { env: { ...process.env, BASE_URL: stack.baseUrl } });
    expect((await admin("set-tier", "free@example.com", "starter")).stdout).toContain("starter");
    expect((await admin("show", "free@example.com")).stdout).toContain("starter");
    await expect(admin("set-tier", "free@example.com", "gold")).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("tier"),
    });
    await expect(admin("show", "nobody@example.com")).rejects.toMatchObject({
      stderr: expect.stringContaining("Account not found"),
    });
    await admin("set-tier", "free@example.com", "free");
  });

  it("serves an API reference that a browser can read", async () => {
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
    });
    try {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("pageerror", (error) => problems.push(error.message));
      page.on("response", (response) => {
        if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
      });
      await page.goto(`${stack.baseUrl}/docs`);
      await page.locator(".opblock-summary-path", { hasText: "/images/upload" }).waitFor({ timeout: 20_000 });
      expect(await page.locator(".opblock").count()).toBeGreaterThan(15);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  it("stops everything it started on SIGTERM, and starts again with the same accounts and files", async () => {
    const before = await stack.demoAccounts();
    const { exitCode, left } = await stack.stop();
    expect({ exitCode, left }).toEqual({ exitCode: 0, left: [] });
    await stack.restart();
    expect(await stack.demoAccounts()).toEqual(before);
    const list = await curl("-H", `Authorization: Bearer ${before.pro.apiKey}`, `${stack.baseUrl}/images`);
    expect(list.status).toBe(200);
  });
});
