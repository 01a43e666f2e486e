import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject, it } from "vitest";
import { meterOf, replaceStores, replayIntents, restoreStores } from "../../support/api/account-state.ts";
import { call, callJson, openAccount } from "../../support/api/api.ts";
import { failingStore, inLibraries } from "../../support/api/databases.ts";
import { reconcile } from "../../support/reconcile/reconcile.ts";
import { seedUploads } from "../../support/reconcile/seed-uploads.ts";

declare module "vitest" {
  interface ProvidedContext {
    erasedUploads: number;
  }
}

const UPLOADS = inject("erasedUploads");

it("An account of many uploads is compared by page and erased in bounded steps, despite interruptions", {
  timeout: 3_600_000,
}, async () => {
  const account = await openAccount("business");
  await seedUploads(account.id, UPLOADS, { objects: true });
  await reconcile(account.id, true);
  let startedAt = Date.now();
  expect(await reconcile(account.id, true)).toMatchObject({ findings: [], uploads: UPLOADS, objects: UPLOADS });
  console.info(`compared ${UPLOADS} in ${Date.now() - startedAt} ms`);

  startedAt = Date.now();
  const response = await callJson("DELETE", "/account", account.token, { password: account.password });
  expect(response.status).toBe(202);
  const { receipt } = await response.json<{ receipt: string }>();
  const status = async () => (await (await call(`/erasures/${receipt}`)).json<{ status: string }>()).status;
  expect(await status()).toBe("erasing");
  await replaceStores(account.id, { FILES: failingStore<R2Bucket>() });
  await replayIntents(account.id);
  await restoreStores(account.id);
  let passes = 1;
  for (; (await status()) !== "erased"; passes++) {
    await replayIntents(account.id);
    if (passes % 3 === 0) await evictDurableObject(meterOf(account.id));
    expect(passes).toBeLessThan(10 + UPLOADS / 2500);
  }
  console.info(`erased ${UPLOADS} in ${passes} passes, ${Date.now() - startedAt} ms`);
  await replayIntents(account.id);
  const { objects } = await env.FILES.list({ prefix: `uploads/${account.id}/` });
  expect(objects).toEqual([]);
  for (const table of ["uploads", "folders", "upload_counts", "upload_tags", "folder_tags", "moved_uploads"]) {
    expect(await inLibraries(`SELECT 1 FROM ${table} WHERE account_id = ?`, account.id)).toEqual([]);
  }
  expect(await inLibraries("SELECT 1 FROM libraries WHERE id = ?", account.id)).toEqual([]);
  expect(await env.DB.prepare("SELECT 1 FROM accounts WHERE id = ?").bind(account.id).first()).toBeNull();
});
