import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { parseRegistrationMode, REGISTRATION_MODES } from "../domain/registration.ts";
import { Children } from "./local/children.ts";
import { type DemoAccounts, ensureDemoAccounts } from "./local/demo-accounts.ts";
import { ensureDevVars, readDevVars } from "./local/dev-vars.ts";
import { keepMediaProcessor } from "./local/media-processor.ts";
import { isPortFree } from "./local/port.ts";
import { startWorkers } from "./local/worker-stack.ts";

/** `npm start`: the whole service on this machine. PORT (8787) and STATE_DIR (.wrangler/state) can be set. */

const PARENT_CHECK_MS = 500;

const port = Number(process.env.PORT ?? 8787);
const stateDir = resolve(process.env.STATE_DIR ?? ".wrangler/state");
const baseUrl = `http://localhost:${port}`;
const children = new Children();

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}

async function stop(exitCode: number): Promise<void> {
  if (children.stopping) {
    // Asked a second time: no more waiting.
    children.kill();
    process.exit(1);
  }
  await children.stop();
  process.exit(exitCode);
}

/** `npm start` that is killed leaves this process behind, and with it a stack that nobody can stop by Ctrl-C. */
function endWithNpm(): void {
  if (process.env.npm_lifecycle_event !== "start") return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm && !children.stopping) void stop(1);
  }, PARENT_CHECK_MS).unref();
}

async function start(): Promise<void> {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail(`PORT must be a port number, not "${process.env.PORT}"`);
  if (parseRegistrationMode(process.env.REGISTRATION) === undefined)
    fail(`REGISTRATION must be one of ${REGISTRATION_MODES.join(", ")}, not "${process.env.REGISTRATION}"`);
  if (!(await isPortFree(port))) fail(`port ${port} is taken; set PORT to another one`);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
  endWithNpm();

  console.log("Starting the media host ...");
  await mkdir(stateDir, { recursive: true });
  await ensureDevVars();
  await children.run(process.execPath, ["src/tools/build.ts"]);
  const { url: mediaProcessorUrl } = await keepMediaProcessor(`http://127.0.0.1:${port}`, children);
  const workers = await startWorkers({ port, stateDir, mediaProcessorUrl }, children);
  workers.once("exit", () => {
    if (children.stopping) return;
    console.error("error: wrangler dev stopped unexpectedly");
    void stop(1);
  });
  const adminToken = readDevVars().get("ADMIN_TOKEN") ?? "";
  announce(await ensureDemoAccounts(`http://127.0.0.1:${port}`, stateDir, adminToken));
}

function announce({ password, free, pro }: DemoAccounts): void {
  console.log(`
Media host is ready at ${baseUrl}
  Dashboard       ${baseUrl}/dashboard
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
  if (!children.stopping) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    await stop(1);
  }
}
