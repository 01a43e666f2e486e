import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { fileRulesKey } from "../../../src/domain/file-rules.ts";
import { expectNothingLeft, replayIntents } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, uploadOne } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";
import { asOperator } from "../../support/operator/as-operator.ts";

interface Entry {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly subject: string | null;
  readonly reason: string | null;
  readonly status: number | null;
}

async function audit(query: string): Promise<Entry[]> {
  const response = await asOperator("GET", `audit?${query}`);
  expect(response.status).toBe(200);
  return (await response.json<{ entries: Entry[] }>()).entries;
}

const SUSPENDED = {
  error: "The operator has suspended this account",
  statusCode: 403,
  code: "account_suspended",
  details: { reason: "Spam" },
};

it("Sessions and keys of a suspended account answer 403 `account_suspended` until it is unsuspended, and its files stay", async () => {
  const { token, apiKey, email, password } = await openProAccount();
  const { _id, url } = await uploadOne(token, { name: "a.png", bytes: png() });
  const answer = await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ reason: "Spam", serveFiles: true });
  for (const credential of [token, apiKey]) {
    for (const [method, path] of [
      ["GET", "/images"],
      ["DELETE", `/images/${_id}`],
      ["POST", "/images/upload"],
    ] as const) {
      const refused = await call(path, { method, headers: bearer(credential) });
      expect(await refused.json()).toEqual(SUSPENDED);
      expect(refused.status).toBe(403);
    }
  }
  const login = await callJson("POST", "/auth/login", undefined, { email, password });
  expect([login.status, await login.json()]).toEqual([403, SUSPENDED]);
  expect((await call(new URL(url).pathname)).status).toBe(200);
  const shown = await (await asOperator("GET", `accounts/${email}`)).json<{ suspension: object }>();
  expect(shown.suspension).toMatchObject({ reason: "Spam", serveFiles: true });

  expect((await asOperator("POST", `accounts/${email}/unsuspend`, { reason: "A mistake" })).status).toBe(200);
  for (const credential of [token, apiKey]) {
    expect((await call(`/images/${_id}`, { headers: bearer(credential) })).status).toBe(200);
  }
  expect((await callJson("POST", "/auth/login", undefined, { email, password })).status).toBe(200);
});

it("The files of a suspended account are 403 `files_suspended` if the operator chooses so, until it is unsuspended", async () => {
  const { id, token, email } = await openProAccount();
  await uploadOne(token, { name: "a.png", bytes: png() });
  const rules = async () => (await env.FILES.get(fileRulesKey(id)))?.json();
  const answer = await asOperator("POST", `accounts/${email}/suspend`, { reason: "Malware", serveFiles: false });
  expect(await answer.json()).toMatchObject({ reason: "Malware", serveFiles: false });
  expect(await rules()).toMatchObject({ suspended: true });
  await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" });
  expect(await rules()).not.toHaveProperty("suspended");
  await asOperator("POST", `accounts/${email}/suspend`, { reason: "Malware", serveFiles: false });
  expect(await rules()).toMatchObject({ suspended: true });
  expect((await asOperator("POST", `accounts/${email}/unsuspend`, { reason: "A mistake" })).status).toBe(200);
  expect(await rules()).not.toHaveProperty("suspended");
});

it("An unfinished upload of a suspended account waits, and its bytes are kept", async () => {
  const { token, email } = await openAccount();
  const bytes = png();
  const tus = { ...bearer(token), "Tus-Resumable": "1.0.0" };
  const made = await call("/images/upload", {
    method: "POST",
    headers: { ...tus, "Upload-Length": String(bytes.length), "Upload-Metadata": `filename ${btoa("a.png")}` },
  });
  expect(made.status).toBe(201);
  const path = new URL(made.headers.get("Location") ?? "", "https://media.example").pathname;
  const send = (start: number, end: number) =>
    call(path, {
      method: "PATCH",
      headers: { ...tus, "Content-Type": "application/offset+octet-stream", "Upload-Offset": String(start) },
      body: bytes.subarray(start, end),
    });
  expect((await send(0, 10)).status).toBe(204);
  await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" });
  expect((await send(10, 20)).status).toBe(403);
  await replayIntents((await openAccountId(email)) ?? "");
  await asOperator("POST", `accounts/${email}/unsuspend`, { reason: "A mistake" });
  const rest = await send(10, bytes.length);
  expect([204, 201, 200]).toContain(rest.status);
});

async function openAccountId(email: string): Promise<string | undefined> {
  return (await env.DB.prepare("SELECT id FROM accounts WHERE email = ?").bind(email).first<{ id: string }>())?.id;
}

it("`end-sessions` ends every session and no key", async () => {
  const { token, apiKey, email } = await openProAccount();
  expect((await asOperator("POST", `accounts/${email}/end-sessions`, { reason: "Stolen laptop" })).status).toBe(200);
  expect((await call("/images", { headers: bearer(token) })).status).toBe(401);
  expect((await call("/images", { headers: bearer(apiKey) })).status).toBe(200);
});

it("The operator erases an account, also a suspended one", async () => {
  const { id, token, email } = await openAccount();
  await uploadOne(token, { name: "a.png", bytes: png() });
  await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" });
  const answer = await asOperator("POST", `accounts/${email}/erase`, { reason: "Asked by mail" });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ accountId: id });
  expect((await call("/images", { headers: bearer(token) })).status).toBe(401);
  await replayIntents(id);
  await expectNothingLeft(id);
  expect(await (await asOperator("GET", `erasures/${id}`)).json()).toMatchObject({ status: "erased" });
  expect((await asOperator("POST", `accounts/${email}/erase`, { reason: "Asked by mail" })).status).toBe(404);
});

it("Each action of the operator has an entry with operator, time and reason, also if it was refused", async () => {
  const { id, email } = await openAccount();
  const signed = { "X-Operator": "ada", "X-Reason": encodeURIComponent("Größe") };
  await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" }, signed);
  await asOperator("PUT", `accounts/${email}`, { tier: "pro", accountId: id }, signed);
  await asOperator("PUT", `accounts/${email}`, { tier: "no such tier" });
  await asOperator("GET", `accounts/${email}`);
  const entries = await audit(`email=${email}`);
  expect(entries.map(({ action, actor, reason, status }) => [action, actor, reason, status])).toEqual([
    ["setTier", "operator", null, 400],
    ["setTier", "ada", "Größe", 200],
    ["suspendAccount", "ada", "Spam", 200],
  ]);
  for (const { at, subject } of entries) {
    expect(subject).toBe(id);
    expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000);
  }
  expect(JSON.stringify(entries)).not.toContain("@");
});

it("An action on an unknown address is recorded without the address", async () => {
  const email = `stranger-${crypto.randomUUID()}@example.com`;
  expect((await asOperator("POST", `accounts/${email}/suspend`, { reason: "Spam" })).status).toBe(404);
  expect(await audit(`email=${email}`)).toMatchObject([
    { action: "suspendAccount", subject: expect.stringMatching(/^email:[0-9a-f]{16}$/), status: 404 },
  ]);
});

it("Entries of the audit log can be neither changed nor deleted", async () => {
  const { id, email } = await openAccount();
  await asOperator("POST", `accounts/${email}/end-sessions`, { reason: "Stolen laptop" });
  for (const sql of [
    "DELETE FROM audit_log WHERE subject = ?",
    "UPDATE audit_log SET reason = 'nothing' WHERE subject = ?",
    "UPDATE audit_log SET status = 500 WHERE subject = ?",
  ]) {
    await expect(env.DB.prepare(sql).bind(id).run()).rejects.toThrow(/append-only/);
  }
  expect(await audit(`subject=${id}`)).toMatchObject([{ reason: "Stolen laptop", status: 200 }]);
});
