import { beforeEach, describe, expect, it } from "vitest";
import { fileKey, movedKey, objectUrl, thumbnailKey } from "../../src/domain/object-key.ts";
import { toMark } from "../../src/domain/takedown.ts";
import { cdnEnv, observe, patternBytes, signedQuery, store } from "./harness.ts";

// Earlier URLs of a file whose bytes were replaced (REPL-2).

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x3mv";
const ORIGIN = "https://cdn.example.com";
const BYTES = patternBytes(3000);

let uploads = 0;
let uploadId: string;
let former: string;
let present: string;

beforeEach(async () => {
  uploadId = `01hzy3v7k9q4r5s6t7v8zb${String(uploads++).padStart(4, "0")}`;
  former = fileKey(ACCOUNT_ID, uploadId, "a b.png");
  present = fileKey(ACCOUNT_ID, `${uploadId}.0123abcd`, "naïve c.png");
  await cdnEnv.FILES.put(movedKey(ACCOUNT_ID, uploadId), present);
});

async function get(key: string, query = "", init: RequestInit = {}) {
  const { response, body, operations, views } = await observe(objectUrl(ORIGIN, key) + query, init);
  const { status, headers } = response;
  const isJson = headers.get("Content-Type") === "application/json" && body.length > 0;
  const { code } = isJson ? JSON.parse(new TextDecoder().decode(body)) : { code: undefined };
  const [location, cache] = [headers.get("Location"), headers.get("Cache-Control")];
  return { status, code, location, cache, operations, views: views.length, length: body.length };
}

const pathOf = (key: string) => objectUrl("", key);

describe("An earlier URL of a public file", () => {
  beforeEach(() => store(present, BYTES, "image/png"));

  it.each(["GET", "HEAD"])(
    "%s leads to the present URL, which the answer's cache keeps as long as a file",
    async (method) => {
      const answer = await get(former, "", { method });
      const cache = "public, max-age=300, no-transform";
      expect(answer).toMatchObject({ status: 307, location: pathOf(present), cache, views: 0, length: 0 });
      expect(answer.operations).toEqual([method === "GET" ? "get" : "head", "head", "get", "head"]);
      expect((await get(present)).status).toBe(200);
    },
  );

  it("Ranges, conditions and queries go to the present URL", async () => {
    for (const headers of [{ Range: "bytes=0-9" }, { "If-None-Match": '"x"' }, { "If-Match": '"x"' }] as Record<
      string,
      string
    >[])
      expect(await get(former, "", { headers })).toMatchObject({ status: 307, location: pathOf(present) });
    for (const query of ["?w=64", "?download=1", "?a=%20b"])
      expect(await get(former, query)).toMatchObject({ status: 307, location: pathOf(present) + query });
  });

  it("An earlier version leads there, too", async () => {
    const version = fileKey(ACCOUNT_ID, `${uploadId}.zzzzzzzz`, "b.png");
    expect(await get(version)).toMatchObject({ status: 307, location: pathOf(present) });
  });

  it("The earlier URL of a thumbnail leads to the present thumbnail, if there is one", async () => {
    const thumbnail = thumbnailKey(ACCOUNT_ID, `${uploadId}.0123abcd`);
    const earlier = thumbnailKey(ACCOUNT_ID, uploadId);
    expect(await get(earlier)).toMatchObject({ status: 404, code: "file_not_found" });
    await store(thumbnail, BYTES, "image/jpeg");
    expect(await get(earlier)).toMatchObject({ status: 307, location: pathOf(thumbnail) });
  });
});

describe("Other files", () => {
  it("A deleted file is 404 at every URL, and no URL leads to itself", async () => {
    expect(await get(former)).toMatchObject({ status: 404, code: "file_not_found" });
    expect(await get(present)).toMatchObject({ status: 404, code: "file_not_found" });
  });

  it("A file that was taken down is 451 at its earlier URLs", async () => {
    await cdnEnv.FILES.put(present, "", { customMetadata: toMark("t1") });
    expect(await get(former)).toMatchObject({ status: 451, code: "taken_down" });
  });

  it("No URL names the object that leads to the present URL", async () => {
    expect(await get(movedKey(ACCOUNT_ID, uploadId))).toMatchObject({ status: 404 });
  });
});

describe("An earlier URL of a private file", () => {
  beforeEach(() => store(present, BYTES, "image/png", "private"));

  it("An earlier URL of a private file is 403 without a signature, and does not show the present URL", async () => {
    expect(await get(former)).toMatchObject({ status: 403, code: "signature_required", location: null });
    expect(await get(former, "?exp=9999999999&sig=a.b")).toMatchObject({ status: 403, location: null });
  });

  it("The signature leads to the present URL, and no cache keeps that", async () => {
    const query = `?${await signedQuery(former)}`;
    const answer = await get(former, query);
    expect(answer).toMatchObject({ status: 307, location: pathOf(present) + query, views: 0 });
    expect(answer.cache).toBe("private, no-store, no-transform");
    expect((await get(present, query)).status).toBe(200);
    expect(await get(former, `?${await signedQuery(former, 1)}`)).toMatchObject({
      status: 403,
      code: "signature_expired",
    });
  });
});
