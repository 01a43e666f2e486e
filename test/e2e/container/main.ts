import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Children } from "../../../src/tools/local/children.ts";
import { ensureDevVars } from "../../../src/tools/local/dev-vars.ts";
import { startWorkers } from "../../../src/tools/local/worker-stack.ts";
import { findFreePort } from "../../support/stack/free-port.ts";
import { type ContainerState, hasDockerApi, inspectContainers, listContainers, removeContainer } from "./docker-api.ts";
import { drive } from "./drive.ts";
import { fallAsleep } from "./fall-asleep.ts";
import { standInForEgress } from "./stand-in-for-egress.ts";

/**
 * `npm run e2e:container`: wrangler dev builds `container/Dockerfile` and starts it as a real Container, then the stack is used. Needs a
 * Docker API and ffmpeg. Exits with 0, or with 1 and the reason.
 */

const folder = await mkdtemp(join(tmpdir(), "media-host-container-"));
const children = new Children();
/** Containers of another stack, which may run now. */
let foreign: readonly string[] = [];
let bridgeKeeper: string | undefined;
let stopped: Promise<void> | undefined;

/** Ends the stack, and the Containers that outlive it. */
function stop(): Promise<void> {
  stopped ??= (async () => {
    await children.stop();
    for (const id of await listOwn()) await removeContainer(id);
    if (bridgeKeeper !== undefined) await removeContainer(bridgeKeeper);
  })().finally(() => rm(folder, { recursive: true, force: true }));
  return stopped;
}

async function listOwn(): Promise<string[]> {
  return (await listContainers()).filter((id) => !foreign.includes(id));
}

async function listStates(): Promise<ContainerState[]> {
  return inspectContainers(await listOwn());
}

async function main(): Promise<void> {
  if (!(await hasDockerApi())) {
    throw new Error("no Docker API answers (DOCKER_HOST, or /var/run/docker.sock): no Container can be started");
  }
  foreign = await listContainers();
  const egress = await standInForEgress(children);
  bridgeKeeper = egress.bridgeKeeper;
  const port = await findFreePort();
  await ensureDevVars();
  await children.run(process.execPath, ["src/tools/build.ts"]);
  console.log("building and starting the Container; the first time takes minutes ...");
  // CDN_URL is empty, as in a first deployment; the Container still reads videos through the Worker.
  const options = { port, stateDir: folder, enableContainers: true, mediaProcessorUrl: "", env: egress.env };
  await startWorkers(options, children);
  const countRunning = async () => (await listStates()).filter(({ isRunning }) => isRunning).length;
  await drive(`http://127.0.0.1:${port}`, folder, () => fallAsleep(countRunning));
  if ((await countRunning()) === 0) throw new Error("a job did not wake the Container");
  const users = (await listStates()).map(({ user }) => user);
  if (!users.every((user) => user === "node")) throw new Error(`Containers run as ${users}`);
  console.log(`${users.length} Containers ran, none as root`);
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
