import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { setVisibility as setRow } from "../../../src/db/library/visibility.ts";
import { keyAs, thumbnailKey, variantsPrefix } from "../../../src/domain/object-key.ts";
import {
  expectConsistent,
  expectNothingLeft,
  leaveIntent,
  meterOf,
  readMeter,
  replaceStores,
  replayIntents,
  replayTwice,
  restoreStores,
  storedKeys,
} from "../../support/api/account-state.ts";
import { bearer, call, callJson, createApiKey, openAccount, openProAccount, uploadOne } from "../../support/api/api.ts";
import { failingDatabases, failingStore, libraryOf } from "../../support/api/databases.ts";
import { makePng } from "../../support/media/make-png.ts";
import { mp4, png } from "../../support/media/samples.ts";
import { asOperator, takeDown } from "../../support/operator/as-operator.ts";
import { find, keysOf, open, setVisibility, sign } from "../../support/private/private-files.ts";
import { move, otherShard } from "../../support/shards/move.ts";
import { made } from "../../support/thumbnails/processor.ts";
import { deliverOne, stored, toVideo } from "../../support/thumbnails/queue.ts";

// Changes of visibility (PRIV-4): in effect when they are answered, for the file, its thumbnail and its variants.

const PRIVATE = { visibility: "private" };

describe("`PATCH /images/:id {visibility}`", () => {
  it("A public file turns private at once, with its variants, and public again", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: await makePng(300, 200) });
    expect(await open(`${result.url}?w=64`)).toBe(200);
    expect(await keysOf(account, result)).toHaveLength(2);
    const hidden = await setVisibility(account.token, result._id, "private");
    expect([hidden.status, await hidden.json()]).toMatchObject([200, { ...PRIVATE, url: result.url }]);
    expect(await open(result.url)).toBe("signature_required");
    expect(await open(`${result.url}?w=64`)).toBe("signature_required");
    expect(await keysOf(account, result)).toEqual([keyAs(result.filename, "private")]);
    const { url } = await sign(account.token, result._id);
    expect(await open(url)).toBe(200);
    expect(await open(`${url}&w=64`)).toBe(200);
    expect((await setVisibility(account.token, result._id, "public")).status).toBe(200);
    expect(await open(result.url)).toBe(200);
    expect(await keysOf(account, result)).toEqual([result.filename]);
    await expectConsistent(account.id);
  });

  it("The bytes, the type and the other metadata stay", async () => {
    const account = await openAccount();
    const bytes = mp4(9 * 1024 * 1024);
    const result = await uploadOne(account.token, { name: "a.mp4", bytes });
    await setVisibility(account.token, result._id, "private");
    const { url } = await sign(account.token, result._id);
    const response = await call(new URL(url).pathname + new URL(url).search);
    expect(response.headers.get("Content-Type")).toBe("video/mp4");
    expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes)).toBe(0);
  });

  it("A video's thumbnail turns private, too", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    await deliverOne(stored(toVideo(account, result)), { processor: () => made() });
    expect(await open(result.thumbnailUrl ?? "")).toBe(200);
    expect((await setVisibility(account.token, result._id, "private")).status).toBe(200);
    expect(await open(result.thumbnailUrl ?? "")).toBe("signature_required");
    const { previewUrl } = await find(account.token, result._id);
    expect(await open(previewUrl ?? "")).toBe(200);
    const thumbnail = thumbnailKey(account.id, result._id);
    expect(await keysOf(account, result)).toEqual([result.filename, thumbnail].map((path) => keyAs(path, "private")));
  });

  it("A change of visibility changes other fields in the same request", async () => {
    const { token } = await openAccount();
    const { _id } = await uploadOne(token, { name: "a.png", bytes: png() });
    const response = await callJson("PATCH", `/images/${_id}`, token, { ...PRIVATE, favorite: true, tags: ["red"] });
    expect(await response.json()).toMatchObject({ ...PRIVATE, favorite: true, tags: ["red"] });
  });

  it("A visibility that the file has already writes nothing", async () => {
    const account = await openAccount();
    const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect((await setVisibility(account.token, _id, "public")).status).toBe(200);
    expect((await readMeter(account.id)).intents).toEqual([]);
    await replayIntents(account.id);
    await expectConsistent(account.id);
  });

  it("Another account's file and an unknown visibility are refused", async () => {
    const [account, stranger] = [await openAccount(), await openAccount()];
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    expect((await setVisibility(stranger.token, result._id, "private")).status).toBe(403);
    expect((await setVisibility(account.token, result._id, "secret" as "private")).status).toBe(400);
    expect(await open(result.url)).toBe(200);
  });
});

describe("`POST /images/bulk-update {visibility}`", () => {
  const change = async (token: string, body: object) => {
    const response = await callJson("POST", "/images/bulk-update", token, body);
    return { status: response.status, ...(await response.json<Record<string, unknown>>()) };
  };

  it("A bulk change of visibility skips changed and foreign uploads, and the answer counts the remaining ones", async () => {
    const [account, stranger] = [await openAccount(), await openAccount()];
    const foreign = await uploadOne(stranger.token, { name: "x.png", bytes: png() });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await uploadOne(account.token, { name: `${n}.png`, bytes: png() }))._id);
    await setVisibility(account.token, ids[0] ?? "", "private");
    const body = { ids: [...ids, foreign._id], ...PRIVATE };
    expect(await change(account.token, body)).toEqual({ status: 200, updated: 2, remaining: 0 });
    expect(await change(account.token, body)).toEqual({ status: 200, updated: 0, remaining: 0 });
    expect(await open(foreign.url)).toBe(200);
    await expectConsistent(account.id);
  });

  it("A bulk change of visibility changes a filter's matches until no cursor is left", async () => {
    const account = await openAccount();
    for (let n = 0; n < 5; n++)
      await uploadOne(account.token, { name: `${n}.png`, bytes: png() }, n < 3 ? { tags: "red" } : {});
    const first = await change(account.token, { filter: { tags: ["red"] }, ...PRIVATE });
    expect(first).toMatchObject({ status: 200, updated: 3, nextCursor: null });
    expect(await change(account.token, { filter: {}, ...PRIVATE })).toMatchObject({ updated: 2, nextCursor: null });
    expect(await change(account.token, { filter: PRIVATE, ...PRIVATE })).toMatchObject({ updated: 0 });
    expect(await change(account.token, { filter: PRIVATE, visibility: "public" })).toMatchObject({ updated: 5 });
    await expectConsistent(account.id);
  });

  it("Excepted ids stay, and a confined key changes only its folder", async () => {
    const account = await openProAccount();
    const outside = await uploadOne(account.token, { name: "a.png", bytes: png() });
    const folder = await (await callJson("POST", "/folders", account.token, { name: "F" })).json<{ _id: string }>();
    const inside = await uploadOne(account.token, { name: "b.png", bytes: png() }, { folderId: folder._id });
    const key = await createApiKey(account.token, ["images:read", "images:write"], { folderId: folder._id });
    const both = { ids: [outside._id, inside._id], ...PRIVATE };
    expect(await change(key.key, both)).toEqual({ status: 200, updated: 1, remaining: 0 });
    expect([await open(outside.url), await open(inside.url)]).toEqual([200, "signature_required"]);
    const rest = { filter: { folderId: "all" }, exceptIds: [outside._id], ...PRIVATE };
    expect(await change(account.token, rest)).toMatchObject({ updated: 0, nextCursor: null });
  });

  it("A bulk change of visibility with another change is 400", async () => {
    const { token } = await openAccount();
    const { _id } = await uploadOne(token, { name: "a.png", bytes: png() });
    for (const other of [{ favorite: true }, { addTags: ["a"] }, { removeTags: ["a"] }, { folderId: null }]) {
      const answer = await change(token, { ids: [_id], ...PRIVATE, ...other });
      expect(answer).toMatchObject({ status: 400, code: "invalid_request" });
    }
  });
});

describe("Interrupted changes", () => {
  const steps = ["file", "thumbnail", "row", "removed", "variants"] as const;

  it.each([
    ["before it began", []],
    ["after the file was copied", ["file"]],
    ["after the thumbnail was copied", ["file", "thumbnail"]],
    ["after its row", ["file", "thumbnail", "row"]],
    ["after the public objects were deleted", ["file", "thumbnail", "row", "removed"]],
    ["at its end", [...steps]],
  ] as [string, (typeof steps)[number][]][])("A change interrupted %s is finished", async (_, done) => {
    const account = await openProAccount();
    const result = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    await deliverOne(stored(toVideo(account, result)), { processor: () => made() });
    const thumbnail = thumbnailKey(account.id, result._id);
    const variant = `${variantsPrefix(account.id, result._id)}thumb-w64-q75.jpg`;
    await env.FILES.put(variant, "a variant");
    const copy = async (path: string) =>
      env.FILES.put(keyAs(path, "private"), (await (await env.FILES.get(path))?.arrayBuffer()) ?? "");
    const does = {
      file: () => copy(result.filename),
      thumbnail: () => copy(thumbnail),
      row: async () => setRow(await libraryOf(account.id), { accountId: account.id, id: result._id }, "private"),
      removed: () => env.FILES.delete([result.filename, thumbnail]),
      variants: () => env.FILES.delete(variant),
    };
    for (const step of done) await does[step]();
    const { _id: uploadId, filename: objectKey } = result;
    await leaveIntent(account.id, { kind: "set-visibility", uploadId, objectKey, visibility: "private" });
    await replayTwice(account.id);
    expect(await keysOf(account, result)).toEqual([result.filename, thumbnail].map((path) => keyAs(path, "private")));
    expect(await find(account.token, result._id)).toMatchObject(PRIVATE);
    const { url } = await sign(account.token, result._id);
    expect(await open(url)).toBe(200);
    expect((await readMeter(account.id)).intents).toEqual([]);
  });

  it("A failing store is 503, and the alarm finishes the change", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await replaceStores(account.id, { FILES: failingStore<R2Bucket>() });
    const response = await setVisibility(account.token, result._id, "private");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await open(result.url)).toBe(200);
    await restoreStores(account.id);
    await replayIntents(account.id);
    expect(await open(result.url)).toBe("signature_required");
    await expectConsistent(account.id);
  });

  it("A failing database leaves the public file until the change is finished", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await replaceStores(account.id, failingDatabases());
    expect((await setVisibility(account.token, result._id, "private")).status).toBe(503);
    expect(await open(result.url)).toBe(200);
    await restoreStores(account.id);
    await replayTwice(account.id);
    expect(await open(result.url)).toBe("signature_required");
    await expectConsistent(account.id);
  });

  it("The second pass removes a public copy and a public variant that were written late", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    await setVisibility(account.token, result._id, "private");
    await env.FILES.put(result.filename, png());
    await env.FILES.put(`${variantsPrefix(account.id, result._id)}w64-q75.png`, "late");
    await replayIntents(account.id);
    expect(await keysOf(account, result)).toEqual([keyAs(result.filename, "private")]);
    await expectConsistent(account.id);
  });
});

describe("Several changes of one file at once", () => {
  it("One of two changes is in effect, completely", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() });
    for (let round = 0; round < 4; round++) {
      const both = (["private", "public", "private"] as const).map((to) =>
        setVisibility(account.token, result._id, to),
      );
      for (const response of await Promise.all(both)) expect(response.status).toBe(200);
      const { visibility } = await find(account.token, result._id);
      expect(await storedKeys(account.id)).toEqual([keyAs(result.filename, visibility)]);
      await replayTwice(account.id);
      await expectConsistent(account.id);
      await setVisibility(account.token, result._id, "public");
    }
  });

  it("A deletion at the same time leaves nothing", async () => {
    for (let round = 0; round < 4; round++) {
      const account = await openAccount();
      const { _id } = await uploadOne(account.token, { name: "a.png", bytes: png() });
      const remove = () => call(`/images/${_id}`, { method: "DELETE", headers: bearer(account.token) });
      const [changed, removed] = await Promise.all([setVisibility(account.token, _id, "private"), remove()]);
      expect([200, 404]).toContain(changed.status);
      expect(removed.status).toBe(200);
      await expectNothingLeft(account.id);
      await replayTwice(account.id);
      await expectNothingLeft(account.id);
    }
  });

  it("A takedown at the same time holds", async () => {
    for (let round = 0; round < 3; round++) {
      const account = await openAccount();
      const result = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 4000 + round) });
      const order = takeDown({ url: result.url });
      await Promise.all([setVisibility(account.token, result._id, "private"), order]);
      expect(await open(result.url)).toBe("taken_down");
      await replayTwice(account.id);
      expect(await open(result.url)).toBe("taken_down");
      expect(await storedKeys(account.id)).toHaveLength(1);
    }
  });

  it("A taken-down file can change, stays taken down, and is restored with its visibility", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png(1, 1, 4100) });
    const { id: takedownId } = await takeDown({ url: result.url });
    expect((await setVisibility(account.token, result._id, "private")).status).toBe(200);
    expect(await open(result.url)).toBe("taken_down");
    await asOperator("DELETE", `takedowns/${takedownId}`, { reason: "mistake" });
    expect(await open(result.url)).toBe("signature_required");
    expect(await open((await sign(account.token, result._id)).url)).toBe(200);
    await replayTwice(account.id);
    await expectConsistent(account.id);
  });

  it("A thumbnail that is made meanwhile is never public", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    const delivered = deliverOne(stored(toVideo(account, result)), {
      processor: async () => {
        expect((await setVisibility(account.token, result._id, "private")).status).toBe(200);
        return made();
      },
    });
    expect(await delivered).toBe("acked");
    expect(await env.FILES.head(thumbnailKey(account.id, result._id))).toBeNull();
    expect(await open((await sign(account.token, result._id)).thumbnailUrl ?? "")).toBe(200);
  });

  it("A change waits for a thumbnail that is being written, and a thumbnail for a change", async () => {
    const account = await openProAccount();
    const result = await uploadOne(account.apiKey, { name: "a.mp4", bytes: mp4(5000) });
    const { _id: uploadId } = result;
    expect(await meterOf(account.id).reserveThumbnail(uploadId, 100)).toBe("reserved");
    const changing = setVisibility(account.token, uploadId, "private");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await open(result.url)).toBe(200);
    await env.FILES.put(thumbnailKey(account.id, uploadId), "a thumbnail");
    await meterOf(account.id).settleThumbnail(uploadId);
    expect((await changing).status).toBe(200);
    expect(await open(result.thumbnailUrl ?? "")).toBe("signature_required");
    const other = await uploadOne(account.apiKey, { name: "b.mp4", bytes: mp4(5000) });
    const change = { uploadId: other._id, objectKey: other.filename, visibility: "private" } as const;
    await leaveIntent(account.id, { kind: "set-visibility", ...change });
    expect(await meterOf(account.id).reserveThumbnail(other._id, 100)).toBe("unsettled");
  });

  it("A library that moves keeps the visibility, and changes afterwards", async () => {
    const account = await openAccount();
    const result = await uploadOne(account.token, { name: "a.png", bytes: png() }, PRIVATE);
    await move(account.email, await otherShard(account.id));
    expect(await find(account.token, result._id)).toMatchObject(PRIVATE);
    expect((await setVisibility(account.token, result._id, "public")).status).toBe(200);
    expect(await open(result.url)).toBe(200);
    expect(await storedKeys(account.id)).toEqual([result.filename]);
  });
});

describe("Large files", () => {
  it("An object beyond R2's limit of one call is copied in parts", async () => {
    const { copyObject } = await import("../../../src/meter/intents/copy-object.ts");
    const [from, to] = [`uploads/copy/${crypto.randomUUID()}`, `private/copy/${crypto.randomUUID()}`];
    const bytes = mp4(12 * 1024 * 1024 + 5);
    const metadata = { httpMetadata: { contentType: "video/mp4" }, customMetadata: { a: "b" } };
    await env.FILES.put(from, bytes, metadata);
    const limits = { maxPutBytes: 1024, partBytes: 5 * 1024 * 1024 };
    expect(await copyObject(env.FILES, from, to, limits)).toBe(true);
    const copy = await env.FILES.get(to);
    expect(copy).toMatchObject(metadata);
    expect(Buffer.compare(new Uint8Array((await copy?.arrayBuffer()) ?? new ArrayBuffer(0)), bytes)).toBe(0);
    expect(await copyObject(env.FILES, `${from}-none`, to, limits)).toBe(false);
  });
});
