import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { readMeter, replaceStores, replayTwice, restoreStores } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, setTier, type TestAccount, upload } from "../support/api/api.ts";
import { failingDatabases } from "../support/api/databases.ts";
import { png } from "../support/media/samples.ts";

interface Answer {
  readonly status: number;
  readonly key?: string;
}

async function regenerate(account: TestAccount): Promise<Answer> {
  const response = await callJson("POST", "/keys/upload/regenerate", account.token, {});
  return { status: response.status, ...(await response.json<{ key?: string }>()) };
}

async function livingKeys(account: TestAccount, kind: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT id FROM keys WHERE account_id = ? AND kind = ? AND revoked_at IS NULL",
  )
    .bind(account.id, kind)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

async function works(key: string | undefined): Promise<boolean> {
  return (await upload(key ?? "", [{ name: "a.png", bytes: png() }])).status === 201;
}

describe("Simultaneous regenerations", () => {
  it.each([2, 16])(
    "Simultaneous regenerations (%i of them) leave one key, and every shown key is valid",
    async (count) => {
      const account = await openAccount();
      const answers = await Promise.all(Array.from({ length: count }, () => regenerate(account)));
      const shown = answers.filter(({ status }) => status === 201);
      expect(shown.length).toBeGreaterThan(0);
      expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true);
      expect(await livingKeys(account, "upload")).toHaveLength(1);
      expect(await Promise.all(shown.map(({ key }) => works(key)))).toContain(true);
      expect(await works(account.uploadKey)).toBe(false);
      expect((await readMeter(account.id)).intents).toEqual([]);
    },
  );

  it("Regenerations one after the other are all answered, and each ends the previous key", async () => {
    const account = await openAccount();
    const first = await regenerate(account);
    const second = await regenerate(account);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([await works(first.key), await works(second.key)]).toEqual([false, true]);
  });
});

describe("Interrupted regeneration", () => {
  it("A regeneration interrupted before its write to D1 ends the old key at once, and is finished later", async () => {
    const account = await openAccount();
    const [old] = await livingKeys(account, "upload");
    await replaceStores(account.id, failingDatabases());
    expect((await regenerate(account)).status).toBe(503);
    expect(await works(account.uploadKey)).toBe(false);
    expect(await livingKeys(account, "upload")).toEqual([old]);
    await restoreStores(account.id);
    expect((await replayTwice(account.id)).intents).toEqual([]);
    const living = await livingKeys(account, "upload");
    expect(living).toHaveLength(1);
    expect(living).not.toEqual([old]);
    expect(await works((await regenerate(account)).key)).toBe(true);
  });
});

describe("Revoked upload keys", () => {
  it("A regenerated and then revoked upload key leaves none, until a tier change creates one", async () => {
    const account = await openAccount();
    const { key } = await regenerate(account);
    const [id] = await livingKeys(account, "upload");
    await call(`/keys/${id}`, { method: "DELETE", headers: bearer(account.token) });
    expect([await works(key), await works(account.uploadKey)]).toEqual([false, false]);
    const { uploadKey } = await setTier(account.email, "starter");
    expect(await works(uploadKey)).toBe(true);
    expect(await livingKeys(account, "upload")).toHaveLength(1);
    expect((await setTier(account.email, "free")).uploadKey).toBeUndefined();
    expect(await works(uploadKey)).toBe(true);
  });
});

describe("Simultaneous API keys", () => {
  it("API keys created at once never exceed the account's limit", async () => {
    const account = await openAccount("business");
    const create = async () => (await callJson("POST", "/keys", account.token, { name: "x" })).status;
    const statuses = await Promise.all(Array.from({ length: 135 }, create));
    expect(statuses.filter((status) => status === 201)).toHaveLength(100);
    expect(statuses.filter((status) => status === 400)).toHaveLength(35);
    const living = await livingKeys(account, "api");
    expect(living).toHaveLength(100);
    await call(`/keys/${living[0]}`, { method: "DELETE", headers: bearer(account.token) });
    expect([await create(), await create()]).toEqual([201, 400]);
  });
});
