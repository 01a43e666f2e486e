import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { REFUSALS } from "../support/cloudflare-api/answer.ts";
import { DeployRig } from "../support/deploy/deploy-rig.ts";

// Faults of an installation after its first deployment, one after the other.

const TIMEOUT_MS = 180_000;

let rig: DeployRig;

beforeAll(async () => {
  rig = await DeployRig.start();
}, TIMEOUT_MS);

afterAll(() => rig[Symbol.asyncDispose]());

it("A failed trial ends the run with its answer; the next run only erases the trial's account", {
  timeout: TIMEOUT_MS,
}, async () => {
  rig.edge.strike = ({ headers, url = "" }) => {
    if (headers.range !== undefined) return { status: 200, body: "all of it" };
    return url === "/account" ? { status: 503, body: "busy" } : undefined;
  };
  const { exitCode, output } = await rig.deploy(["--without-container"]);
  expect(output).toMatch(/error: smoke test: range: https:.* answered 200: all of it; expected 206/);
  expect(exitCode).toBe(1);
  expect((await rig.record()).smokeAccount).toMatchObject({ email: expect.stringContaining("smoke-test-") });

  rig.edge.strike = () => undefined;
  rig.api.takeWrites();
  await rig.deployWell();
  expect(rig.api.takeWrites()).toEqual([]);
  expect((await rig.record()).smokeAccount).toBeUndefined();
});

it("A lost database is not replaced by an empty one", { timeout: TIMEOUT_MS }, async () => {
  const { databases } = rig.api.account;
  const [[name, id] = ["", ""]] = databases;
  databases.delete(name);
  const { exitCode, output } = await rig.deploy();
  expect(output).toMatch(new RegExp(`The database ${name} of this installation .* is gone`));
  expect(exitCode).toBe(1);
  expect(rig.api.takeWrites()).toEqual([]);
  databases.set(name, id);
});

it("A deployment whose token may not set the usage notification succeeds, and the next one sets it", {
  timeout: TIMEOUT_MS,
}, async () => {
  const strike = () => REFUSALS.authentication().answer;
  rig.api.faults.push({ matches: /alerting/, times: 1, strike });
  const output = await rig.deployWell(["--notify", "operator@example.com"]);
  expect(output).toContain('the token lacks the permission "Account · Notifications · Edit"');
  expect(output).toContain("media-host is ready at");
  expect(rig.api.account.policies).toEqual([]);

  expect(await rig.deployWell()).toContain("set the usage notification");
  expect(rig.api.account.policies[0]?.mechanisms).toEqual({ email: [{ id: "operator@example.com" }] });
});

it("A lost operator's token is requested from the user, or replaced on demand", {
  timeout: TIMEOUT_MS,
}, async () => {
  const operatorEnv = join(rig.folderOf(), "operator.env");
  const token = () => String(rig.api.account.deployedVersion("media-host-api").bindings.get("ADMIN_TOKEN")?.text);
  const first = token();
  await writeFile(operatorEnv, "");
  const refused = await rig.deploy();
  expect(refused.output).toContain("--new-admin-token");
  expect(refused.exitCode).toBe(1);

  await rig.deployWell([], { ADMIN_TOKEN: first });
  // A token of another installation that a shell still has: the stored token takes precedence.
  await rig.deployWell([], { ADMIN_TOKEN: "of-another-installation" });
  expect(token()).toBe(first);

  await rig.deployWell(["--new-admin-token"]);
  expect(token()).not.toBe(first);
  expect((await rig.filesLeft()).get(operatorEnv)).toContain(token());
});
