import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listResources } from "../../src/tools/deploy/resources.ts";
import { readWorkerConfigs } from "../../src/tools/deploy/worker-configs.ts";
import { ok } from "../support/cloudflare-api/answer.ts";
import { DeployRig } from "../support/deploy/deploy-rig.ts";
import { descendants, waitUntilGone } from "../support/stack/processes.ts";

// A run that is interrupted anywhere is continued by the next run, and creates nothing twice.

const TIMEOUT_MS = 180_000;
const UNAVAILABLE = {
  status: 503,
  body: { success: false, errors: [{ code: 10013, message: "unavailable" }], messages: [], result: null },
};
const ARGS = ["--without-container"];

let rig: DeployRig;

beforeEach(async () => {
  rig = await DeployRig.start();
});

afterEach(() => rig[Symbol.asyncDispose]());

const made = (kind: RegExp) => rig.api.takeWrites().filter((write) => kind.test(write));
/** The resources that the Workers name. */
const listed = async () => listResources(await readWorkerConfigs("media-host"));
const uploads = (calls: readonly string[]) =>
  calls.flatMap((call) => /^(?:PUT|POST) .*\/scripts\/([^/]+)(?:\/versions)?$/.exec(call)?.[1] ?? []);

/** Starts a deployment, and waits until it is in the middle of a call. */
async function stopAt(matches: RegExp, isAfterwards: boolean): Promise<{ child: ChildProcess; pids: number[] }> {
  const reached = new Promise<void>((resolve) => {
    rig.api.faults.push({
      matches,
      times: 1,
      isAfterwards,
      strike: () => {
        resolve();
        return new Promise<undefined>(() => undefined);
      },
    });
  });
  const child = rig.spawn(ARGS);
  child.stdout?.resume();
  child.stderr?.resume();
  await reached;
  return { child, pids: [child.pid ?? 0, ...(await descendants(child.pid ?? 0))] };
}

/** Ends a deployment with all its processes in the middle of a call, as a power cut does. */
async function killAt(matches: RegExp, isAfterwards: boolean): Promise<void> {
  const { child, pids } = await stopAt(matches, isAfterwards);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  await waitUntilGone(pids);
}

describe("killed runs", () => {
  it("A queue that a killed run was creating is adopted by the next run", { timeout: TIMEOUT_MS }, async () => {
    await killAt(/^POST .*\/queues$/, true);
    const { databases, buckets, queues } = await listed();
    expect(made(/(database|buckets|queues)$/)).toHaveLength(databases.length + buckets.length + 1);
    const { exitCode, output } = await rig.deploy(ARGS);
    expect(output).toContain(`queue ${queues[0]} is there`);
    expect(exitCode).toBe(0);
    expect(made(/(database|buckets|queues)$/)).toHaveLength(queues.length - 1);
  });

  it("A killed upload of the API Worker is repeated by the next run with the same operator's token", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await killAt(/^PUT .*\/scripts\/media-host-api$/, true);
    const token = (await rig.filesLeft()).get(join(rig.folderOf(), "operator.env"));
    const generated = (await readdir(".")).filter((name) => name.startsWith(".wrangler-deploy."));
    expect(generated).not.toEqual([]);
    rig.api.takeWrites();
    const { exitCode, output } = await rig.deploy(ARGS);
    expect(output).toContain("Worker media-host-cdn has not changed");
    expect(exitCode).toBe(0);
    expect(uploads(rig.api.takeWrites())).toEqual(["media-host-api"]);
    expect(token).toContain(
      String(rig.api.account.deployedVersion("media-host-api").bindings.get("ADMIN_TOKEN")?.text),
    );
    // Nothing of the killed run remains, in particular none of its secrets.
    expect((await readdir(".")).filter((name) => generated.includes(name))).toEqual([]);
    expect([...(await rig.filesLeft()).keys()].filter((path) => path.endsWith("secrets.json"))).toEqual([]);
  });
});

describe("runs that are ended by Ctrl-C", () => {
  it("Ctrl-C removes the run's secrets and its configuration, and ends wrangler", { timeout: TIMEOUT_MS }, async () => {
    const { child, pids } = await stopAt(/^PUT .*\/scripts\/media-host-cdn$/, false);
    expect([...(await rig.filesLeft()).keys()].filter((path) => path.endsWith("secrets.json"))).toHaveLength(1);
    child.kill("SIGINT");
    const [exitCode] = await once(child, "exit");
    expect(exitCode).toBe(130);
    expect(await waitUntilGone(pids)).toEqual([]);
    const left = [...(await rig.filesLeft()).keys()].map((path) => basename(path));
    expect(left.filter((name) => /^(secrets.json|lock)$/.test(name))).toEqual([]);
    expect((await readdir("src/cdn")).filter((name) => name.includes(`wrangler-deploy.${child.pid}.`))).toEqual([]);
  });
});

describe("failing APIs", () => {
  it("An API failure in the middle is reported with its step, and the next run continues there", {
    timeout: TIMEOUT_MS,
  }, async () => {
    rig.api.faults.push({ matches: /^PUT .*\/scripts\/media-host-api$/, times: 10, strike: () => UNAVAILABLE });
    const { exitCode, output } = await rig.deploy(ARGS);
    expect(output).toMatch(/error: wrangler deploy .* failed/);
    expect(output).toContain("unavailable");
    expect(exitCode).toBe(1);
    rig.api.faults.length = 0;
    rig.api.takeWrites();
    await rig.deployWell(ARGS);
    const writes = rig.api.takeWrites();
    // The shared secret was uploaded to one Worker only, and no API returns it.
    expect(uploads(writes)).toEqual(["media-host-cdn", "media-host-api"]);
    expect(writes.filter((write) => /(database|buckets|queues)$/.test(write))).toEqual([]);
  });

  it("A resource whose creation was not answered is adopted", { timeout: TIMEOUT_MS }, async () => {
    for (const kind of ["d1/database", "r2/buckets", "queues"]) {
      rig.api.faults.push({
        matches: new RegExp(`^POST .*/${kind}$`),
        times: 1,
        isAfterwards: true,
        strike: () => UNAVAILABLE,
      });
    }
    await rig.deployWell(ARGS);
    expect(made(/(database|buckets|queues)$/)).toHaveLength(Object.values(await listed()).flat().length);
  });

  it("A creation that failed for a moment is tried again after a check that nothing was created", {
    timeout: TIMEOUT_MS,
  }, async () => {
    rig.api.faults.push({ matches: /^POST .*\/d1\/database$/, times: 1, strike: () => UNAVAILABLE });
    rig.api.faults.push({ matches: /^POST .*\/queues$/, times: 10, strike: () => UNAVAILABLE });
    const { exitCode, output } = await rig.deploy(ARGS);
    expect(output).toMatch(/error: POST .*\/queues: unavailable/);
    expect(exitCode).toBe(1);
    expect(rig.api.account.databases.size).toBe((await listed()).databases.length);
    expect(rig.api.account.queues.size).toBe(0);
  });

  it("A read that failed for a moment is tried again", { timeout: TIMEOUT_MS }, async () => {
    rig.api.faults.push({ matches: /^GET .*\/d1\/database$/, times: 2, strike: () => UNAVAILABLE });
    const { exitCode } = await rig.deploy(["--dry-run", ...ARGS]);
    expect(exitCode).toBe(0);
  });

  it("A run creates nothing when the API wrongly lists nothing", { timeout: TIMEOUT_MS }, async () => {
    rig.api.faults.push({
      matches: /^GET .*\/accounts$|^GET \/accounts$/,
      times: 1,
      strike: () => ok([], { page: 1, total_pages: 0 }),
    });
    const { exitCode, output } = await rig.deploy(ARGS);
    expect(output).toContain("The token reaches no account");
    expect(exitCode).toBe(1);
  });
});

describe("databases", () => {
  it("An existing database of the same name is adopted", { timeout: TIMEOUT_MS }, async () => {
    const [name = "", ...others] = (await listed()).databases;
    const id = rig.api.account.addDatabase(name);
    const { exitCode, output } = await rig.deploy(ARGS);
    expect(output).toContain(`database ${name} is there`);
    expect(exitCode).toBe(0);
    const bound = [...rig.api.account.deployedVersion("media-host-api").bindings.values()].map((each) => each.id);
    expect(bound).toContain(id);
    expect(made(/d1\/database$/)).toHaveLength(others.length);
  });
});

describe("new addresses", () => {
  it("The run waits until a new address answers", { timeout: TIMEOUT_MS }, async () => {
    let early = 3;
    rig.edge.strike = () => (early-- > 0 ? { status: 530, body: "error code: 1016" } : undefined);
    await rig.deployWell(ARGS);
    expect(early).toBeLessThan(0);
  });
});

it("The second of two deployments at once from one tree is refused", { timeout: TIMEOUT_MS }, async () => {
  await writeFile(join(rig.deployDir, "lock"), String(process.pid));
  const { exitCode, output } = await rig.deploy(ARGS);
  expect(output).toContain("Another deployment runs in this tree");
  expect(exitCode).toBe(1);
  // The lock of a process that no longer exists.
  await writeFile(join(rig.deployDir, "lock"), "999999999");
  await rig.deployWell(["--dry-run", ...ARGS]);
});
