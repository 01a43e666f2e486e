import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { ExportLineSchema } from "../../../src/contract/export.ts";
import { deleteLibrary } from "../../../src/db/library/erase-library.ts";
import { exportPages } from "../../../src/services/accounts/export-pages.ts";
import { bearer, call, openAccount, openProAccount, type TestAccount, uploadOne } from "../../support/api/api.ts";
import { failingStore, libraries, libraryOf, shardOf } from "../../support/api/databases.ts";
import { changeImage, createFolder, deleteImage, moveToTrash } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { seedUploads } from "../../support/reconcile/seed-uploads.ts";

type Line = Record<string, unknown> & { type: string };

function exportOf({ token }: Pick<TestAccount, "token">): Promise<Response> {
  return call("/account/export", { headers: bearer(token) });
}

async function linesOf(response: Response): Promise<Line[]> {
  expect(response.status).toBe(200);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const seeded: string[] = [];

/** Rows alone: an export reads nothing else of an upload. */
async function seed(accountId: string, count: number): Promise<void> {
  seeded.push(accountId);
  await seedUploads(accountId, count, { objects: false });
}

// Who compares the stores after this file would take them for damage.
afterEach(async () => {
  for (const id of seeded.splice(0)) await deleteLibrary(await libraryOf(id), id);
});

describe("an export", () => {
  it("has a line for everything that the account holds, and one that says that it is whole", async () => {
    const account = await openProAccount();
    const folderId = await createFolder(account.token, "Holidays");
    const photo = await uploadOne(account.apiKey, { name: "a.png", bytes: png() }, { folderId, tags: "sun,sea" });
    const film = await uploadOne(account.apiKey, { name: "b.mp4", bytes: mp4(2000) });
    const gone = await uploadOne(account.apiKey, { name: "c.png", bytes: png() });
    await changeImage(account.token, photo._id, { favorite: true });
    await moveToTrash(account.token, [film._id]);
    await deleteImage(account.token, gone._id);

    const response = await exportOf(account);
    expect(response.headers.get("Content-Type")).toBe("application/x-ndjson");
    expect(response.headers.get("Content-Disposition")).toMatch(/^attachment; filename="media-host-[\d-]{10}\.jsonl"$/);
    const lines = await linesOf(response);
    for (const line of lines) expect(ExportLineSchema.parse(line)).toEqual(line);

    const of = (type: string) => lines.filter((line) => line.type === type);
    expect(of("account")).toEqual([expect.objectContaining({ _id: account.id, email: account.email, tier: "pro" })]);
    expect(of("settings")).toEqual([{ type: "settings", autoCompress: false, compressionQuality: 65 }]);
    expect(of("key").map(({ _id }) => _id)).toContain(account.apiKeyId);
    expect(of("folder")).toEqual([expect.objectContaining({ _id: folderId, name: "Holidays", itemCount: 1 })]);
    expect(of("upload")).toEqual([
      expect.objectContaining({ _id: photo._id, url: photo.url, folderId, tags: ["sun", "sea"], favorite: true }),
      expect.objectContaining({ _id: film._id, thumbnailUrl: film.thumbnailUrl, status: "trash" }),
    ]);
    expect(of("operation").map(({ operation, resourceId }) => [operation, resourceId])).toEqual([
      ["delete", gone._id],
      ["upload", gone._id],
      ["upload", film._id],
      ["upload", photo._id],
    ]);
    const keys = of("key").length;
    expect(lines.at(-1)).toEqual({ type: "end", counts: { keys, alerts: 0, folders: 1, uploads: 2, operations: 4 } });
  });

  it("tells no secret: neither a key nor its hash nor the password's", async () => {
    const account = await openProAccount();
    const text = await (await exportOf(account)).text();
    const keys = await env.DB.prepare("SELECT hash FROM keys WHERE account_id = ?")
      .bind(account.id)
      .all<{ hash: string }>();
    for (const secret of [account.apiKey, account.uploadKey, "scrypt", ...keys.results.map(({ hash }) => hash)]) {
      expect(text).not.toContain(secret);
    }
  });

  it("goes on over many steps: each upload is there once", async () => {
    const account = await openAccount();
    await seed(account.id, 2050);
    const lines = await linesOf(await exportOf(account));
    const ids = lines.filter(({ type }) => type === "upload").map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(2050);
    expect(ids).toHaveLength(2050);
    expect(lines.at(-1)).toMatchObject({ type: "end", counts: { uploads: 2050 } });
  });

  it("reads no further than its reader, who may be slow or go away", async () => {
    const account = await openAccount();
    await seed(account.id, 2050);
    let steps = 0;
    const counted = new Proxy(libraries.bindingOf(await shardOf(account.id)), {
      get: (real, name) => {
        if (name !== "prepare") return Reflect.get(real, name).bind(real);
        return (query: string) => {
          if (query.includes('CAST("number" AS TEXT)')) steps += 1;
          return real.prepare(query);
        };
      },
    });
    const bindings = { ...env, [`LIBRARY_${await shardOf(account.id)}`]: counted };
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    const request = new Request("https://media.example/account/export", { headers: bearer(account.token) });
    const response = await createApp().fetch(request, bindings, context as unknown as ExecutionContext);
    const reader = response.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(steps).toBe(1);
    await reader?.cancel();
    expect(steps).toBe(1);
  });

  it("that breaks off has no last line", async () => {
    const account = await openAccount();
    await seed(account.id, 1050);
    const broken = { ...env, [`LIBRARY_${await shardOf(account.id)}`]: failingStore<D1Database>() };
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    const request = new Request("https://media.example/account/export", { headers: bearer(account.token) });
    const response = await createApp().fetch(request, broken, context as unknown as ExecutionContext);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("may be asked for ten times in an hour", async () => {
    const account = await openAccount();
    for (let count = 0; count < 10; count++) await (await exportOf(account)).text();
    const refused = await exportOf(account);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ details: { retryAfter: expect.any(Number) } });
  });
});

describe("the memory of an isolate", () => {
  it("is asked for before an export begins: without it the answer is 503, and says when to try again", async () => {
    const account = await openAccount();
    const all = exportPages.tryTake(exportPages.freeBytes);
    try {
      const response = await exportOf(account);
      expect(response.status).toBe(503);
      expect(response.headers.get("Retry-After")).not.toBeNull();
    } finally {
      all?.release();
    }
    expect((await linesOf(await exportOf(account))).at(-1)?.type).toBe("end");
  });

  it("is held for a page while that is read, and given back at the end, or when the reader goes", async () => {
    const account = await openAccount();
    await seed(account.id, 1500);
    const freeBytes = exportPages.freeBytes;
    const reader = (await exportOf(account)).body?.getReader();
    await reader?.read();
    expect(exportPages.freeBytes).toBeLessThan(freeBytes);
    await reader?.cancel();
    await vi.waitFor(() => expect(exportPages.freeBytes).toBe(freeBytes));
    await linesOf(await exportOf(account));
    expect(exportPages.freeBytes).toBe(freeBytes);
  });
});
