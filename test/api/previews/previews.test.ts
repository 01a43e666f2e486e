import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { previewKey, previewPath, thumbnailKey } from "../../../src/domain/object-key.ts";
import { signPreview } from "../../../src/domain/preview-token.ts";
import { expectConsistent, expectNothingLeft, readMeter, replayIntents } from "../../support/api/account-state.ts";
import {
  bearer,
  call,
  callJson,
  openAccount,
  openProAccount,
  type TestAccount,
  uploadOne,
} from "../../support/api/api.ts";
import { inLibraries } from "../../support/api/databases.ts";
import { photoWithComment } from "../../support/codecs/photo.ts";
import { gif, mp4 } from "../../support/media/samples.ts";
import { JPEG_BYTES, thumbnailJpeg } from "../../support/thumbnails/processor.ts";

interface Item {
  readonly _id: string;
  readonly previewUrl?: string | null;
  readonly viewUrl?: string;
}

const DAY_SECONDS = 86_400;

async function list(token: string): Promise<Item[]> {
  const { images } = await (await call("/images?folderId=all", { headers: bearer(token) })).json<{ images: Item[] }>();
  return images;
}

function follow(url: string): Promise<Response> {
  const { pathname, search } = new URL(url);
  return call(pathname + search);
}

async function openPhoto(account: TestAccount): Promise<{ id: string; url: string }> {
  const { _id } = await uploadOne(account.uploadKey, { name: "photo.jpg", bytes: photoWithComment() });
  const [item] = await list(account.token);
  return { id: _id, url: item?.previewUrl ?? "" };
}

/** The preview is stored after the answer. */
async function keptBytes(accountId: string, id: string): Promise<number | undefined> {
  for (let tries = 0; tries < 100; tries++) {
    const kept = await env.FILES.head(previewKey(accountId, id));
    if (kept !== null) return kept.size;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

describe("Image previews", () => {
  it("An image's preview is a WebP, made once and kept, at no cost to the account", async () => {
    const account = await openAccount();
    const { id, url } = await openPhoto(account);
    const before = await readMeter(account.id);
    const first = await follow(url);
    expect(first.status).toBe(200);
    expect(first.headers.get("Content-Type")).toBe("image/webp");
    expect(first.headers.get("Cache-Control")).toBe("private, max-age=86400");
    expect(first.headers.get("X-Content-Type-Options")).toBe("nosniff");
    const bytes = new Uint8Array(await first.arrayBuffer());
    expect(new TextDecoder().decode(bytes.subarray(8, 12))).toBe("WEBP");
    expect(await keptBytes(account.id, id)).toBe(bytes.length);
    const second = await follow(url);
    expect(new Uint8Array(await second.arrayBuffer())).toEqual(bytes);
    expect(await readMeter(account.id)).toEqual(before);
  });

  it("A preview's URL is the same for a day, and keys do not get it", async () => {
    const account = await openProAccount();
    const { _id } = await uploadOne(account.apiKey, { name: "photo.jpg", bytes: photoWithComment() });
    const [item] = await list(account.token);
    expect((await list(account.token))[0]?.previewUrl).toBe(item?.previewUrl);
    const midnight = (Math.floor(Date.now() / 1000 / DAY_SECONDS) + 2) * DAY_SECONDS;
    expect(item?.previewUrl).toMatch(
      new RegExp(
        `^https://media\\.example/previews/${account.id}/${_id}-photo\\.jpg\\?preview=${midnight}\\.[\\w-]{43}$`,
      ),
    );
    expect((await list(account.apiKey))[0]).not.toHaveProperty("previewUrl");
    expect((await list(account.apiKey))[0]).not.toHaveProperty("viewUrl");
    const one = async (token: string) =>
      (await call(`/images/${_id}`, { headers: bearer(token) })).json<Item & { url: string }>();
    const { viewUrl = "", url } = await one(account.token);
    expect(viewUrl.startsWith(`${url}?preview=`)).toBe(true);
    // One moment of the test may be the last of a half hour.
    await expect
      .poll(async () => (await list(account.token))[0]?.viewUrl === (await one(account.token)).viewUrl)
      .toBe(true);
    const seconds = Number(/preview=(\d+)/.exec(viewUrl)?.[1]) - Date.now() / 1000;
    expect(seconds).toBeGreaterThan(59 * 60);
    expect(seconds).toBeLessThanOrEqual(90 * 60);
    expect(await one(account.apiKey)).not.toHaveProperty("viewUrl");
    const answer = await follow(viewUrl);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store, no-transform");
    await answer.body?.cancel();
  });

  it("A preview without its own token, or with an expired one, is 403", async () => {
    const account = await openAccount();
    const { id, url } = await openPhoto(account);
    const { pathname } = new URL(url);
    const path = pathname.slice(1);
    const sign = (key: string, inSeconds: number) =>
      signPreview(env.PREVIEW_SECRET, key, Math.floor(Date.now() / 1000) + inSeconds);
    const other = path.replace(id, "01hzy3v7k9q4r5s6t7v8w9x0ya");
    for (const token of [undefined, "", "x", await sign(path, -1), await sign(other, 60), "9".repeat(5000)]) {
      const answer = await call(`/${path}${token === undefined ? "" : `?preview=${token}`}`);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toEqual({
        error: "The preview token is missing, wrong or expired",
        code: "invalid_preview_token",
        statusCode: 403,
      });
    }
    // The signature covers the key of the file. The same signature is refused for another id, name or path.
    for (const other of [id.toUpperCase(), `thumbs%2F${id}`, `..%2F${account.id}%2F${id}`, `${id}-another`, ""]) {
      expect((await follow(url.replace(id, other))).status).toBe(403);
    }
    expect(await env.FILES.head(previewKey(account.id, id))).toBeNull();
  });

  it("A preview is deleted with its file, and one made after the deletion is removed", async () => {
    const account = await openAccount();
    const { id, url } = await openPhoto(account);
    await (await follow(url)).body?.cancel();
    expect(await keptBytes(account.id, id)).toBeGreaterThan(0);
    expect((await call(`/images/${id}`, { method: "DELETE", headers: bearer(account.token) })).status).toBe(200);
    expect(await env.FILES.head(previewKey(account.id, id))).toBeNull();
    const gone = await follow(url);
    expect(gone.status).toBe(404);
    expect(gone.headers.get("Cache-Control")).toBe("no-store");
    expect(await gone.json()).toEqual({ error: "No preview", code: "preview_not_found", statusCode: 404 });
    await expectConsistent(account.id);
  });

  it("A preview is deleted with its account", async () => {
    const account = await openAccount();
    const { id, url } = await openPhoto(account);
    await (await follow(url)).body?.cancel();
    expect(await keptBytes(account.id, id)).toBeGreaterThan(0);
    await callJson("DELETE", "/account", account.token, { password: account.password });
    await replayIntents(account.id);
    await expectNothingLeft(account.id);
    expect(await env.FILES.head(previewKey(account.id, id))).toBeNull();
  });

  it("A preview that cannot be made is 404, and is not tried again", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.uploadKey, { name: "a.gif", bytes: gif() });
    const [item] = await list(account.token);
    expect((await follow(item?.previewUrl ?? "")).status).toBe(404);
    expect(await keptBytes(account.id, _id)).toBe(0);
    expect((await follow(item?.previewUrl ?? "")).status).toBe(404);
  });

  it.each(["été 1.jpg", "100%.jpg", "a+b&c=d?#.jpg", "日本 (1)'s.jpg", "%C3%A9.jpg"])(
    "A preview works for the name %s",
    async (name) => {
      const account = await openAccount();
      await uploadOne(account.uploadKey, { name, bytes: photoWithComment() });
      const [item] = await list(account.token);
      expect((await follow(item?.previewUrl ?? "")).status).toBe(200);
    },
  );

  it("A trashed file's preview works as before, and another account's session gets none", async () => {
    const account = await openAccount();
    const { id, url } = await openPhoto(account);
    await callJson("POST", "/images/bulk-trash", account.token, { ids: [id] });
    const { images } = await (await call("/images?status=trash", { headers: bearer(account.token) })).json<{
      images: Item[];
    }>();
    expect(images[0]?.previewUrl).toBe(url);
    expect((await follow(url)).status).toBe(200);
    const stranger = await openAccount();
    expect((await call(`/images/${id}`, { headers: bearer(stranger.token) })).status).toBe(403);
    expect(await list(stranger.token)).toEqual([]);
    // The token of one account is invalid for the same id of another.
    expect((await follow(url.replace(account.id, stranger.id))).status).toBe(403);
  });
});

describe("Video previews", () => {
  it("A video's preview is its thumbnail for a day, and no view", async () => {
    const account = await openAccount();
    const { _id, filename } = await uploadOne(account.uploadKey, { name: "clip.mp4", bytes: mp4() });
    expect((await list(account.token))[0]).toMatchObject({
      previewUrl: null,
      thumbnail: "pending",
      durationMs: null,
      compressed: false,
    });
    const key = thumbnailKey(account.id, _id);
    await env.FILES.put(key, thumbnailJpeg(), { httpMetadata: { contentType: "image/jpeg" } });
    await inLibraries(
      "UPDATE uploads SET thumbnail_size_bytes = ?, duration_ms = 12345 WHERE id = ? AND account_id = ?",
      ...[JPEG_BYTES, _id, account.id],
    );
    const [video] = await list(account.token);
    expect(video).toMatchObject({ thumbnail: "ready", durationMs: 12345 });
    const { previewUrl = "" } = video ?? {};
    expect(previewUrl).toMatch(new RegExp(`^https://media\\.example/${key}\\?preview=\\d+\\.[\\w-]{43}$`));
    const before = await readMeter(account.id);
    const answer = await follow(previewUrl ?? "");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("image/jpeg");
    expect(answer.headers.get("Cache-Control")).toBe("private, max-age=86400");
    expect((await answer.arrayBuffer()).byteLength).toBe(JPEG_BYTES);
    expect(await readMeter(account.id)).toEqual(before);
    // The API's own preview URL is for images.
    const path = previewPath(filename);
    const token = await signPreview(env.PREVIEW_SECRET, path, Math.floor(Date.now() / 1000) + 60);
    expect((await call(`/${path}?preview=${token}`)).status).toBe(404);
  });
});
