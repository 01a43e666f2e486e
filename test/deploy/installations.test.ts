import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeployRig } from "../support/deploy/deploy-rig.ts";

// Kinds of installations: on domains, with a Container, several in one account.

const TIMEOUT_MS = 180_000;
const DOCKER = resolve("test/support/deploy/docker.sh");

let rig: DeployRig;

beforeEach(async () => {
  rig = await DeployRig.start();
});

afterEach(() => rig[Symbol.asyncDispose]());

const api = () => rig.api.account.deployedVersion("media-host-api");
const onWorkersDev = () =>
  [...rig.api.account.scripts.values()].filter((each) => each.isOnWorkersDev).map(({ name }) => name);

describe("domains", () => {
  it("Domains for API and files replace workers.dev for both Workers, and the next run keeps them", {
    timeout: TIMEOUT_MS,
  }, async () => {
    rig.api.account.addZone("example.com");
    const args = ["--without-container", "--domain", "api.example.com", "--cdn-domain", "files.example.com"];
    const { exitCode, output } = await rig.deploy(args);
    expect(output).toContain("is ready at https://api.example.com");
    expect(exitCode).toBe(0);
    expect(Object.fromEntries(rig.api.account.domains)).toEqual({
      "api.example.com": "media-host-api",
      "files.example.com": "media-host-cdn",
    });
    expect(onWorkersDev()).toEqual([]);
    expect(rig.api.account.subdomain).toBeUndefined();
    expect(api().bindings.get("CDN_URL")?.text).toBe("https://files.example.com");

    rig.api.takeWrites();
    await rig.deployWell();
    expect(rig.api.takeWrites()).toEqual([]);
  });

  it("A domain that only the API has serves files, too", { timeout: TIMEOUT_MS }, async () => {
    rig.api.account.addZone("media.example.com");
    const { exitCode } = await rig.deploy(["--without-container", "--domain", "media.example.com"]);
    expect(exitCode).toBe(0);
    expect(api().bindings.get("CDN_URL")?.text).toBe("https://media.example.com");
    expect(onWorkersDev()).toEqual([]);
  });

  it("A dropped domain is removed from its Worker, and a dry run announces it", { timeout: TIMEOUT_MS }, async () => {
    rig.api.account.addZone("example.com");
    await rig.deployWell(["--without-container", "--domain", "a.example.com"]);
    const dryRun = await rig.deploy(["--dry-run", "--domain", "none"]);
    expect(dryRun.output).toContain("would take the domain a.example.com from the Worker media-host-api");
    expect([...rig.api.account.domains.keys()]).toEqual(["a.example.com"]);
    const { exitCode, output } = await rig.deploy(["--domain", "none"]);
    expect(output).toContain("is ready at https://media-host-api.media-host-01234567.workers.dev");
    expect(exitCode).toBe(0);
    expect([...rig.api.account.domains.keys()]).toEqual([]);
    expect(onWorkersDev()).toEqual(["media-host-cdn", "media-host-api"]);
  });
});

describe("Container", () => {
  it("A Container is built, pushed and created, and can follow a deployment without one", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await rig.deployWell(["--without-container"]);
    expect(rig.api.account.applications).toEqual([]);

    const calls = join(rig.deployDir, "docker-calls");
    const { exitCode, output } = await rig.deploy(["--with-container"], {
      WRANGLER_DOCKER_BIN: DOCKER,
      DOCKER_CALLS: calls,
    });
    expect(output).not.toContain("without a Container");
    expect(exitCode).toBe(0);
    const [application] = rig.api.account.applications;
    expect(application?.name).toBe("media-host-api-mediacontainer");
    expect(api().bindings.get("MEDIA_PROCESSOR_URL")?.text).toBe("");
    const docker = await readFile(calls, "utf8");
    expect(docker).toMatch(/^build .*media-host-api-mediacontainer/m);
    expect(docker).toMatch(/^push registry.cloudflare.com\/.*media-host-api-mediacontainer/m);
    expect(rig.api.unknown).toEqual([]);

    // No Docker, but also no change that needs it.
    await rm(calls);
    rig.api.takeWrites();
    await rig.deployWell([], { WRANGLER_DOCKER_BIN: "/nonexistent/docker" });
    expect(rig.api.takeWrites()).toEqual([]);
  });
});

describe("a second installation in the account", () => {
  it("A second installation has its own resources, Workers and secrets", { timeout: TIMEOUT_MS }, async () => {
    await rig.deployWell(["--without-container"]);
    const first = api();
    const { exitCode, output } = await rig.deploy(["--without-container", "--name", "photos"]);
    expect(output).toContain("photos is ready at https://photos-api.media-host-01234567.workers.dev");
    expect(exitCode).toBe(0);
    expect(api()).toBe(first);
    const { account } = rig.api;
    expect([...account.scripts.keys()].filter((name) => name.startsWith("photos"))).toEqual([
      "photos-codecs",
      "photos-cdn",
      "photos-api",
    ]);
    expect(account.buckets).toEqual(new Set(["media-host-files", "photos-files"]));
    const ofPhotos = (names: Iterable<string>) => [...names].filter((name) => name.startsWith("photos"));
    expect(ofPhotos(account.queues.keys())).toHaveLength(account.queues.size / 2);
    expect(ofPhotos(account.databases.keys())).toHaveLength(account.databases.size / 2);
    const second = account.deployedVersion("photos-api");
    expect(second.bindings.get("CDN")?.service).toBe("photos-cdn");
    const idsOf = (version: typeof first) =>
      [...version.bindings.values()].filter(({ type }) => type === "d1").map(({ id }) => String(id));
    expect(idsOf(second).filter((id) => idsOf(first).includes(id))).toEqual([]);
    expect(second.bindings.get("JWT_SECRET")?.text).not.toBe(first.bindings.get("JWT_SECRET")?.text);
    expect([...(await rig.filesLeft()).keys()]).toContain(join(rig.folderOf("photos"), "operator.env"));
  });
});
