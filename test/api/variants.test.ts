import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../src/domain/ids.ts";
import { variantsPrefix } from "../../src/domain/object-key.ts";
import { bearer, call, openAccount, type TestAccount, uploadOne } from "../support/api/api.ts";
import { photoWithComment } from "../support/codecs/photo.ts";
import { takeDown } from "../support/operator/as-operator.ts";
import { reconcile } from "../support/reconcile/reconcile.ts";

// Variants live and die with their upload (VAR-6). The CDN Worker's own tests are in test/cdn.

async function storePhoto(account: TestAccount) {
  const { _id, filename } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes: newPhoto() });
  return { id: _id, path: `/${filename}` };
}

/** Bytes that no other test has, because a takedown blocks the same bytes for all accounts. */
function newPhoto(): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...photoWithComment(), ...crypto.getRandomValues(new Uint8Array(16))]);
}

async function makeVariant(path: string, width: number): Promise<void> {
  const answer = await call(`${path}?w=${width}&h=${width}&fit=crop`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("X-Variant")).toBeNull();
  await answer.body?.cancel();
}

async function countVariants(accountId: string, uploadId: string): Promise<number> {
  const { objects } = await env.FILES.list({ prefix: variantsPrefix(accountId, uploadId) });
  return objects.length;
}

it("A variant does not count as storage, and a deletion removes all variants of the upload", async () => {
  const account = await openAccount();
  const [kept, deleted] = [await storePhoto(account), await storePhoto(account)];
  const storage = async () => {
    const answer = await call("/stats/overview", { headers: bearer(account.token) });
    return (await answer.json<{ storage: { usedBytes: number } }>()).storage;
  };
  const before = await storage();
  for (const width of [16, 32, 48]) {
    await makeVariant(kept.path, width);
    await makeVariant(deleted.path, width);
  }
  expect(await storage()).toEqual(before);
  expect(await countVariants(account.id, deleted.id)).toBe(3);
  const answer = await call(`/images/${deleted.id}`, { method: "DELETE", headers: bearer(account.token) });
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
  expect(await countVariants(account.id, deleted.id)).toBe(0);
  expect(await countVariants(account.id, kept.id)).toBe(3);
  const gone = await call(`${deleted.path}?w=16&h=16&fit=crop`);
  expect(gone.status).toBe(404);
  await gone.body?.cancel();
  expect(await countVariants(account.id, deleted.id)).toBe(0);
});

it("A takedown removes the variants, and no variant is made of the file afterwards", async () => {
  const account = await openAccount();
  const { id, path } = await storePhoto(account);
  await makeVariant(path, 16);
  await takeDown({ id });
  expect(await countVariants(account.id, id)).toBe(0);
  for (const width of [16, 32]) {
    const answer = await call(`${path}?w=${width}&h=${width}&fit=crop`);
    expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([451, "taken_down"]);
  }
  expect(await countVariants(account.id, id)).toBe(0);
});

it("Variants that belong to no upload are found and deleted by `reconcile`", async () => {
  const account = await openAccount();
  const { id, path } = await storePhoto(account);
  await makeVariant(path, 16);
  const stray = newId(Date.now());
  await env.FILES.put(`${variantsPrefix(account.id, stray)}w16-q75.jpg`, "left by a maker that died");
  const { findings } = await reconcile(account.id, true);
  expect(findings).toMatchObject([{ kind: "variants-left", subject: stray, repaired: true }]);
  expect([await countVariants(account.id, stray), await countVariants(account.id, id)]).toEqual([0, 1]);
  expect((await reconcile(account.id, false)).findings).toEqual([]);
});
