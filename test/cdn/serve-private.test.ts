import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FileRules } from "../../src/domain/file-rules.ts";
import { deriveServiceKey, signFile } from "../../src/domain/file-signature.ts";
import { fileKey, keyAs, objectUrl, thumbnailKey, variantsPrefix } from "../../src/domain/object-key.ts";
import { signPreview } from "../../src/domain/preview-token.ts";
import { toMark } from "../../src/domain/takedown.ts";
import { deriveSigningKey } from "../../src/domain/variants/signed-url.ts";
import { makePng } from "../support/media/make-png.ts";
import { cdnEnv, observe, patternBytes, setRules, signedQuery, store } from "./harness.ts";

// Private files (PRIV-1 to PRIV-3): their objects have keys that no URL reaches, and a signature opens them.

const ACCOUNT_ID = "01hzy3v7k9q4r5s6t7v8w9x3pr";
const BYTES = patternBytes(3000);
const HOUR = 3600;

let uploads = 0;
let uploadId: string;
let objectKey: string;
let url: string;

beforeEach(async () => {
  uploadId = `01hzy3v7k9q4r5s6t7v8z9${String(uploads++).padStart(4, "0")}`;
  objectKey = fileKey(ACCOUNT_ID, uploadId, "secret.mp4");
  await store(objectKey, BYTES, "video/mp4", "private");
  await changeRules({});
});

/** Each zone has its own cache, so that no request sees earlier rules. */
async function changeRules(rules: FileRules): Promise<void> {
  await setRules(ACCOUNT_ID, rules);
  url = objectUrl(`https://${crypto.randomUUID()}.example.com`, objectKey);
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

async function get(query = "", init: RequestInit = {}, of = url) {
  const { response, body, operations, views } = await observe(query === "" ? of : `${of}?${query}`, init);
  const { status, headers } = response;
  const isJson = headers.get("Content-Type") === "application/json" && body.length > 0;
  const { code } = isJson ? JSON.parse(new TextDecoder().decode(body)) : { code: undefined };
  return { status, code, body, operations, views: views.length, cache: headers.get("Cache-Control"), headers };
}

async function keyQuery(keyId: string, expires = nowSeconds() + HOUR): Promise<string> {
  const key = await deriveSigningKey(cdnEnv.URL_SIGNING_SECRET, ACCOUNT_ID, keyId);
  return signFile(key, { accountId: ACCOUNT_ID, uploadId, expires });
}

describe("The plain URL of a private file", () => {
  it.each(["GET", "HEAD"])("%s is 403 `signature_required`, with a second operation", async (method) => {
    const answer = await get("", { method });
    expect(answer).toMatchObject({ status: 403, cache: "no-store", views: 0 });
    expect(answer.operations).toEqual([method === "GET" ? "get" : "head", "head"]);
    if (method === "GET") expect(answer.code).toBe("signature_required");
  });

  it("The plain URL of a private file is 403 for every kind of request", async () => {
    const kinds: Record<string, string>[] = [{ Range: "bytes=0-9" }, { "If-None-Match": "*" }, { "If-Match": "*" }];
    for (const headers of kinds) {
      expect(await get("", { headers })).toMatchObject({ status: 403, code: "signature_required" });
    }
    expect(await get("w=100")).toMatchObject({ status: 403, code: "signature_required" });
    expect(await get("download=1")).toMatchObject({ status: 403, code: "signature_required" });
  });

  it("A browser gets a page", async () => {
    const { status, headers } = await get("", { headers: { "Sec-Fetch-Dest": "document" } });
    expect(status).toBe(403);
    expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  });

  it("No URL names the key of a private file", async () => {
    const origin = new URL(url).origin;
    for (const path of [`private/${objectKey}`, `uploads/../private/${objectKey}`, `private%2F${objectKey}`])
      expect((await get("", {}, `${origin}/${path}`)).status).toBe(404);
  });

  it("A file that does not exist stays 404", async () => {
    const gone = objectUrl(new URL(url).origin, fileKey(ACCOUNT_ID, `${uploadId.slice(0, -1)}z`, "none.mp4"));
    expect(await get("", {}, gone)).toMatchObject({ status: 404, code: "file_not_found" });
    expect(await get(await signedQuery(objectKey), {}, gone)).toMatchObject({ status: 404, code: "file_not_found" });
  });

  it("A private file that was taken down is 451", async () => {
    await cdnEnv.FILES.put(keyAs(objectKey, "private"), "", { customMetadata: toMark("t1") });
    expect(await get()).toMatchObject({ status: 451, code: "taken_down" });
    expect(await get(await signedQuery(objectKey))).toMatchObject({ status: 451, code: "taken_down" });
  });
});

describe("The signature of the service", () => {
  it("The service's signature opens a private file with one operation, and the view counts", async () => {
    const { status, body, operations, views, cache } = await get(await signedQuery(objectKey));
    expect({ status, operations, views, cache }).toEqual({
      status: 200,
      operations: ["get"],
      views: 1,
      cache: "private, max-age=300, no-transform",
    });
    expect(body).toEqual(BYTES);
  });

  it("Only the browser caches the file, and no longer than the signature is valid", async () => {
    const { cache } = await get(await signedQuery(objectKey, nowSeconds() + 100));
    const age = Number(/^private, max-age=(\d+), no-transform$/.exec(cache ?? "")?.[1]);
    expect(age).toBeGreaterThan(90);
    expect(age).toBeLessThanOrEqual(100);
  });

  it("The service's signature opens the thumbnail, which caches keep no longer than the signature is valid", async () => {
    const thumbnail = thumbnailKey(ACCOUNT_ID, uploadId);
    await store(thumbnail, patternBytes(500), "image/jpeg", "private");
    const at = objectUrl(new URL(url).origin, thumbnail);
    expect(await get("", {}, at)).toMatchObject({ status: 403, code: "signature_required" });
    const { status, cache, operations } = await get(await signedQuery(objectKey), {}, at);
    expect({ status, operations }).toEqual({ status: 200, operations: ["get"] });
    const age = Number(/^private, max-age=(\d+)$/.exec(cache ?? "")?.[1]);
    expect(age).toBeGreaterThan(HOUR - 10);
    expect(age).toBeLessThanOrEqual(HOUR);
  });

  it("A signature that has expired is 403 `signature_expired`", async () => {
    const expired = await signedQuery(objectKey, nowSeconds() - 1);
    expect(await get(expired)).toMatchObject({ status: 403, code: "signature_expired", views: 0 });
  });

  it.each([
    ["another end", (query: string) => query.replace(/exp=\d+/, `exp=${nowSeconds() + 2 * HOUR}`)],
    ["another mac", (query: string) => query.replace(/.(?=.{10}$)/, (char) => (char === "A" ? "B" : "A"))],
    ["no mac", (query: string) => query.replace(/\..*$/, "")],
    ["no end", (query: string) => query.replace(/exp=\d+&/, "")],
    ["an end that is no number", (query: string) => query.replace(/exp=\d+/, "exp=1e10")],
    ["an end of many digits", (query: string) => query.replace(/exp=\d+/, `exp=${"9".repeat(400)}`)],
    ["an earlier second end", (query: string) => `exp=${nowSeconds() + 9 * HOUR}&${query}`],
    ["an empty signature", (query: string) => query.replace(/sig=.*$/, "sig=")],
    ["a signature that is no base64", (query: string) => query.replace(/\..*$/, `.${"%25".repeat(43)}`)],
  ])("A signature with %s is 403 `invalid_signature`", async (_, spoil) => {
    const spoilt = spoil(await signedQuery(objectKey));
    expect(await get(spoilt)).toMatchObject({ status: 403, code: "invalid_signature", views: 0 });
  });

  it("A signature opens no other upload, and no file of another account", async () => {
    const otherUpload = fileKey(ACCOUNT_ID, "01hzy3v7k9q4r5s6t7v8z9zzzz", "secret.mp4");
    const otherAccount = fileKey("01hzy3v7k9q4r5s6t7v8w9x3ps", uploadId, "secret.mp4");
    for (const other of [otherUpload, otherAccount]) {
      await store(other, BYTES, "video/mp4", "private");
      const at = objectUrl(new URL(url).origin, other);
      expect(await get(await signedQuery(objectKey), {}, at)).toMatchObject({ status: 403, code: "invalid_signature" });
    }
  });

  it("A rotated secret still opens files, and an unknown one does not", async () => {
    const expires = nowSeconds() + HOUR;
    const file = { accountId: ACCOUNT_ID, uploadId, expires };
    const older = await signFile(await deriveServiceKey("an older secret", ACCOUNT_ID), file);
    expect(await get(older)).toMatchObject({ status: 403 });
    const { response } = await observe(`${url}?${older}`, {}, { URL_SIGNING_SECRET_2: "an older secret" });
    expect(response.status).toBe(200);
  });
});

describe("The signature of a signing key", () => {
  const [KEY, OTHER] = ["01hzy3v7k9q4r5s6t7v8w9x0k1", "01hzy3v7k9q4r5s6t7v8w9x0k2"];

  it("The key opens the file while the account's rules list it", async () => {
    await changeRules({ signingKeys: { [KEY]: "site", [OTHER]: "app" } });
    expect(await get(await keyQuery(KEY))).toMatchObject({ status: 200, operations: ["get"], views: 1 });
    expect(await get(await keyQuery(OTHER))).toMatchObject({ status: 200 });
    await changeRules({ signingKeys: { [OTHER]: "app" } });
    expect(await get(await keyQuery(KEY))).toMatchObject({ status: 403, code: "invalid_signature" });
    expect(await get(await keyQuery(OTHER))).toMatchObject({ status: 200 });
  });

  it("An account without signing keys accepts only the service's signatures", async () => {
    await changeRules({});
    expect(await get(await keyQuery(KEY))).toMatchObject({ status: 403, code: "invalid_signature" });
    expect(await get(await signedQuery(objectKey))).toMatchObject({ status: 200 });
  });

  it("A signing key with the account's id does not exist", async () => {
    await changeRules({ signingKeys: { [KEY]: "site" } });
    const forged = (await keyQuery(KEY)).replace(KEY, ACCOUNT_ID);
    expect(await get(forged)).toMatchObject({ status: 403, code: "invalid_signature" });
  });
});

describe("Rules of the account", () => {
  it("Suspension and hotlink rules apply to signed URLs", async () => {
    const query = await signedQuery(objectKey);
    await changeRules({ suspended: true });
    expect(await get(query)).toMatchObject({ status: 403, code: "files_suspended" });
    await changeRules({ hotlink: { allowedHosts: ["example.org"], allowEmptyReferer: false } });
    expect(await get(query)).toMatchObject({ status: 403, code: "hotlink_refused" });
    const fromPage = await get(query, { headers: { Referer: "https://example.org/a" } });
    expect(fromPage.status).toBe(200);
  });
});

describe("A public file with a signature", () => {
  let plain: string;
  let key: string;

  beforeAll(async () => {
    key = fileKey(ACCOUNT_ID, "01hzy3v7k9q4r5s6t7v8y90000", "open.mp4");
    ({ url: plain } = await store(key, BYTES, "video/mp4"));
  });

  it("A bad or expired signature does not matter", async () => {
    for (const query of ["exp=1&sig=x", await signedQuery(key, nowSeconds() - 1), "sig="]) {
      const answer = await get(query, {}, plain);
      expect(answer).toMatchObject({ status: 200, operations: ["get"], cache: "public, max-age=300, no-transform" });
    }
  });

  it("A valid signature opens a public file, which costs a second operation", async () => {
    const answer = await get(await signedQuery(key), {}, plain);
    expect(answer).toMatchObject({ status: 200, operations: ["get", "get"], views: 1 });
    expect(answer.cache).toBe("public, max-age=300, no-transform");
  });

  it("A view without parameters costs one operation", async () => {
    expect(await get("", {}, plain)).toMatchObject({ status: 200, operations: ["get"] });
  });
});

describe("The service's own URLs", () => {
  it("The dashboard's token opens a private file, uncounted", async () => {
    const token = await signPreview(cdnEnv.PREVIEW_SECRET, objectKey, nowSeconds() + 60);
    const answer = await get(`preview=${token}`);
    expect(answer).toMatchObject({ status: 200, views: 0, cache: "private, no-store, no-transform" });
    expect(await get("preview=1.x")).toMatchObject({ status: 403, code: "signature_required" });
  });

  it("The token still opens the file beyond its limit, and the view counts", async () => {
    const token = await signPreview(cdnEnv.PREVIEW_SECRET, objectKey, nowSeconds() + 60);
    const SIGNED_READS_BY_FILE = { limit: async () => ({ success: false }) };
    const { response, views } = await observe(`${url}?preview=${token}`, {}, { SIGNED_READS_BY_FILE });
    expect([response.status, views.length]).toEqual([200, 1]);
  });
});

describe("Variants of a private picture", () => {
  let query: string;

  beforeEach(async () => {
    objectKey = fileKey(ACCOUNT_ID, uploadId, "picture.png");
    url = objectUrl(new URL(url).origin, objectKey);
    await store(objectKey, await makePng(300, 200), "image/png", "private");
    query = await signedQuery(objectKey);
  });

  const stored = async () => {
    const prefix = variantsPrefix(ACCOUNT_ID, uploadId);
    return (await cdnEnv.FILES.list({ prefix })).objects.map(({ key }) => key.slice(prefix.length));
  };

  it("The signature opens them. They are stored apart from public ones", async () => {
    expect(await get("w=64")).toMatchObject({ status: 403, code: "signature_required" });
    expect(await stored()).toEqual([]);
    const made = await get(`w=64&${query}`);
    expect(made).toMatchObject({ status: 200, views: 1 });
    expect(made.cache).toBe("private, max-age=300, no-transform");
    expect(await stored()).toEqual([expect.stringMatching(/^private\/w64/)]);
    expect(await get(`${query}&w=64`)).toMatchObject({ status: 200, operations: ["get"] });
    expect(await get("w=64")).toMatchObject({ status: 403, code: "signature_required" });
  });

  it("A variant is not stored if the file turns public or private while it is made", async () => {
    const maker = cdnEnv.VARIANT_MAKER.getByName(uploadId);
    const source = {
      accountId: ACCOUNT_ID,
      uploadId,
      fileKey: objectKey,
      objectKey: `${variantsPrefix(ACCOUNT_ID, uploadId)}w64-q75.png`,
    };
    const order = { type: "variant.ordered" as const, ...source, sourceKey: objectKey, mimeType: "image/png" };
    const make = { width: 64, height: undefined } as never;
    const image = { contentType: "image/png", sizeBytes: 3, isFirstFrame: false };
    const body = new Response(new Uint8Array(3)).body as ReadableStream<Uint8Array>;
    expect(await maker.keep({ ...order, make }, image, body)).toBe("gone");
    expect(await stored()).toEqual([]);
  });

  it("The owner's rule for variants holds beside the signature", async () => {
    await changeRules({ variants: "presets", presets: { card: "w=64&h=64&fit=crop" } });
    expect(await get(`w=64&${query}`)).toMatchObject({ status: 403, code: "variant_refused" });
    expect(await get(`p=card&${query}`)).toMatchObject({ status: 200 });
    expect(await get("p=card")).toMatchObject({ status: 403, code: "signature_required" });
  });
});
