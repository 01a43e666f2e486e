import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listResources } from "../../../src/tools/deploy/resources.ts";
import { readWorkerConfigs, type WorkerConfig } from "../../../src/tools/deploy/worker-configs.ts";
import type { Version } from "../../support/cloudflare-api/account-state.ts";
import { DeployRig, type Outcome } from "../../support/deploy/deploy-rig.ts";
import { listProcesses } from "../../support/stack/processes.ts";

// A whole deployment and its updates against one emulated account, which runs the Workers that wrangler uploads.

const TIMEOUT_MS = 120_000;

let rig: DeployRig;
let configs: WorkerConfig[];
let fresh: Outcome;
let writes: string[];
/** Command lines of this machine while a Worker with secrets was uploaded. */
const commandLines: string[] = [];
const treeBefore = gitStatus();

const api = () => rig.api.account.deployedVersion("media-host-api");
const cdn = () => rig.api.account.deployedVersion("media-host-cdn");
const codecs = () => rig.api.account.deployedVersion("media-host-codecs");
const secretsOf = ({ bindings }: Version) =>
  new Map(
    [...bindings.values()].filter(({ type }) => type === "secret_text").map(({ name, text }) => [name, String(text)]),
  );
const deployedIds = () => [codecs(), cdn(), api()].map(({ id }) => id);

/** Git's status of the configurations. Other work may change other files. */
function gitStatus(): string {
  return execFileSync("git", ["status", "--porcelain", "--", ":(glob)**/*wrangler*"], { encoding: "utf8" });
}

beforeAll(async () => {
  configs = await readWorkerConfigs("media-host");
  rig = await DeployRig.start();
  rig.api.faults.push({
    matches: /^PUT .*\/scripts\/media-host-(api|cdn)$/,
    times: 2,
    strike: async () => {
      commandLines.push(...(await listProcesses()).map(({ command }) => command));
      return undefined;
    },
  });
  fresh = await rig.deploy(["--without-container"]);
  writes = rig.api.takeWrites();
}, TIMEOUT_MS);

afterAll(() => rig[Symbol.asyncDispose]());

describe("first deployment", () => {
  it("The first deployment succeeds, tests the service and prints its address", () => {
    expect(fresh.output).toContain("try it: upload, view, range, delete");
    expect(fresh.output).toContain("media-host is ready at https://media-host-api.media-host-01234567.workers.dev");
    expect(fresh.exitCode).toBe(0);
    expect(rig.api.unknown).toEqual([]);
  });

  it("The first deployment creates and binds every database, bucket and queue that a Worker names", () => {
    const { databases, buckets, queues } = rig.api.account;
    const named = (type: string, field: string) =>
      [codecs(), cdn(), api()].flatMap(({ bindings }) =>
        [...bindings.values()].filter((each) => each.type === type).map((each) => each[field]),
      );
    expect(new Set(named("d1", "id"))).toEqual(new Set(databases.values()));
    expect(new Set(named("r2_bucket", "bucket_name"))).toEqual(buckets);
    const resources = listResources(configs);
    expect([...databases.keys()].sort()).toEqual(resources.databases);
    expect([...queues.keys()].sort()).toEqual(resources.queues);
    expect(resources.queues).toContain("media-host-uploads-dead");
  });

  it("The first deployment uploads bound Workers before the Worker that binds them", () => {
    const uploads = writes.flatMap((write) => /^PUT .*\/scripts\/([^/]+)$/.exec(write)?.[1] ?? []);
    expect(uploads).toEqual(["media-host-codecs", "media-host-cdn", "media-host-api"]);
  });

  it("The first deployment connects each queue to its consumer, with its dead-letter queue", () => {
    const consumers = [...rig.api.account.queues.values()].flatMap((queue) =>
      queue.consumers.map(({ script, dead_letter_queue: dead }) => [queue.name, script, dead]),
    );
    const wanted = configs.flatMap(({ name, raw }) =>
      (raw.queues?.consumers ?? []).map(({ queue, dead_letter_queue: dead }) => [queue, name, dead]),
    );
    expect(consumers.sort()).toEqual(wanted.sort());
    expect(consumers).toContainEqual(["media-host-uploads", "media-host-api", "media-host-uploads-dead"]);
  });

  it("The first deployment gives files the CDN Worker's address, and the Codec Worker no address", () => {
    expect(api().bindings.get("CDN_URL")?.text).toBe("https://media-host-cdn.media-host-01234567.workers.dev");
    const { scripts } = rig.api.account;
    expect([...scripts.values()].filter(({ isOnWorkersDev }) => isOnWorkersDev).map(({ name }) => name)).toEqual([
      "media-host-cdn",
      "media-host-api",
    ]);
  });

  it("The first deployment reports that videos get no thumbnails, and the API Worker is configured without a media processor", () => {
    expect(fresh.output).toContain("without a Container: videos get no thumbnails");
    expect(api().bindings.get("MEDIA_PROCESSOR_URL")?.text).toBe("none");
  });

  it("The first deployment creates the Container's class as a container, so that a Container can be added later", () => {
    expect(rig.api.account.scripts.get("media-host-api")?.classes.get("MediaContainer")).toEqual({ isContainer: true });
    expect(rig.api.account.applications).toEqual([]);
  });

  it("The first deployment has production settings: logs without URLs, source maps, limits, placement, no previews", () => {
    for (const { metadata } of [cdn(), api(), codecs()]) {
      expect(metadata.observability).toEqual({ enabled: true, logs: { invocation_logs: false } });
    }
    expect([cdn(), api(), codecs()].map(({ metadata }) => metadata.limits?.cpu_ms)).toEqual([5000, 300_000, 300_000]);
    expect([cdn(), api(), codecs()].map(({ metadata }) => metadata.placement?.mode)).toEqual([
      undefined,
      "smart",
      undefined,
    ]);
    for (const { modules } of [cdn(), api(), codecs()]) {
      expect(modules.map(({ type }) => type)).toContain("application/source-map");
    }
  });
});

describe("secrets", () => {
  it("All required secrets are set, long and different", () => {
    const all = [...secretsOf(api()).entries()];
    expect(all.map(([name]) => name).sort()).toEqual([
      "ADMIN_TOKEN",
      "JWT_SECRET",
      "PREVIEW_SECRET",
      "RECEIPT_SECRET",
      "SIGN_IN_SECRET",
      "URL_SIGNING_SECRET",
      "WEBHOOK_SECRET",
    ]);
    expect(new Set(all.map(([, value]) => value)).size).toBe(7);
    for (const [, value] of all) expect(value).toMatch(/^[\w-]{43}$/);
    expect(secretsOf(codecs()).size).toBe(0);
  });

  it("Secrets that two Workers share are the same in both", () => {
    expect([...secretsOf(cdn())]).toEqual(
      ["PREVIEW_SECRET", "URL_SIGNING_SECRET"].map((name) => [name, secretsOf(api()).get(name)]),
    );
  });

  it("Secrets are not printed, and are in no command line and in no file except the operator's token file", async () => {
    const files = await rig.filesLeft();
    const operatorEnv = join(rig.folderOf(), "operator.env");
    expect(commandLines.some((line) => line.includes("wrangler") && line.includes("deploy"))).toBe(true);
    expect([...files.keys()].some((path) => path.includes("wrangler-logs"))).toBe(true);
    for (const [name, value] of secretsOf(api())) {
      expect(fresh.output).not.toContain(value);
      expect(commandLines.join("\n")).not.toContain(value);
      const holding = [...files].filter(([, text]) => text.includes(value)).map(([path]) => path);
      expect(holding).toEqual(name === "ADMIN_TOKEN" ? [operatorEnv] : []);
    }
    expect((await stat(operatorEnv)).mode & 0o777).toBe(0o600);
    expect((await stat(rig.folderOf())).mode & 0o777).toBe(0o700);
  });

  it("The operator gets the token that `npm run admin` needs", async () => {
    const text = (await rig.filesLeft()).get(join(rig.folderOf(), "operator.env")) ?? "";
    expect(parseEnv(text)).toEqual({
      ADMIN_TOKEN: secretsOf(api()).get("ADMIN_TOKEN"),
      BASE_URL: "https://media-host-api.media-host-01234567.workers.dev",
    });
  });
});

describe("working tree", () => {
  it("The working tree is unchanged: generated files are deleted, and no tracked file has ids", () => {
    expect(gitStatus()).toBe(treeBefore);
  });

  it("The working tree ignores the ids and the generated configurations", () => {
    const paths = [".deploy/a/b/installation.json", ".wrangler-deploy.1.json", "src/cdn/.wrangler-deploy.1.json"];
    expect(
      execFileSync("git", ["check-ignore", ...paths], { encoding: "utf8" })
        .trim()
        .split("\n"),
    ).toEqual(paths);
  });
});

describe("next deployment", () => {
  it("The next deployment changes nothing if nothing changed", { timeout: TIMEOUT_MS }, async () => {
    const before = await rig.record();
    const { exitCode, output } = await rig.deploy();
    expect(rig.api.takeWrites()).toEqual([]);
    expect(output).toContain("Worker media-host-api has not changed");
    expect(output).toContain("without a Container");
    expect(output).not.toContain("applied");
    expect(exitCode).toBe(0);
    expect(await rig.record()).toEqual(before);
  });

  it("The next deployment uploads again only Workers that were rolled back or changed elsewhere", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const script = rig.api.account.scripts.get("media-host-cdn");
    if (script === undefined) throw new Error("there is no CDN Worker");
    const secrets = secretsOf(cdn());
    const other = { ...cdn(), id: crypto.randomUUID() };
    script.versions.set(other.id, other);
    script.deployed = other.id;
    const [codecsBefore, , apiBefore] = deployedIds();
    await rig.deployWell();
    const [codecsAfter, cdnAfter, apiAfter] = deployedIds();
    expect([codecsAfter, apiAfter]).toEqual([codecsBefore, apiBefore]);
    expect(cdnAfter).not.toBe(other.id);
    expect(secretsOf(cdn())).toEqual(secrets);
    expect(rig.api.takeWrites().filter((write) => write.includes("media-host-api"))).toEqual([]);
  });

  it("An update of every Worker keeps every secret and resets the objects at once", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const before = [secretsOf(api()), secretsOf(cdn())];
    const ids = deployedIds();
    const { exitCode } = await rig.deploy(["--force"]);
    expect(exitCode).toBe(0);
    expect(deployedIds().filter((id) => ids.includes(id))).toEqual([]);
    expect([secretsOf(api()), secretsOf(cdn())]).toEqual(before);
    expect(api().metadata.code_update_strategy).toEqual({ mode: "immediate" });
    expect(rig.api.takeWrites().filter((write) => /database$|buckets$|queues$/.test(write))).toEqual([]);
  });

  it("A shared secret that one Worker lost is set again in both", { timeout: TIMEOUT_MS }, async () => {
    const before = secretsOf(cdn()).get("PREVIEW_SECRET");
    const jwt = secretsOf(api()).get("JWT_SECRET");
    (cdn().bindings as Map<string, unknown>).delete("PREVIEW_SECRET");
    const { exitCode, output } = await rig.deploy();
    expect(exitCode).toBe(0);
    expect(output).toContain("with the new secrets PREVIEW_SECRET");
    const after = secretsOf(cdn()).get("PREVIEW_SECRET");
    expect(after).not.toBe(before);
    expect(secretsOf(api()).get("PREVIEW_SECRET")).toBe(after);
    expect(secretsOf(api()).get("JWT_SECRET")).toBe(jwt);
  });

  it("The deployments deleted their test accounts", async () => {
    expect((await rig.record()).smokeAccount).toBeUndefined();
  });
});
