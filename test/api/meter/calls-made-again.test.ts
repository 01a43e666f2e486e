import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../../src/domain/ids.ts";
import { makeKey } from "../../../src/services/keys/make-key.ts";
import { retryAccountMeter } from "../../../src/services/open-services.ts";
import { expectConsistent, meterOf, readMeter } from "../../support/api/account-state.ts";
import { openAccount, TEST_DEVICE, uploadOne } from "../../support/api/api.ts";
import { png } from "../../support/media/samples.ts";

// A lost call of a Durable Object is repeated, and its answer is the answer of the first call.

type Meter = ReturnType<typeof meterOf>;

/** The account's meter, of which the answer to every first call is lost. */
function lossy(accountId: string): Meter {
  let calls = 0;
  const lose = (stub: Meter): Meter =>
    new Proxy(stub, {
      get:
        (target, name) =>
        async (...args: unknown[]) => {
          const methods = target as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
          const result = await methods[String(name)]?.(...args);
          calls += 1;
          if (calls % 2 === 1) throw Object.assign(new Error("Network connection lost."), { retryable: true });
          return result;
        },
    });
  return retryAccountMeter(() => lose(env.ACCOUNT_METER.getByName(accountId)));
}

const picture = { name: "a.png", bytes: png() };

it("A repeated call reserves an upload once", async () => {
  const { id } = await openAccount();
  const uploadId = newId(Date.now());
  const intent = { kind: "upload", uploadId, objectKey: `uploads/${id}/${uploadId}-a`, keyId: null } as const;
  const all = 1024 ** 3;
  expect(await lossy(id).reserve(intent, all, all)).toMatchObject({ outcome: "reserved", reservedBytes: all });
  expect((await readMeter(id)).intents).toHaveLength(1);
});

it("A repeated call deletes an upload and counts it once", async () => {
  const { id, uploadKey } = await openAccount();
  const { _id: uploadId, fileSize: sizeBytes, url } = await uploadOne(uploadKey, picture);
  const objectKey = new URL(url).pathname.slice(1);
  const deletion = await lossy(id).deleteUpload({ uploadId, objectKey, sizeBytes, keyId: null });
  expect(deletion).toMatchObject({ outcome: "deleted" });
  expect(await readMeter(id)).toMatchObject({ storageBytes: 0, usedTenths: 20 });
  await expectConsistent(id);
});

it("A repeated call opens a session and erases an account once", async () => {
  const { id, token } = await openAccount();
  const { passwordHash } = (await env.DB.prepare("SELECT password_hash AS passwordHash FROM accounts WHERE id = ?")
    .bind(id)
    .first<{ passwordHash: string }>()) as { passwordHash: string };
  const session = { sessionId: newId(Date.now()), expiresAt: Date.now() + 60_000, ...TEST_DEVICE };
  expect(await lossy(id).openSession(session, passwordHash)).toMatchObject({ outcome: "opened" });
  const { sid } = JSON.parse(atob(token.split(".")[1] ?? ""));
  expect(await lossy(id).erase(sid)).toMatchObject({ outcome: "erased" });
});

it("Repeated calls change upload key, password, settings and tier once, and revoke a key", async () => {
  const { id, token } = await openAccount();
  const { sid } = JSON.parse(atob(token.split(".")[1] ?? ""));
  const { key } = await makeKey({ accountId: id, kind: "upload", name: "Upload key", scopes: [] }, Date.now());
  expect(await lossy(id).replaceUploadKey(key, sid)).toBe(true);
  expect(await lossy(id).setPassword("scrypt$1$1$1$aa$aa", sid)).toBe(true);
  expect(await lossy(id).setSettings({ autoCompress: true })).toMatchObject({ autoCompress: true });
  await lossy(id).setTier({ tier: "pro", billingAnchorAt: 1, uploadKey: null });
  const { results } = await env.DB.prepare("SELECT id FROM keys WHERE account_id = ? AND revoked_at IS NULL")
    .bind(id)
    .all();
  expect(results).toEqual([{ id: key.id }]);
  await lossy(id).revokeKey(key.id);
  const account = await env.DB.prepare("SELECT tier, password_hash, auto_compress FROM accounts WHERE id = ?")
    .bind(id)
    .first();
  expect(account).toEqual({ tier: "pro", password_hash: "scrypt$1$1$1$aa$aa", auto_compress: 1 });
  expect((await readMeter(id)).intents).toEqual([]);
});

it("A call to an object that was reset is repeated through another stub", async () => {
  const { id } = await openAccount();
  const meter = retryAccountMeter(() => env.ACCOUNT_METER.getByName(id));
  await meter.read();
  await runInDurableObject(meterOf(id), (_, state) => {
    setTimeout(() => state.abort("reset"), 0);
  }).catch(() => undefined);
  const reads = Array.from({ length: 5 }, () => meter.read());
  for (const read of await Promise.all(reads)) expect(read).toMatchObject({ tier: "free" });
});

it("A call that an overloaded object refused, or that failed in its method, is not repeated", async () => {
  for (const flags of [{ retryable: true, overloaded: true }, {}]) {
    let calls = 0;
    const broken = {
      read: async () => {
        calls += 1;
        throw Object.assign(new Error("no"), flags);
      },
    } as unknown as Meter;
    await expect(retryAccountMeter(() => broken).read()).rejects.toThrow("no");
    expect(calls).toBe(1);
  }
});
