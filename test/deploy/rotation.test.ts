import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DeployRig } from "../support/deploy/deploy-rig.ts";

const TIMEOUT_MS = 180_000;
const ARGS = ["--without-container"];

let rig: DeployRig;

beforeAll(async () => {
  rig = await DeployRig.start();
  await rig.deployWell(ARGS);
}, TIMEOUT_MS);

afterAll(() => rig[Symbol.asyncDispose]());

const secretOf = (worker: string, name: string) =>
  rig.api.account.deployedVersion(`media-host-${worker}`).bindings.get(name)?.text as string | undefined;
const operatorEnv = async () => (await rig.filesLeft()).get(join(rig.folderOf(), "operator.env"));
const signsFrom = (value: string | undefined) => Number(value?.split(".")[0]) * 1000;

it("`--rotate` gives both Workers a second value of the shared secret, and keeps the first", {
  timeout: TIMEOUT_MS,
}, async () => {
  const first = secretOf("api", "PREVIEW_SECRET");
  const jwt = secretOf("api", "JWT_SECRET");
  const output = await rig.deployWell(["--rotate", "PREVIEW_SECRET"]);
  expect(output).toMatch(/PREVIEW_SECRET: the new value signs from .* UTC, the one before is accepted until .* UTC/);
  const second = secretOf("api", "PREVIEW_SECRET_2");
  expect(secretOf("cdn", "PREVIEW_SECRET_2")).toBe(second);
  expect([secretOf("api", "PREVIEW_SECRET"), secretOf("cdn", "PREVIEW_SECRET")]).toEqual([first, first]);
  expect(secretOf("api", "JWT_SECRET")).toBe(jwt);
  expect(signsFrom(second)).toBeGreaterThan(Date.now() + 50 * 60_000);
  expect(output).not.toContain(String(second));
  const again = await rig.deploy(["--rotate", "PREVIEW_SECRET"]);
  expect(again.output).toContain("was rotated lately");
  expect(again.exitCode).toBe(1);
});

it("A rotation that was interrupted is finished by the next run with the same value, which no file keeps", {
  timeout: TIMEOUT_MS,
}, async () => {
  rig.api.faults.push({
    matches: /^PUT .*\/scripts\/media-host-api$/,
    times: 10,
    strike: () => ({ status: 503, body: "unavailable" }),
  });
  const failed = await rig.deploy(["--rotate", "ADMIN_TOKEN"]);
  expect(failed.exitCode).toBe(1);
  rig.api.faults.length = 0;
  const pending = join(rig.folderOf(), "rotation.json");
  expect((await stat(pending)).mode & 0o777).toBe(0o600);
  const { value } = JSON.parse((await rig.filesLeft()).get(pending) ?? "{}") as { value: string };
  const token = secretOf("api", "ADMIN_TOKEN");
  // The operator's token is replaced only when the Worker knows the new one.
  expect(await operatorEnv()).toContain(`"${token}"`);

  const other = await rig.deploy(["--rotate", "JWT_SECRET"]);
  expect(other.output).toContain("The rotation of ADMIN_TOKEN was interrupted");
  await rig.deployWell();
  expect(secretOf("api", "ADMIN_TOKEN_2")).toBe(value);
  expect(secretOf("api", "ADMIN_TOKEN")).toBe(token);
  expect(await operatorEnv()).toContain(`"${value}"`);
  expect(await readdir(rig.folderOf())).not.toContain("rotation.json");
});

it("`--leaked` replaces both values at once, and a renewed operator's token does, too", {
  timeout: TIMEOUT_MS,
}, async () => {
  await rig.deployWell(["--rotate", "ADMIN_TOKEN", "--leaked"]);
  const leaked = secretOf("api", "ADMIN_TOKEN");
  expect(secretOf("api", "ADMIN_TOKEN_2")).toBe(leaked);
  expect(await operatorEnv()).toContain(`"${leaked}"`);
  expect(signsFrom(leaked)).toBeLessThanOrEqual(Date.now());

  await rig.deployWell(["--new-admin-token"]);
  expect(secretOf("api", "ADMIN_TOKEN")).not.toBe(leaked);
  expect(secretOf("api", "ADMIN_TOKEN_2")).toBe(secretOf("api", "ADMIN_TOKEN"));
  expect(await operatorEnv()).toContain(`"${secretOf("api", "ADMIN_TOKEN")}"`);
});

it("A dry run of a rotation names the secret and changes nothing", { timeout: TIMEOUT_MS }, async () => {
  rig.api.takeWrites();
  expect(await rig.deployWell(["--dry-run", "--rotate", "JWT_SECRET"])).toContain("with the new secrets JWT_SECRET_2");
  expect(rig.api.takeWrites()).toEqual([]);
  expect(await readdir(rig.folderOf())).not.toContain("rotation.json");
});
