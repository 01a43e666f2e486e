import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "../../src/domain/ids.ts";
import { accountVariantsPrefix, thumbnailKey, variantsPrefix } from "../../src/domain/object-key.ts";
import type { VariantSizes } from "../../src/domain/variants/made-variants.ts";
import { readHead } from "../../src/media/first-bytes.ts";
import { replaceStores, replayIntents, restoreStores } from "../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, type TestAccount, uploadOne } from "../support/api/api.ts";
import { expectOk, newPhoto, REMOVALS } from "../support/library/removals.ts";
import { SAMPLES } from "../support/media/media-bytes.ts";
import { takeDown } from "../support/operator/as-operator.ts";
import { reconcile } from "../support/reconcile/reconcile.ts";

// Variants live and die with their upload (VAR-6). The CDN Worker's own tests are in test/cdn.

async function storePhoto(account: TestAccount) {
  const { _id, filename } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes: newPhoto() });
  return { id: _id, path: `/${filename}` };
}

async function makeVariant(path: string, width: number): Promise<void> {
  const answer = await call(`${path}?w=${width}&h=${width}&fit=crop`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("X-Variant")).toBeNull();
  await answer.body?.cancel();
}

/** Replaces the record of a file's variants. */
async function record(accountId: string, uploadId: string, sizes: VariantSizes): Promise<void> {
  const budget = env.VARIANT_BUDGET.getByName(accountId);
  await budget.recount(uploadId, await budget.sizesOf(uploadId), sizes);
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

it("A variant of a film's thumbnail has the requested size, and a deletion of the film removes it", async () => {
  const account = await openAccount();
  const film = SAMPLES.find(({ type }) => type === "video/mp4");
  const { _id } = await uploadOne(account.uploadKey, { name: "film.mp4", bytes: film?.bytes ?? new Uint8Array() });
  const thumbnail = thumbnailKey(account.id, _id);
  await env.FILES.put(thumbnail, newPhoto(), { httpMetadata: { contentType: "image/jpeg" } });
  const answer = await call(`/${thumbnail}?w=16`);
  expect([answer.status, answer.headers.get("X-Variant")]).toEqual([200, null]);
  expect(readHead("image/jpeg", new Uint8Array(await answer.arrayBuffer()), true)).toMatchObject({
    width: 16,
    height: 11,
  });
  const prefix = variantsPrefix(account.id, _id);
  const { objects } = await env.FILES.list({ prefix });
  expect(objects.map(({ key }) => key)).toEqual([`${prefix}thumb-w16-q75.jpg`]);
  await expectOk(await call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) }));
  expect(await countVariants(account.id, _id)).toBe(0);
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

interface MadeVariants {
  readonly count: number;
  readonly bytes: number;
}

const NONE: MadeVariants = { count: 0, bytes: 0 };

/** The variants of the account's files, as the overview has them. */
async function shown({ token }: TestAccount): Promise<MadeVariants> {
  const answer = await call("/stats/overview", { headers: bearer(token) });
  expect(answer.status).toBe(200);
  return (await answer.json<{ variants: MadeVariants }>()).variants;
}

/** The variants of the account's files, as R2 has them. */
async function inR2({ id }: TestAccount): Promise<MadeVariants> {
  const { objects } = await env.FILES.list({ prefix: accountVariantsPrefix(id) });
  return { count: objects.length, bytes: objects.reduce((sum, { size }) => sum + size, 0) };
}

describe("The figures of variants", () => {
  it.each(REMOVALS)(
    "The overview has the number and bytes of the variants, and none of a file that is %s",
    async (_, remove) => {
      const account = await openAccount();
      const [kept, removed] = [await storePhoto(account), await storePhoto(account)];
      expect(await shown(account)).toEqual(NONE);
      for (const width of [16, 32]) await makeVariant(removed.path, width);
      expect(await shown(account)).toEqual({ count: 2, bytes: (await inR2(account)).bytes });
      await makeVariant(kept.path, 16);
      await makeVariant(kept.path, 16);
      expect(await shown(account)).toEqual({ count: 3, bytes: (await inR2(account)).bytes });
      await remove(account, removed.id);
      expect(await shown(account)).toEqual({ count: 1, bytes: (await inR2(account)).bytes });
      expect((await reconcile(account.id, false)).findings).toEqual([]);
    },
  );

  it("A deletion that R2 interrupts leaves the figures right", async () => {
    const account = await openAccount();
    const { id, path } = await storePhoto(account);
    await makeVariant(path, 16);
    let failures = 0;
    const files = new Proxy(env.FILES, {
      get: (bucket, name) =>
        name === "delete"
          ? (keys: string[]) => {
              if (![keys].flat().some((key) => key.startsWith("variants/"))) return bucket.delete(keys);
              failures++;
              return Promise.reject(new Error("R2 is away"));
            }
          : Reflect.get(bucket, name).bind(bucket),
    });
    await replaceStores(account.id, { FILES: files });
    const answer = await call(`/images/${id}`, { method: "DELETE", headers: bearer(account.token) });
    await answer.body?.cancel();
    expect(failures).toBeGreaterThan(0);
    await restoreStores(account.id);
    await replayIntents(account.id);
    expect(await inR2(account)).toEqual(NONE);
    expect(await shown(account)).toEqual(NONE);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("The budget is away"))],
    ["never answers", () => new Promise<never>(() => undefined)],
  ])("A record that %s does not keep deleted variants, and `reconcile` corrects it", async (_, forget) => {
    const account = await openAccount();
    const { id, path } = await storePhoto(account);
    await makeVariant(path, 16);
    const VARIANT_BUDGET = { getByName: () => ({ forget }) } as unknown as Env["VARIANT_BUDGET"];
    await replaceStores(account.id, { VARIANT_BUDGET });
    await expectOk(await call(`/images/${id}`, { method: "DELETE", headers: bearer(account.token) }));
    expect(await inR2(account)).toEqual(NONE);
    await restoreStores(account.id);
    expect(await shown(account)).not.toEqual(NONE);
    await reconcile(account.id, true);
    expect(await shown(account)).toEqual(NONE);
  });

  it("An erased account has no record of variants", async () => {
    const account = await openAccount();
    const { path } = await storePhoto(account);
    await makeVariant(path, 16);
    const record = env.VARIANT_BUDGET.getByName(account.id);
    expect((await record.read()).count).toBe(1);
    const { password } = account;
    await expectOk(await callJson("DELETE", "/account", account.token, { password }));
    expect(await record.read()).toEqual(NONE);
    expect(await record.list("", null)).toEqual([]);
  });

  it.each<[string, (account: TestAccount, id: string) => Promise<unknown>]>([
    [
      "lacks a variant",
      async ({ id: accountId }, id) => {
        const record = env.VARIANT_BUDGET.getByName(accountId);
        await record.forget(id, Object.keys(await record.sizesOf(id)).slice(1));
      },
    ],
    ["lacks a file", ({ id }, uploadId) => record(id, uploadId, {})],
    ["has another size", ({ id }, uploadId) => record(id, uploadId, { "w16.jpg": 1 })],
    [
      "has variants that R2 has lost",
      async ({ id: accountId }, id) => {
        const { objects } = await env.FILES.list({ prefix: variantsPrefix(accountId, id) });
        await env.FILES.delete(objects.map(({ key }) => key));
      },
    ],
  ])("`reconcile` corrects a record that %s", async (_, damage) => {
    const account = await openAccount();
    const { id, path } = await storePhoto(account);
    for (const width of [16, 32]) await makeVariant(path, width);
    await damage(account, id);
    expect(await shown(account)).not.toEqual(await inR2(account));
    const found = { kind: "variants-miscounted", subject: id };
    expect((await reconcile(account.id, false)).findings).toEqual([{ ...found, repaired: false }]);
    expect((await reconcile(account.id, true)).findings).toEqual([{ ...found, repaired: true }]);
    expect((await reconcile(account.id, false)).findings).toEqual([]);
    expect(await shown(account)).toEqual(await inR2(account));
  });
});
