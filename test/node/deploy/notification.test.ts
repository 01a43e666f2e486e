import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseNotify } from "../../../src/tools/deploy/choose-notify.ts";
import type { Ask } from "../../../src/tools/deploy/choose-residence.ts";
import { CloudflareApi as Client } from "../../../src/tools/deploy/cloudflare-api.ts";
import { DeploySteps } from "../../../src/tools/deploy/deploy-steps.ts";
import type { InstallationRecord } from "../../../src/tools/deploy/installation.ts";
import { parseOptions } from "../../../src/tools/deploy/options.ts";
import { MAX_WORKER_REQUESTS, setNotification } from "../../../src/tools/deploy/set-notification.ts";
import { REFUSALS } from "../../support/cloudflare-api/answer.ts";
import { CloudflareApi } from "../../support/cloudflare-api/cloudflare-api.ts";

/** Failed reads are tried again, with pauses. */
const TIMEOUT_MS = 30_000;
const ADDRESS = "operator@example.com";

let api: CloudflareApi;

beforeEach(async () => {
  api = await CloudflareApi.start();
});

afterEach(() => api[Symbol.asyncDispose]());

/** Runs the step like a deployment with these options. @returns the printed lines */
async function set(args: string[], remembered?: string | null): Promise<string[]> {
  const options = parseOptions(args);
  const lines: string[] = [];
  const notify = await chooseNotify(options, { record: { notify: remembered } as InstallationRecord }, undefined);
  await setNotification({
    api: new Client(api.token, api.baseUrl),
    accountId: api.account.id,
    options,
    progress: new DeploySteps(options.isDryRun, (line) => lines.push(line.trim())),
    notify,
  });
  return lines;
}

describe("the usage notification", () => {
  it("`--notify` creates the policy once, and the next deployment finds it by its name", async () => {
    expect(await set(["--notify", ADDRESS])).toEqual(["set the usage notification ..."]);
    expect(api.account.policies).toMatchObject([
      {
        name: "media-host: Worker requests",
        alert_type: "billing_usage_alert",
        enabled: true,
        filters: { product: ["worker_requests"], limit: [String(MAX_WORKER_REQUESTS)] },
        mechanisms: { email: [{ id: ADDRESS }] },
      },
    ]);
    api.takeWrites();
    expect(await set([], ADDRESS)).toEqual(["the usage notification is there"]);
    expect(api.takeWrites()).toEqual([]);
  });

  it("Another address replaces the earlier one, and a limit that was changed in Cloudflare stays", async () => {
    await set(["--notify", ADDRESS]);
    const [policy] = api.account.policies;
    if (policy === undefined) throw new Error("no policy was created");
    const webhooks = [{ id: "b115d5ec15c641ee8b7692c449b5227b" }];
    const changed = { filters: { ...policy.filters, limit: ["5"] }, mechanisms: { ...policy.mechanisms, webhooks } };
    api.account.policies[0] = { ...policy, ...changed };
    expect(await set(["--notify", "team@example.com"])).toEqual(["update the usage notification ..."]);
    const expected = { ...changed, mechanisms: { webhooks, email: [{ id: "team@example.com" }] } };
    expect(api.account.policies).toEqual([{ ...policy, ...expected }]);
  });

  it("Each installation of an account has its own policy, and `--notify none` removes it", async () => {
    await set(["--notify", ADDRESS]);
    await set(["--notify", ADDRESS, "--name", "photos"]);
    expect(await set(["--notify", "none"])).toEqual(["remove the usage notification ..."]);
    expect(api.account.policies.map(({ name }) => name)).toEqual(["photos: Worker requests"]);
    expect(await set(["--notify", "none"])).toEqual(["there is no usage notification"]);
    expect(await set([], null)).toEqual([]);
  });

  it("A dry run announces the notification and changes nothing", async () => {
    expect(await set(["--notify", ADDRESS, "--dry-run"])).toEqual(["would set the usage notification"]);
    expect(api.takeWrites()).toEqual([]);
  });

  it("A token without the permission causes one line that names it, and no failure", async () => {
    const strike = () => REFUSALS.authentication().answer;
    api.faults.push({ matches: /alerting/, times: Number.POSITIVE_INFINITY, strike });
    const [line, ...others] = await set(["--notify", ADDRESS]);
    expect(line).toMatch(/was not changed; the service works: .*"Account · Notifications · Edit"/);
    expect(line).not.toContain("\n");
    expect(others).toEqual([]);
  });

  it.each([["GET"], ["POST"]])(
    "An API that fails at %s causes one line, and no failure",
    { timeout: TIMEOUT_MS },
    async (method) => {
      const strike = () => ({ status: 503, body: "unavailable" });
      api.faults.push({ matches: new RegExp(`^${method} .*alerting`), times: Number.POSITIVE_INFINITY, strike });
      expect((await set(["--notify", ADDRESS])).at(-1)).toMatch(/was not changed; the service works: .*status 503/);
      expect(api.account.policies).toEqual([]);
    },
  );

  it("A policy whose creation had no answer is found by the next deployment", async () => {
    const strike = () => ({ status: 502, body: "bad gateway" });
    api.faults.push({ matches: /^POST .*alerting/, times: 1, strike, isAfterwards: true });
    await set(["--notify", ADDRESS]);
    expect(await set([], ADDRESS)).toEqual(["the usage notification is there"]);
    expect(api.account.policies).toHaveLength(1);
  });

  it.each([
    ["no usage notifications", undefined],
    ["none for Workers", ["argo_bytes"]],
  ])("An account that is offered %s gets no notification, and one line reports it", async (_, products) => {
    api.account.notifiedProducts = products;
    const line = "the usage notification was not set: Cloudflare does not offer it to this account";
    expect(await set(["--notify", ADDRESS])).toEqual([line]);
    expect(api.takeWrites()).toEqual([]);
  });
});

describe("the choice of an address", () => {
  const choose = (args: string[], remembered?: string | null, ask?: Ask) =>
    chooseNotify(parseOptions(args), { record: { notify: remembered } as InstallationRecord }, ask);

  it("A person at a terminal is asked once, until the answer is an address or empty", async () => {
    const answers = ["me", ADDRESS, ""];
    const ask: Ask = async () => answers.shift() ?? "";
    expect(await choose([], undefined, ask)).toBe(ADDRESS);
    expect(await choose([], undefined, ask)).toBeNull();
    expect(await choose([], null, () => Promise.reject(new Error("asked again")))).toBeNull();
  });

  it("A deployment in CI asks no question, keeps the remembered address and names the option", async () => {
    expect(await choose([])).toBeUndefined();
    expect(await choose([], ADDRESS)).toBe(ADDRESS);
    expect(await set([])).toEqual(["no one is notified of high usage: --notify EMAIL"]);
    expect(api.calls).toEqual([]);
  });

  it("A text that is no address is refused", () => {
    expect(() => parseOptions(["--notify", "operator"])).toThrow("--notify takes an e-mail address");
  });
});
