import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CloudflareAccount } from "../support/cloudflare-api/account-state.ts";
import { REFUSALS } from "../support/cloudflare-api/answer.ts";
import { DeployRig } from "../support/deploy/deploy-rig.ts";

// A deployment that cannot succeed is refused before anything is created, with a remedy.

const DOCKER = resolve("test/support/deploy/docker.sh");

let rig: DeployRig;

beforeEach(async () => {
  rig = await DeployRig.start();
});

afterEach(() => rig[Symbol.asyncDispose]());

async function expectRefusal(
  args: readonly string[],
  env: Record<string, string | undefined>,
  ...said: (string | RegExp)[]
): Promise<void> {
  const { exitCode, output } = await rig.deploy(args, env);
  for (const text of said) expect(output).toMatch(text);
  // A stack trace is of no use to a user who deploys.
  expect(output).not.toMatch(/^\s+at /m);
  expect(exitCode).toBe(1);
  expect(rig.api.takeWrites()).toEqual([]);
}

describe("token", () => {
  it("A missing token is reported with the permissions and the place to create it", () =>
    expectRefusal(
      [],
      { CLOUDFLARE_API_TOKEN: undefined },
      "CLOUDFLARE_API_TOKEN is not set",
      "https://dash.cloudflare.com/profile/api-tokens",
      "Workers Scripts · Edit",
      "D1 · Edit",
      "Queues · Edit",
    ));

  it("A wrong token is reported", () =>
    expectRefusal([], { CLOUDFLARE_API_TOKEN: "wrong" }, "Invalid access token", "wrong, has expired, or lacks"));

  it.each([
    ["D1", /^GET .*\/d1\/database/, "Account · D1 · Edit"],
    ["R2", /^GET .*\/r2\/buckets/, "Account · Workers R2 Storage · Edit"],
    ["Queues", /^GET .*\/queues/, "Account · Queues · Edit"],
    ["Workers", /^GET .*\/scripts\/.*\/secrets/, "Account · Workers Scripts · Edit"],
  ])("A token without the permission for %s is reported with the permission", async (_, matches, permission) => {
    rig.api.faults.push({
      matches,
      times: Number.POSITIVE_INFINITY,
      strike: () => REFUSALS.authentication().answer,
    });
    await expectRefusal(["--without-container"], {}, "Authentication error", permission);
  });
});

describe("account", () => {
  it("One of several accounts has to be chosen", async () => {
    rig.api.accounts.push(new CloudflareAccount("fedcba9876543210fedcba9876543210", "Other"));
    await expectRefusal(
      [],
      {},
      "reaches 2 accounts",
      /CLOUDFLARE_ACCOUNT_ID=0123456789abcdef0123456789abcdef +Acme/,
      /CLOUDFLARE_ACCOUNT_ID=fedcba9876543210fedcba9876543210 +Other/,
    );
  });

  it("The chosen account is used", async () => {
    rig.api.accounts.push(new CloudflareAccount("fedcba9876543210fedcba9876543210", "Other"));
    const { exitCode, output } = await rig.deploy(["--dry-run", "--without-container"], {
      CLOUDFLARE_ACCOUNT_ID: "fedcba9876543210fedcba9876543210",
    });
    expect(output).toContain("would make the database media-host");
    expect(exitCode).toBe(0);
    expect(rig.api.calls.filter((call) => call.includes(rig.api.account.id))).toEqual([]);
  });
});

describe("Container", () => {
  it("A Container without permission is reported with the permission", async () => {
    rig.api.faults.push({ matches: /containers\/me$/, times: 1, strike: () => REFUSALS.authentication().answer });
    await expectRefusal([], { WRANGLER_DOCKER_BIN: DOCKER }, "Account · Containers · Edit", "/containers/me");
  });

  it("A Container without a Docker engine is reported with the way to deploy without one", () =>
    expectRefusal(
      [],
      { WRANGLER_DOCKER_BIN: "/nonexistent/docker" },
      "no Docker engine answers",
      "--without-container",
    ));
});

describe("domain", () => {
  const args = ["--without-container", "--domain", "api.example.com"];

  it("A domain of a zone outside the account is refused", () => expectRefusal(args, {}, "no zone for api.example.com"));

  it("A domain with DNS records is not taken over", async () => {
    rig.api.account.addZone("example.com");
    rig.api.account.dnsRecords.set("api.example.com", ["A", "TXT"]);
    await expectRefusal(args, {}, /api.example.com has DNS records \(A, TXT\)/);
  });

  it("A domain of another Worker is not taken over", async () => {
    rig.api.account.addZone("example.com");
    rig.api.account.domains.set("api.example.com", "blog");
    await expectRefusal(args, {}, "is the domain of the Worker blog already");
  });
});

describe("options", () => {
  it.each([
    [["--nmae", "x"], "Unknown option '--nmae'"],
    [["--name", "Media Host"], "--name takes"],
    [["--domain", "https://example.com/"], "--domain takes a domain"],
    [["--with-container", "--without-container"], "exclude each other"],
    [["--domain", "a.example.com", "--cdn-domain", "a.example.com"], "give --domain alone"],
  ])("A wrong option is refused: %j", (args, said) => expectRefusal(args, {}, said));

  it("`--help` prints all options and does nothing", async () => {
    const { exitCode, output } = await rig.deploy(["--help"], { CLOUDFLARE_API_TOKEN: undefined });
    for (const option of ["--dry-run", "--without-container", "--domain", "--cdn-domain", "--name", "--force"]) {
      expect(output).toContain(option);
    }
    expect(exitCode).toBe(0);
  });
});

describe("dry run", () => {
  it("A dry run prints every step, changes nothing and stores nothing", async () => {
    const { exitCode, output } = await rig.deploy(["--dry-run"], { WRANGLER_DOCKER_BIN: DOCKER });
    for (const step of [
      "would make the database media-host",
      "would make the bucket media-host-files",
      "would make the queue media-host-uploads",
      "would make the queue media-host-uploads-dead",
      "would make the queue media-host-views",
      "would make the queue media-host-views-dead",
      "would register media-host-01234567.workers.dev",
      "would make the Worker media-host-codecs",
      "would make the Worker media-host-cdn, with the new secrets PREVIEW_SECRET, URL_SIGNING_SECRET",
      "would make the Worker media-host-api, with the new secrets",
      "would bring the database's schema up to date",
      "would try it",
      "Nothing was changed. The API would be at https://media-host-api.media-host-01234567.workers.dev",
    ]) {
      expect(output).toContain(step);
    }
    expect(exitCode).toBe(0);
    expect(rig.api.takeWrites()).toEqual([]);
    expect([...(await rig.filesLeft()).keys()]).toEqual([]);
  });
});
