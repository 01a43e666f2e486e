import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { ExportLineSchema } from "../../../src/contract/export.ts";
import { deleteLibrary } from "../../../src/db/library/erase-library.ts";
import { exportPages } from "../../../src/services/accounts/export-pages.ts";
import { openAlerted, usePercent } from "../../support/alerts/alerts.ts";
import { meterOf } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  createApiKey,
  openAccount,
  openProAccount,
  type TestAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { failingStore, libraries, libraryOf, shardOf } from "../../support/api/databases.ts";
import { isValid, type JsonSchema, withReferences } from "../../support/api/json-schema.ts";
import { changeImage, createFolder, deleteImage, moveToTrash } from "../../support/library/api.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { seedUploads } from "../../support/reconcile/seed-uploads.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";

const WEBHOOK = {
  name: "shop",
  id: "a",
  url: "https://hooks.example.com/",
  filesUrl: "",
  events: ["upload.completed"] as const,
};

interface Description {
  readonly components: { readonly schemas: Record<string, JsonSchema> };
}

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

/** These uploads are only rows, because an export reads nothing else of an upload. */
async function seed(accountId: string, count: number): Promise<void> {
  seeded.push(accountId);
  await seedUploads(accountId, count, { objects: false });
}

// A comparison of the stores after this file would report these rows as damage.
afterEach(async () => {
  for (const id of seeded.splice(0)) await deleteLibrary(await libraryOf(id), id);
});

describe("Export", () => {
  it("An export has a line for everything in the account, and an end line if it is complete", async () => {
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
    expect(of("settings")).toEqual([
      { type: "settings", autoCompress: false, compressionQuality: 65, metadata: "keep" },
    ]);
    expect(of("key").map(({ _id }) => _id)).toContain(account.apiKeyId);
    expect(of("folder")).toEqual([expect.objectContaining({ _id: folderId, name: "Holidays", itemCount: 1 })]);
    expect(of("upload")).toEqual([
      expect.objectContaining({ _id: photo._id, url: photo.url, folderId, tags: ["sun", "sea"], favorite: true }),
      expect.objectContaining({ _id: film._id, thumbnailUrl: film.thumbnailUrl, status: "trash" }),
    ]);
    const byKey = { type: "key", _id: account.apiKeyId };
    expect(of("upload").map(({ history }) => history)).toEqual([
      [{ type: "uploaded", at: photo.createdAt, by: byKey }],
      [
        { type: "trashed", at: expect.any(String), by: { type: "session", _id: null } },
        { type: "uploaded", at: film.createdAt, by: byKey },
      ],
    ]);
    expect(of("operation").map(({ operation, resourceId }) => [operation, resourceId])).toEqual([
      ["delete", gone._id],
      ["upload", gone._id],
      ["upload", film._id],
      ["upload", photo._id],
    ]);
    const keys = of("key").length;
    expect(lines.at(-1)).toEqual({
      type: "end",
      counts: {
        presets: 0,
        keys,
        signingKeys: 0,
        uploadTokens: 0,
        shares: 0,
        webhooks: 0,
        imports: 0,
        importItems: 0,
        alerts: 0,
        savedSearches: 0,
        folders: 1,
        uploads: 2,
        operations: 4,
      },
    });
  });

  it("An export has lines of every kind, as the OpenAPI document describes them", async () => {
    const account = await openAlerted();
    const { key } = await createApiKey(account.token, ["folders:read"]);
    await createFolder(account.token, "Holidays");
    await callJson("PATCH", "/settings", account.token, { autoCompress: true });
    await meterOf(account.id).putWebhook(WEBHOOK);
    await callJson("PUT", "/settings/presets/small", account.token, { parameters: "w=320" });
    const secrets = await Promise.all([
      callJson("POST", "/signing-keys", account.token, { name: "shop" }),
      callJson("POST", "/upload-tokens", account.token, { maxFiles: 3 }),
    ]);
    await callJson("POST", "/searches", account.token, { name: "Sea", address: "/library?q=sea" });
    await callJson("POST", "/shares", account.token, { folderId: "root", password: "open sesame" });
    await uploadOne(account.token, { name: "a.png", bytes: png() });
    await uploadOne(key, { name: "b.mp4", bytes: mp4(2000) });
    const sound = await uploadOne(account.token, { name: "c.mp4", bytes: mp4(2000) });
    const processor = () => Response.json({ reason: "no video in the file", code: "no_video" }, { status: 422 });
    await deliverOne(stored(toVideo(account, sound)), { processor });
    await usePercent(account, 50);

    const lines = await linesOf(await exportOf(account));
    for (const response of secrets) {
      const { key, token = key } = await response.json<{ key?: string; token?: string }>();
      expect(token).toBeDefined();
      expect(JSON.stringify(lines)).not.toContain(token);
    }
    expect(new Set(lines.map(({ type }) => type))).toEqual(
      new Set([
        "account",
        "settings",
        "preset",
        "key",
        "signingKey",
        "uploadToken",
        "share",
        "webhook",
        "alert",
        "savedSearch",
        "folder",
        "upload",
        "operation",
        "end",
      ]),
    );
    expect(lines.find(({ type }) => type === "savedSearch")).toMatchObject({ name: "Sea", address: "/library?q=sea" });
    const thumbnails = lines.filter(({ type }) => type === "upload").map(({ thumbnailUrl }) => thumbnailUrl);
    expect(thumbnails).toEqual(expect.arrayContaining([null, expect.any(String)]));
    const { components } = await (await call("/openapi.json")).json<Description>();
    const schema = withReferences({ $ref: "#/components/schemas/ExportLine" }, components.schemas);
    expect(lines.filter((line) => !isValid(schema, line))).toEqual([]);
    expect(isValid(schema, { ...lines.at(-1), type: "ending" })).toBe(false);
  });

  it("An export contains no secret: no key, no hash and no password", async () => {
    const account = await openProAccount();
    const text = await (await exportOf(account)).text();
    const keys = await env.DB.prepare("SELECT hash FROM keys WHERE account_id = ?")
      .bind(account.id)
      .all<{ hash: string }>();
    for (const secret of [account.apiKey, account.uploadKey, "scrypt", ...keys.results.map(({ hash }) => hash)]) {
      expect(text).not.toContain(secret);
    }
  });

  it("An export continues over many steps and has each upload once", async () => {
    const account = await openAccount();
    await seed(account.id, 2050);
    const lines = await linesOf(await exportOf(account));
    const ids = lines.filter(({ type }) => type === "upload").map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(2050);
    expect(ids).toHaveLength(2050);
    expect(lines.at(-1)).toMatchObject({ type: "end", counts: { uploads: 2050 } });
  });

  it("An export reads no further than its reader, who may be slow or disconnect", async () => {
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

  it("An export that breaks off has no end line", async () => {
    const account = await openAccount();
    await seed(account.id, 1050);
    const broken = { ...env, [`LIBRARY_${await shardOf(account.id)}`]: failingStore<D1Database>() };
    const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
    const request = new Request("https://media.example/account/export", { headers: bearer(account.token) });
    const response = await createApp().fetch(request, broken, context as unknown as ExecutionContext);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  it("An export may be requested ten times an hour", async () => {
    const account = await openAccount();
    for (let count = 0; count < 10; count++) await (await exportOf(account)).text();
    const refused = await exportOf(account);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ details: { retryAfter: expect.any(Number) } });
  });
});

describe("Memory of an isolate", () => {
  it("An export without free memory is 503 with the time to retry", async () => {
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

  it("An export holds memory for the page it reads, and releases it at the end or a disconnect", async () => {
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
