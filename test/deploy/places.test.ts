import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DeployRig } from "../support/deploy/deploy-rig.ts";

// The place of an installation's data, and the age of its Container.

const TIMEOUT_MS = 180_000;
const DOCKER = resolve("test/support/deploy/docker.sh");

let rig: DeployRig;

beforeEach(async () => {
  rig = await DeployRig.start();
});

afterEach(() => rig[Symbol.asyncDispose]());

it("The first deployment asks for a place, then creates every database and the bucket in its jurisdiction", {
  timeout: TIMEOUT_MS,
}, async () => {
  const refused = await rig.deploy(["--without-container", "--no-place"]);
  expect(refused.output).toContain("--jurisdiction eu|us|fedramp");
  expect(refused.exitCode).toBe(1);
  expect([...rig.api.account.places]).toEqual([]);

  await rig.deployWell(["--without-container", "--jurisdiction", "eu"]);
  const { places, databases } = rig.api.account;
  expect(places.size).toBe(databases.size + 1);
  expect(new Set([...places.values()].map(({ jurisdiction }) => jurisdiction))).toEqual(new Set(["eu"]));
  for (const worker of ["media-host-api", "media-host-cdn"]) {
    const binding = rig.api.account.deployedVersion(worker).bindings.get("FILES");
    expect(binding).toMatchObject({ bucket_name: "media-host-files", jurisdiction: "eu" });
  }

  rig.api.takeWrites();
  await rig.deployWell(["--no-place"]);
  expect(rig.api.takeWrites()).toEqual([]);
  const moved = await rig.deploy(["--location", "weur"]);
  expect(moved.output).toContain("media-host is in jurisdiction eu");
});

it("A location is a hint for every database and the bucket", { timeout: TIMEOUT_MS }, async () => {
  await rig.deployWell(["--without-container", "--location", "oc"]);
  const hints = [...rig.api.account.places.values()].map(({ hint }) => hint);
  expect(new Set(hints)).toEqual(new Set(["oc"]));
});

it("A Container whose base is 31 days old is pulled and built again", {
  timeout: TIMEOUT_MS,
}, async () => {
  const calls = join(rig.deployDir, "docker-calls");
  const docker = { WRANGLER_DOCKER_BIN: DOCKER, DOCKER_CALLS: calls };
  await rig.deployWell(["--with-container"], docker);
  const today = (await rig.record()).containerBase as string;
  const path = join(rig.folderOf(), "installation.json");
  const old = new Date(Date.parse(today) - 31 * 86_400_000).toISOString().slice(0, 10);
  // An upload of a month ago: its image had the day of its base.
  const record = await rig.record();
  const workers = record.workers as Record<string, object>;
  const uploaded = { ...workers["media-host-api"], hash: "of that day" };
  const before = { ...record, containerBase: old, workers: { ...workers, "media-host-api": uploaded } };
  await writeFile(path, JSON.stringify(before));
  await writeFile(calls, "");

  const output = await rig.deployWell([], docker);
  expect(output).toContain("the Container's base is 31 days old");
  const said = await readFile(calls, "utf8");
  expect(said).toMatch(/^pull .*node:24-trixie-slim/m);
  expect(said).toMatch(new RegExp(`^build .*BASE_DATE=${today}`, "m"));
  expect((await rig.record()).containerBase).toBe(today);
});
