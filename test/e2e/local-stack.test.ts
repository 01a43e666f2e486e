import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findFreePort } from "../support/stack/free-port.ts";
import { descendants, isAlive, listProcesses, waitUntilGone } from "../support/stack/processes.ts";
import { Stack } from "../support/stack/stack.ts";

/** The time for a process to stop before it is killed. */
const STOP_MS = 15_000;

async function findChild(pid: number, part: string): Promise<number | undefined> {
  const own = new Set(await descendants(pid));
  return (await listProcesses()).find((process) => own.has(process.pid) && process.command.includes(part))?.pid;
}

async function waitForChild(pid: number, part: string): Promise<number> {
  return expect
    .poll(() => findChild(pid, part), { timeout: 30_000, interval: 20 })
    .toBeDefined()
    .then(async () => (await findChild(pid, part)) ?? waitForChild(pid, part));
}

describe("running local stack", () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await Stack.start();
  });

  afterAll(async () => {
    await stack?.dispose();
  });

  it("The local stack restarts the media processor whenever it dies, and serves without a break", async () => {
    for (let time = 0; time < 2; time++) {
      const processor = await waitForChild(stack.pid, "container/server.ts");
      process.kill(processor, "SIGKILL");
      await waitUntilGone([processor]);
      expect((await fetch(`${stack.baseUrl}/health`)).status).toBe(200);
      expect(await waitForChild(stack.pid, "container/server.ts")).not.toBe(processor);
    }
  });

  it("The local stack writes no trace of a request to its state folder", async () => {
    for (let i = 0; i < 50; i++) await (await fetch(`${stack.baseUrl}/health`)).text();
    const files = await readdir(stack.stateDir, { recursive: true });
    expect(files.filter((file) => /observability|trace/i.test(file))).toEqual([]);
  });

  it("A killed local stack leaves no process behind", async () => {
    const others = await descendants(stack.pid);
    expect(others.length).toBeGreaterThan(3);
    process.kill(stack.pid, "SIGKILL");
    expect(await waitUntilGone(others, STOP_MS)).toEqual([]);
  });
});

describe("starting local stack", () => {
  let folder: string;
  let npm: ChildProcess;
  let port: number;
  let output: string;
  let started: number[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "media-host-e2e-"));
    // A finished build is not repeated.
    const now = new Date();
    await utimes("src/media/jpeg/engine/index.ts", now, now);
    port = await findFreePort();
    const env = { ...process.env, PORT: String(port), STATE_DIR: folder };
    const child = spawn("npm", ["start"], { env, stdio: ["ignore", "ignore", "pipe"], detached: true });
    output = "";
    child.stderr.on("data", (data) => (output += data));
    npm = child;
    started = [];
  });

  afterEach(async () => {
    for (const pid of [npm.pid ?? 0, ...started].filter((pid) => pid > 0 && isAlive(pid))) process.kill(pid, "SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  async function untilItBuilds(): Promise<void> {
    await waitForChild(npm.pid ?? 0, "compile-engines.ts");
    started = await descendants(npm.pid ?? 0);
  }

  it("The local stack leaves no build process behind when it is stopped", async () => {
    await untilItBuilds();
    const start = await findChild(npm.pid ?? 0, "src/tools/start.ts");
    process.kill(start ?? 0, "SIGTERM");
    await once(npm, "exit");
    expect(await waitUntilGone(started, STOP_MS)).toEqual([]);
  });

  it("The local stack leaves no process behind when npm is killed", async () => {
    await untilItBuilds();
    npm.kill("SIGKILL");
    expect(await waitUntilGone(started, STOP_MS)).toEqual([]);
  });

  it("The local stack reports a port taken during the build, and sends its server no token", async () => {
    await untilItBuilds();
    const tokens: unknown[] = [];
    const stranger = createServer((request, response) => {
      if (request.headers.authorization !== undefined) tokens.push(request.headers.authorization);
      response.writeHead(request.url === "/health" ? 200 : 401).end();
    }).listen(port, "127.0.0.1");
    const [exitCode] = await once(npm, "close");
    stranger.closeAllConnections();
    stranger.close();
    expect(exitCode).toBe(1);
    expect(output).toContain(`error: port ${port} is taken; set PORT to a free port`);
    expect(tokens).toEqual([]);
    expect(await waitUntilGone(started, STOP_MS)).toEqual([]);
  });
});
