import { readFile, writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { png } from "../support/media/samples.ts";
import { type CurlAnswer, curl } from "../support/stack/curl.ts";
import { Stack } from "../support/stack/stack.ts";

// The operator's commands against abuse, as an operator types them.

let stack: Stack;
let password: string;
let email: string;
let uploadKey: string;

beforeAll(async () => {
  stack = await Stack.start();
  const { password: shared, free } = await stack.demoAccounts();
  password = shared;
  ({ email, uploadKey } = free);
  await writeFile(join(stack.stateDir, "a.png"), png(3, 2, 7000));
});

afterAll(async () => {
  await stack?.dispose();
});

function post(path: string, body: object): Promise<CurlAnswer> {
  return curl("-H", "Content-Type: application/json", "-d", JSON.stringify(body), stack.baseUrl + path);
}

function list(token: string): Promise<CurlAnswer> {
  return curl("-H", `Authorization: Bearer ${token}`, `${stack.baseUrl}/images`);
}

async function logIn(address = email): Promise<CurlAnswer> {
  return post("/auth/login", { email: address, password });
}

async function upload(): Promise<{ _id: string; url: string }> {
  const file = `file=@${join(stack.stateDir, "a.png")}`;
  const answer = await curl(
    ...["-H", `Authorization: Bearer ${uploadKey}`, "-F", file, `${stack.baseUrl}/images/upload`],
  );
  expect(answer.status).toBe(201);
  return answer.json();
}

/** A command that fails. @returns its exit code and its message */
async function failing(...words: string[]): Promise<{ code: number; stderr: string }> {
  return stack.admin(...words).then(
    () => ({ code: 0, stderr: "" }),
    (error: { code: number; stderr: string }) => error,
  );
}

it("`suspend` stops sessions and keys with the reason, and `unsuspend` lets them continue", async () => {
  const { token } = (await logIn()).json<{ token: string }>();
  expect(await stack.admin("suspend", email, "Spam, ticket 1")).toContain("Spam, ticket 1");
  const refused = await list(token);
  expect([refused.status, refused.json()]).toMatchObject([403, { code: "account_suspended" }]);
  expect((await logIn()).status).toBe(403);
  expect(await failing("suspend", email, "Spam", "files")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The last word is no-files"),
  });
  await stack.admin("unsuspend", email, "A mistake");
  expect((await list(token)).status).toBe(200);
});

it("`end-sessions` logs the account out, and its key stays valid", async () => {
  const { token } = (await logIn()).json<{ token: string }>();
  await stack.admin("end-sessions", email, "Stolen laptop");
  expect((await list(token)).status).toBe(401);
  await upload();
});

it("`take-down` stops a file, `takedowns` lists it, and `restore` serves it again", async () => {
  const { _id, url } = await upload();
  const shown = await stack.admin("take-down", url, "Copyright, ticket 2", "3");
  const [, id = ""] = /\bid: '(\w+)'/.exec(shown) ?? [];
  expect((await curl(url)).status).toBe(451);
  const listed = await stack.admin("takedowns");
  expect(listed).toContain(id);
  expect(listed).toContain(_id);
  const ofFile = await stack.admin("takedowns", url);
  for (const part of [id, "a.png", email, userInfo().username]) expect(ofFile).toContain(part);
  expect(await stack.admin("takedowns", "0".repeat(26))).toBe("");
  await stack.admin("restore", id);
  const served = await curl(url);
  expect([served.status, served.body.length]).toEqual([200, 7000]);
  expect(await failing("take-down", "0".repeat(26), "x")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("error: 404"),
  });
});

it("`reports` lists a visitor's report until `decide-report` closes it", async () => {
  const { url } = await upload();
  const { id } = (await post("/reports", { url, reason: "It is mine" })).json<{ id: string }>();
  expect(await stack.admin("reports")).toContain(id);
  expect(await stack.admin("decide-report", id, "dismissed", "Fair use")).toContain("Fair use");
  expect(await stack.admin("reports")).not.toContain(id);
});

it("`send-reset` mails a link to a new password", async () => {
  await stack.admin("send-reset", email, "Asked by phone");
  await expect
    .poll(async () => (await curl(`${stack.baseUrl}/dev/mail?to=${email}`)).body.toString(), { timeout: 30_000 })
    .toMatch(/reset/);
});

it("`mark-operator` opens the operator's endpoints to an account's session, `operators` lists it, and `unmark-operator` closes them", async () => {
  const { token } = (await logIn()).json<{ token: string }>();
  const room = () => curl("-H", `Authorization: Bearer ${token}`, `${stack.baseUrl}/admin/overview`);
  expect((await room()).status).toBe(403);
  expect(await stack.admin("mark-operator", email, "Works the reports")).toContain("operator: true");
  expect((await room()).status).toBe(200);
  expect(await stack.admin("operators")).toContain(email);
  expect(await stack.admin("unmark-operator", email, "Left the team")).toContain("operator: false");
  expect((await room()).status).toBe(403);
  expect(await stack.admin("operators")).not.toContain(email);
});

it("`accounts` finds accounts by e-mail, and `overview` shows health, queues and days", async () => {
  expect(await stack.admin("accounts", email.slice(0, 4))).toContain(email);
  expect(await stack.admin("accounts", "nobody-has-this")).toBe("");
  const shown = await stack.admin("overview");
  for (const part of ["directory", "uploads-dead", "dead letters: 0 retrying", "overdue changes: 0"])
    expect(shown).toContain(part);
});

it("`report` shows a report with its file and account", async () => {
  const { url, _id } = await upload();
  const { id } = (await post("/reports", { url, reason: "Mine" })).json<{ id: string }>();
  const shown = await stack.admin("report", id);
  expect(shown).toContain(`_id: '${_id}'`);
  expect(shown).toContain(email);
});

it("`make-placeholders` goes through the files of one account or of all, and counts those without a ThumbHash", async () => {
  await upload();
  // Uploads get theirs on their own, so an operator needs the command only after an update of the service.
  expect(await stack.admin("make-placeholders", email)).toBe("announced: 0\n");
  expect(await stack.admin("make-placeholders")).toBe("announced: 0\n");
  const { code, stderr } = await failing("make-placeholders", "nobody@example.com");
  expect([code, stderr]).toEqual([1, expect.stringContaining("404")]);
});

it("`set-email` gives the account another address, and `erase` erases it", async () => {
  const renamed = "renamed@example.com";
  await stack.admin("set-email", email, renamed, "Lost the old mailbox");
  expect((await logIn()).status).toBe(401);
  const answer = await logIn(renamed);
  expect(answer.status).toBe(200);
  expect(await stack.admin("erase", renamed, "Asked by mail")).toMatch(/erasure|accountId|_id/i);
  expect((await list(answer.json<{ token: string }>().token)).status).toBe(401);
  expect((await logIn(renamed)).status).toBe(401);
});

it("`audit` shows operator, action and reason for each of these commands", async () => {
  const log = await stack.admin("audit");
  for (const action of [
    ...["suspendAccount", "unsuspendAccount", "endSessions", "takeDown", "restoreTakedown"],
    ...["decideReport", "sendPasswordReset", "setAccountEmail", "eraseAccount"],
  ])
    expect(log).toContain(action);
  expect(log).toContain("Spam, ticket 1");
  expect(log).not.toContain(email);
});

it("`--help` lists every documented command, and each command without its words shows the same usage", async () => {
  const usage = await stack.admin("--help");
  const commands = new Map(
    Array.from(usage.matchAll(/npm run admin -- ([\w-]+)(.*)/g), ([, name = "", rest = ""]) => [name, rest]),
  );
  const documented = Array.from(
    (await readFile("docs/operating/abuse.md", "utf8")).matchAll(/npm run admin -- ([\w-]+)/g),
    ([, name = ""]) => name,
  );
  expect(documented.length).toBeGreaterThan(10);
  for (const name of documented) expect([...commands.keys()]).toContain(name);
  for (const name of ["suspend", "set-email", "erase", "take-down", "restore", "decide-report"]) {
    expect(commands.get(name)).toMatch(/^ [A-Z]/);
    const { code, stderr } = await failing(name);
    expect([code, stderr.trim()]).toEqual([1, usage.trim()]);
  }
  expect((await failing("suspnd", email, "x")).stderr.trim()).toBe(usage.trim());
});
