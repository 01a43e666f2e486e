import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { keyAs, thumbnailKey } from "../../../src/domain/object-key.ts";
import { expectConsistent, expectNothingLeft, storedKeys } from "../../support/api/account-state.ts";
import { bearer, call, callJson, openAccount, openProAccount, upload, uploadOne } from "../../support/api/api.ts";
import { makePng } from "../../support/media/make-png.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { find, open, pathOf, setVisibility, sign } from "../../support/private/private-files.ts";
import { reconcile } from "../../support/reconcile/reconcile.ts";
import { made, thumbnailJpeg } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";
import { begin, patch } from "../../support/uploads/tus.ts";
import { createToken } from "../../support/uploads/upload-tokens.ts";

// Private files (PRIV-1 to PRIV-3): uploads, signatures, and everything else that reads or removes a file.

const PRIVATE = { visibility: "private" };
const MIB = 1024 * 1024;

describe("Private uploads", () => {
  it("A form's file is private, and its plain URL is refused", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    expect(result).toMatchObject({ visibility: "private", filename: expect.stringMatching(/^uploads\//) });
    expect(await open(result.url)).toBe("signature_required");
    expect(await storedKeys(account.id)).toEqual([keyAs(result.filename, "private")]);
    const { url } = await sign(account.token, result._id);
    expect(await open(url)).toBe(200);
    await expectConsistent(account.id);
  });

  it("A file is public by default", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect(result.visibility).toBe("public");
    expect(await find(account.token, result._id)).toMatchObject({ visibility: "public" });
    expect(await open(result.url)).toBe(200);
  });

  it("A field behind the files moves them before the answer", async () => {
    const account = await openAccount();
    const form = new FormData();
    form.append("file", new File([png()], "a.png"));
    form.append("file", new File([mp4(9 * MIB)], "b.mp4"));
    form.append("visibility", "private");
    const response = await call("/images/upload", { method: "POST", headers: bearer(account.token), body: form });
    expect(response.status).toBe(201);
    const { uploaded } = await response.json<{ uploaded: { url: string; filename: string; visibility: string }[] }>();
    expect(uploaded.map(({ visibility }) => visibility)).toEqual(["private", "private"]);
    for (const { url } of uploaded) expect(await open(url)).toBe("signature_required");
    expect((await storedKeys(account.id)).sort()).toEqual(
      uploaded.map(({ filename }) => keyAs(filename, "private")).sort(),
    );
    await expectConsistent(account.id);
  });

  it("A raw body takes the query's visibility", async () => {
    const { token } = await openAccount();
    const init = { method: "POST", headers: bearer(token), body: png() };
    const response = await call("/images/upload?filename=a.png&visibility=private", init);
    const result = await response.json<{ url: string; visibility: string }>();
    expect([response.status, result.visibility]).toEqual([201, "private"]);
    expect(await open(result.url)).toBe("signature_required");
  });

  it.each([
    ["in one piece", 3000],
    ["in parts", 9 * MIB],
  ])("A resumable upload %s takes the visibility of its metadata", async (_, bytes) => {
    const account = await openAccount();
    const path = await begin(account.token, bytes, PRIVATE);
    const file = mp4(bytes);
    const half = Math.floor(bytes / 2);
    expect((await patch(account.token, path, 0, file.slice(0, half))).status).toBe(204);
    const last = await patch(account.token, path, half, file.slice(half));
    expect(last.status).toBe(200);
    const result = await last.json<{ url: string; visibility: string; filename: string }>();
    expect(result.visibility).toBe("private");
    expect(await open(result.url)).toBe("signature_required");
    expect(await storedKeys(account.id)).toEqual([keyAs(result.filename, "private")]);
    await expectConsistent(account.id);
  });

  it("A cancelled resumable upload leaves nothing", async () => {
    const account = await openAccount();
    const path = await begin(account.token, 9 * MIB, PRIVATE);
    await patch(account.token, path, 0, mp4(9 * MIB).slice(0, 8 * MIB));
    const headers = { ...bearer(account.token), "Tus-Resumable": "1.0.0" };
    expect((await call(path, { method: "DELETE", headers })).status).toBe(204);
    await expectNothingLeft(account.id);
  });

  it.each(["secret", "PRIVATE", "0"])("The visibility %s is 400", async (visibility) => {
    const account = await openAccount();
    const response = await upload(account.token, [{ name: "a.png", bytes: png() }], { visibility });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: "invalid_request", details: { visibility: "Must be public or private" } },
    ]);
    await expectNothingLeft(account.id);
  });

  it("An upload token's visibility is its files', whatever the visitor sends", async () => {
    const account = await openAccount();
    const { token } = await createToken(account.token, PRIVATE);
    expect(await uploadOne(token, { name: "a.png", bytes: png() })).toMatchObject(PRIVATE);
    const insisting = await uploadOne(token, { name: "b.png", bytes: png() }, { visibility: "public" });
    expect(insisting.visibility).toBe("private");
    const open = await createToken(account.token, {});
    expect(await uploadOne(open.token, { name: "c.png", bytes: png() }, PRIVATE)).toMatchObject(PRIVATE);
    await expectConsistent(account.id);
  });
});

describe("Signed URLs", () => {
  it("Signed URLs are valid for an hour by default, and for as long as the request asks", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    const { url, thumbnailUrl, expiresAt } = await sign(account.token, result._id);
    expect(thumbnailUrl).toBeNull();
    expect(url.startsWith(`${result.url}?exp=`)).toBe(true);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 3_600_000)).toBeLessThan(5000);
    expect(new URL(url).searchParams.get("exp")).toBe(String(Date.parse(expiresAt) / 1000));
    const brief = await sign(account.token, result._id, { expiresIn: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await open(brief.url)).toBe("signature_expired");
  });

  it.each([0, -1, 1.5, 604_801, "60", null])("`expiresIn` %s is 400", async (expiresIn) => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    const response = await callJson("POST", `/images/${_id}/sign`, account.token, { expiresIn });
    expect(response.status).toBe(400);
  });

  it("Signed URLs work for a size, for ranges and for `HEAD`", async () => {
    const { token } = await openAccount();
    const result = await uploadOne(token, { name: "a.mp4", bytes: mp4(5000) }, PRIVATE);
    const path = pathOf((await sign(token, result._id)).url);
    const part = await call(path, { headers: { Range: "bytes=10-19" } });
    expect([part.status, part.headers.get("Content-Range")]).toEqual([206, "bytes 10-19/5000"]);
    expect((await part.arrayBuffer()).byteLength).toBe(10);
    const head = await call(path, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "5000"]);
    const etag = head.headers.get("ETag") ?? "";
    expect((await call(path, { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  it("Another account's upload is 403, and an unknown one 404", async () => {
    const [account, stranger] = [await openProAccount(), await openProAccount()];
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    expect((await callJson("POST", `/images/${_id}/sign`, stranger.token, {})).status).toBe(403);
    expect((await callJson("POST", "/images/01hzy3v7k9q4r5s6t7v8w9x0ya/sign", account.token, {})).status).toBe(404);
  });
});

describe("Everything about a private file", () => {
  it("The owner's session sees a private file by uncounted URLs", async () => {
    const { token } = await openAccount();
    const result = await uploadOne(token, { name: "a.png", bytes: await makePng(300, 200) }, PRIVATE);
    const { previewUrl, viewUrl } = await find(token, result._id);
    expect(await open(viewUrl)).toBe(200);
    const preview = await call(pathOf(previewUrl ?? ""));
    expect([preview.status, preview.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
    await preview.arrayBuffer();
  });

  it("A private video gets a thumbnail that a signature opens", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) }, PRIVATE);
    expect(await deliverOne(stored(toVideo(account, result)), { processor: () => made() })).toBe("acked");
    expect(await open(result.thumbnailUrl ?? "")).toBe("signature_required");
    const { thumbnailUrl } = await sign(account.apiKey, result._id);
    const response = await call(pathOf(thumbnailUrl ?? ""));
    expect(response.status).toBe(200);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(thumbnailJpeg());
    expect(await env.FILES.head(thumbnailKey(account.id, result._id))).toBeNull();
    const { previewUrl } = await find(account.token, result._id);
    expect(await open(previewUrl ?? "")).toBe(200);
  });

  it("A private file's deletion leaves nothing", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: await makePng(300, 200) }, PRIVATE);
    const { url } = await sign(account.token, result._id);
    expect(await open(`${url}&w=64`)).toBe(200);
    const response = await call(`/images/${result._id}`, { method: "DELETE", headers: bearer(account.token) });
    expect(response.status).toBe(200);
    expect(await open(url)).toBe("file_not_found");
    expect(await open(`${url}&w=64`)).toBe("file_not_found");
    await expectNothingLeft(account.id);
  });

  it("The list is filtered by visibility, alone and together with others", async () => {
    const { token } = await openAccount();
    const hidden = await uploadOne(token, { name: "a.png", bytes: png() }, { ...PRIVATE, tags: "red" });
    await uploadOne(token, { name: "b.png", bytes: png() }, { tags: "red" });
    await uploadOne(token, { name: "c.png", bytes: png() }, PRIVATE);
    const ids = async (query: string) => {
      const { images, pagination } = await (await call(`/images?${query}`, { headers: bearer(token) })).json<{
        images: { _id: string }[];
        pagination: { total: number };
      }>();
      expect(pagination.total).toBe(images.length);
      return images.map(({ _id }) => _id);
    };
    expect(await ids("visibility=private")).toHaveLength(2);
    expect(await ids("visibility=public")).toHaveLength(1);
    expect(await ids("visibility=private&tags=red")).toEqual([hidden._id]);
    expect(await ids("visibility=private&q=a.png")).toEqual([hidden._id]);
    expect(await ids("visibility=private&favorite=true")).toEqual([]);
    expect((await call("/images?visibility=secret", { headers: bearer(token) })).status).toBe(400);
  });

  it("An export names the visibility", async () => {
    const { token } = await openAccount();
    await uploadOne(token, { name: "a.png", bytes: png() }, PRIVATE);
    const text = await (await call("/account/export", { headers: bearer(token) })).text();
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; visibility?: string });
    expect(lines.filter(({ type }) => type === "upload").map(({ visibility }) => visibility)).toEqual(["private"]);
  });

  it("The nightly comparison finds nothing wrong, and a stray public copy", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    const video = await uploadOne(account.apiKey, { name: "b.mp4", bytes: mp4(5000) }, PRIVATE);
    await deliverOne(stored(toVideo(account, video)), { processor: () => made() });
    expect((await reconcile(account.id, false)).findings).toEqual([]);
    await env.FILES.put(result.filename, png());
    await env.FILES.put(thumbnailKey(account.id, video._id), "a thumbnail");
    const subjects = (await reconcile(account.id, true)).findings.map(({ subject }) => subject);
    expect(subjects.sort()).toEqual([result.filename, thumbnailKey(account.id, video._id)].sort());
    expect((await reconcile(account.id, false)).findings).toEqual([]);
    expect(await storedKeys(account.id)).toHaveLength(3);
  });

  it("An erased account leaves no private object", async () => {
    const account = await openAccount();
    await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    await setVisibility(
      account.token,
      (await uploadOne(account.token, { name: "b.png", bytes: png() }))._id,
      "private",
    );
    const response = await callJson("DELETE", "/account", account.token, { password: account.password });
    expect(response.status).toBeLessThan(300);
    expect(await storedKeys(account.id)).toEqual([]);
  });
});
