import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDevVars } from "../../../src/tools/local/dev-vars.ts";
import { findFreePort } from "../../../src/tools/local/port.ts";
import { run, stopGroup } from "../../../src/tools/local/run.ts";
import { applyMigrations, startWorkers } from "../../../src/tools/local/worker-stack.ts";
import { hasDockerApi, listContainers, listUsers, removeContainer } from "./docker-api.ts";
import { drive } from "./drive.ts";

/**
 * `npm run e2e:container`: wrangler dev builds `container/Dockerfile`, starts it as a real Container, and the stack is used as
 * people use it. Needs a Docker API and ffmpeg. Ends with 0 where all went well, else with 1 and the reason.
 */

const folder = await mkdtemp(join(tmpdir(), "media-host-container-"));
let stack: ChildProcess | undefined;
/** Of another stack, which may run now. */
let foreign: readonly string[] = [];
let stopped: Promise<void> | undefined;

/** Ends the stack, and the Containers that outlive it. */
function stop(): Promise<void> {
  stopped ??= (async () => {
    if (stack === undefined) return;
    await stopGroup(stack);
    for (const id of await listOwn()) await removeContainer(id);
  })().finally(() => rm(folder, { recursive: true, force: true }));
  return stopped;
}

async function listOwn(): Promise<string[]> {
  return (await listContainers()).filter((id) => !foreign.includes(id));
}

/** A container reaches this machine at an address of its network; to the container, localhost is itself. */
function ownAddress(): string {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  if (address === undefined)
    throw new Error("this machine has no address but loopback, which a container cannot reach");
  return address;
}

async function main(): Promise<void> {
  if (!(await hasDockerApi())) {
    throw new Error("no Docker API answers (DOCKER_HOST, or /var/run/docker.sock): no Container can be started");
  }
  foreign = await listContainers();
  const port = await findFreePort();
  const baseUrl = `http://${ownAddress()}:${port}`;
  await ensureDevVars();
  await run(process.execPath, ["src/tools/build.ts"]);
  await applyMigrations(folder);
  console.log("building and starting the Container; the first time takes minutes ...");
  const container = { host: "0.0.0.0", enableContainers: true, mediaProcessorUrl: "" };
  await startWorkers({ port, baseUrl, stateDir: folder, ...container }, (child) => {
    stack = child;
  });
  await drive(baseUrl, folder);
  const users = await listUsers(await listOwn());
  if (users.length === 0 || !users.every((user) => user === "node")) throw new Error(`Containers run as ${users}`);
  console.log(`Containers that ran: ${users.length}, none of them as root`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(1)));
}
try {
  await main();
  console.log("ok");
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await stop();
}
