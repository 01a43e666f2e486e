import type { ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { type DemoAccounts, ensureDemoAccounts } from "./local/demo-accounts.ts";
import { ensureDevVars, readDevVars } from "./local/dev-vars.ts";
import { startMediaProcessor } from "./local/media-processor.ts";
import { isPortFree } from "./local/port.ts";
import { run, stopGroup } from "./local/run.ts";
import { applyMigrations, startWorkers } from "./local/worker-stack.ts";

/** `npm start`: the whole service on this machine. PORT (8787) and STATE_DIR (.wrangler/state) can be set. */

const port = Number(process.env.PORT ?? 8787);
const stateDir = resolve(process.env.STATE_DIR ?? ".wrangler/state");
const baseUrl = `http://localhost:${port}`;

/** Each leads a process group of its own. */
const children = new Set<ChildProcess>();
let stopping = false;

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}

async function stop(exitCode: number): Promise<void> {
  // Asked a second time: no more waiting.
  if (stopping) {
    for (const { pid } of children) if (pid !== undefined) process.kill(-pid, "SIGKILL");
    process.exit(1);
  }
  stopping = true;
  await Promise.all([...children].map(stopGroup));
  process.exit(exitCode);
}

/** The stack is whole or it is not up. */
function watch(name: string): (child: ChildProcess) => void {
  return (child) => {
    children.add(child);
    child.once("exit", () => {
      children.delete(child);
      if (stopping) return;
      console.error(`error: ${name} stopped unexpectedly`);
      void stop(1);
    });
  };
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail(`PORT must be a port number, not "${process.env.PORT}"`);
  if (!(await isPortFree(port))) fail(`port ${port} is taken; set PORT to another one`);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

  console.log("Starting the media host ...");
  await mkdir(stateDir, { recursive: true });
  await ensureDevVars();
  await run(process.execPath, ["src/tools/build.ts"]);
  await applyMigrations(stateDir);
  if (stopping) return;
  const mediaProcessorUrl = await startMediaProcessor(baseUrl, watch("the media processor"));
  await startWorkers({ port, baseUrl, stateDir, mediaProcessorUrl }, watch("wrangler dev"));
  const adminToken = readDevVars().get("ADMIN_TOKEN") ?? "";
  announce(await ensureDemoAccounts(`http://127.0.0.1:${port}`, stateDir, adminToken));
}

function announce({ password, free, pro }: DemoAccounts): void {
  console.log(`
Media host is ready at ${baseUrl}
  API reference   ${baseUrl}/docs
  Free account    ${free.email}   upload key ${free.uploadKey}
  Pro account     ${pro.email}    API key    ${pro.apiKey}
  Password        ${password}   (both)

Upload a file:
  curl -H "Authorization: Bearer ${pro.apiKey}" -F "file=@photo.jpg" ${baseUrl}/images/upload

Ctrl-C stops everything.`);
}

try {
  await start();
} catch (error) {
  if (!stopping) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}
