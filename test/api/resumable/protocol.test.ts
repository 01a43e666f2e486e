import { beforeAll, describe, expect, it } from "vitest";
import { expectNothingLeft, readMeter, setStorageBytes, setUsedTenths } from "../../support/api/account-state.ts";
import { bearer, call, openAccount, type TestAccount } from "../../support/api/api.ts";
import { mp4 } from "../../support/media/samples.ts";
import { begin, create, head, metadata, OFFSET_TYPE, offsetOf, patch, remove, TUS } from "../../support/uploads/tus.ts";

// tus 1.0.0, clause by clause.

const UNKNOWN = "/images/upload/01arz3ndektsv4rrffq69g5fav";

let account: TestAccount;
let token: string;

beforeAll(async () => {
  account = await openAccount("business");
  token = account.token;
});

describe("OPTIONS", () => {
  it("OPTIONS has version, extensions and the largest upload, and allows every method and header", async () => {
    for (const path of ["/images/upload", UNKNOWN]) {
      const { status, headers } = await call(path, {
        method: "OPTIONS",
        headers: { "Access-Control-Request-Headers": "tus-resumable,x-more", "Access-Control-Request-Method": "PATCH" },
      });
      expect(status).toBe(204);
      expect(headers.get("Tus-Resumable")).toBe("1.0.0");
      expect(headers.get("Tus-Version")).toBe("1.0.0");
      expect(headers.get("Tus-Extension")).toBe(
        "creation,creation-with-upload,creation-defer-length,expiration,termination",
      );
      expect(Number(headers.get("Tus-Max-Size"))).toBeGreaterThan(48 * 1024 ** 3);
      expect(headers.get("Access-Control-Allow-Methods")).toContain("PATCH");
      expect(headers.get("Access-Control-Allow-Headers")).toContain("x-more");
      expect(headers.get("Access-Control-Expose-Headers")).toContain("Upload-Offset");
    }
  });
});

describe("Creation", () => {
  it.each<[string, Record<string, string>, number, string]>([
    ["without a length", {}, 400, "Upload-Length"],
    ["with a negative length", { "Upload-Length": "-1" }, 400, "Upload-Length"],
    ["with a fraction", { "Upload-Length": "1.5" }, 400, "Upload-Length"],
    ["with an empty length", { "Upload-Length": "" }, 400, "Upload-Length"],
    ["with an exponent", { "Upload-Length": "1e3" }, 400, "Upload-Length"],
    ["of nothing", { "Upload-Length": "0" }, 400, "empty"],
    ["with both kinds of length", { "Upload-Length": "5", "Upload-Defer-Length": "1" }, 400, "Upload-Defer-Length"],
    ["with an odd deferral", { "Upload-Defer-Length": "2" }, 400, "Upload-Defer-Length"],
    ["above the maximum", { "Upload-Length": "99999999999999" }, 413, "maxBytes"],
    ["above the storage", { "Upload-Length": String(60 * 1024 ** 3), "X-Tier": "free" }, 413, "reservedBytes"],
    ["with a key twice", { "Upload-Length": "5", "Upload-Metadata": "a YQ==,a YQ==" }, 400, "twice"],
    ["with no base64", { "Upload-Length": "5", "Upload-Metadata": "filename a.mp4" }, 400, "base64"],
    ["with base64 without padding", { "Upload-Length": "5", "Upload-Metadata": "filename YQ" }, 400, "base64"],
    ["with a key without a name", { "Upload-Length": "5", "Upload-Metadata": "a YQ==,," }, 400, "Upload-Metadata"],
    ["with a name that is not UTF-8", { "Upload-Length": "5", "Upload-Metadata": "filename /w==" }, 400, "UTF-8"],
    ["with too much to say", { "Upload-Length": "5", "Upload-Metadata": `a ${"YWFh".repeat(4000)}` }, 400, "12288"],
    ["of a part that is to be joined", { "Upload-Length": "5", "Upload-Concat": "partial" }, 400, "Upload-Concat"],
    ["of others joined", { "Upload-Concat": `final;${UNKNOWN} ${UNKNOWN}` }, 400, "Upload-Concat"],
    ["with an unknown folder", { "Upload-Length": "5", "Upload-Metadata": metadata({ folderId: "x" }) }, 404, "Folder"],
    ["with another version", { "Upload-Length": "5", "Tus-Resumable": "0.2.2" }, 412, "1.0.0"],
  ])("A creation %s is refused", async (_, headers, status, word) => {
    const holder = headers["X-Tier"] === "free" ? (await openAccount()).token : token;
    const response = await create(holder, headers);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(word)]);
    expect(response.headers.get("Tus-Resumable")).toBe("1.0.0");
    if (status === 412) expect(response.headers.get("Tus-Version")).toBe("1.0.0");
  });

  it("A creation answers its URL and expiry, and HEAD returns its metadata", async () => {
    const said = { "Upload-Length": "5000", "Upload-Metadata": `${metadata({ filename: "é.mp4", x: "" })},flag` };
    const created = await create(token, said);
    expect([created.status, await created.text()]).toEqual([201, ""]);
    const path = created.headers.get("Location") ?? "";
    expect(path).toMatch(/^\/images\/upload\/[0-9a-z]{26}$/);
    const inHours = (Date.parse(created.headers.get("Upload-Expires") ?? "") - Date.now()) / 3_600_000;
    expect(inHours).toBeGreaterThan(23.9);
    const shown = await head(token, path);
    expect(shown.status).toBe(200);
    expect(shown.headers.get("Upload-Offset")).toBe("0");
    expect(shown.headers.get("Upload-Length")).toBe("5000");
    expect(shown.headers.get("Upload-Metadata")).toBe(said["Upload-Metadata"]);
    expect(shown.headers.get("Cache-Control")).toBe("no-store");
    expect(shown.headers.get("Tus-Resumable")).toBe("1.0.0");
  });

  it("A creation is 429 without operations left, and 400 beyond a hundred unfinished uploads", async () => {
    const other = await openAccount("business");
    await setUsedTenths(other.id, 5_000_000 * 10);
    expect((await create(other.token, { "Upload-Length": "5" })).status).toBe(429);
    await setUsedTenths(other.id, 0);
    for (let count = 0; count < 100; count++) await begin(other.token, 5);
    expect((await create(other.token, { "Upload-Length": "5" })).status).toBe(400);
  });
});

describe("PATCH", () => {
  it.each<[string, Record<string, string>, number]>([
    ["of another type", { "Content-Type": "application/octet-stream" }, 415],
    ["without an offset", { "Upload-Offset": "" }, 400],
    ["with a malformed offset", { "Upload-Offset": "-5" }, 400],
    ["at an offset before the end", { "Upload-Offset": "50" }, 409],
    ["at an offset behind the end", { "Upload-Offset": "150" }, 409],
    ["of another version", { "Tus-Resumable": "2.0.0" }, 412],
  ])("A PATCH %s is refused, and changes nothing", async (_, headers, status) => {
    const path = await begin(token, 1000);
    await patch(token, path, 0, mp4(100));
    const response = await patch(token, path, 100, "abc", headers);
    expect(response.status).toBe(status);
    if (status === 409) expect(response.headers.get("Upload-Offset")).toBe("100");
    expect(await offsetOf(token, path)).toBe(100);
  });

  it("A PATCH without bytes is answered with the offset", async () => {
    const path = await begin(token, 1000);
    const response = await patch(token, path, 0, "");
    expect([response.status, response.headers.get("Upload-Offset")]).toEqual([204, "0"]);
  });

  it("A PATCH beyond the length is refused, and no byte after the length is kept", async () => {
    const path = await begin(token, 1000);
    expect((await patch(token, path, 0, mp4(1001))).status).toBe(413);
    expect(await offsetOf(token, path)).toBe(0);
    const endless = new ReadableStream({
      start(controller) {
        controller.enqueue(mp4(600));
        controller.enqueue(mp4(600));
        controller.close();
      },
    });
    expect((await patch(token, path, 0, endless)).status).toBe(413);
    expect(await offsetOf(token, path)).toBeLessThan(1000);
  });

  it("A PATCH as a POST with its method in a header is the same", async () => {
    const path = await begin(token, 1000);
    const post = (method: string, more: Record<string, string>, body: BodyInit | null) =>
      call(path, {
        method: "POST",
        headers: { ...bearer(token), ...TUS, "X-HTTP-Method-Override": method, ...more },
        body,
      });
    expect((await post("PATCH", { ...OFFSET_TYPE, "Upload-Offset": "0" }, mp4(100))).status).toBe(204);
    expect((await post("HEAD", {}, null)).headers.get("Upload-Offset")).toBe("100");
    expect((await post("DELETE", {}, null)).status).toBe(204);
    expect((await call(path, { method: "POST", headers: bearer(token) })).status).toBe(405);
  });

  it("A PATCH with no image or video is 415, and nothing is left of the upload", async () => {
    const other = await openAccount();
    for (const length of [100, 20_000_000]) {
      const path = await begin(other.uploadKey, length);
      const response = await patch(other.uploadKey, path, 0, new Uint8Array(Math.min(length, 200_000)).fill(65));
      expect([response.status, await response.json()]).toMatchObject([
        415,
        { details: { supported: expect.anything() } },
      ]);
      expect((await head(other.uploadKey, path)).status).toBe(404);
    }
    expect(
      (await (await call("/images/upload", { headers: bearer(other.token) })).json<{ uploads: [] }>()).uploads,
    ).toEqual([]);
    await expectNothingLeft(other.id);
    expect(await readMeter(other.id)).toMatchObject({ usedTenths: 0, storageBytes: 0 });
  });
});

describe("DELETE", () => {
  it("DELETE ends an upload; unknown, deleted and foreign uploads are 404 for every method", async () => {
    const path = await begin(token, 30_000_000);
    await patch(token, path, 0, mp4(10_000_000));
    const stranger = await openAccount();
    for (const [holder, at] of [
      [stranger.uploadKey, path],
      [token, UNKNOWN],
    ] as const) {
      expect((await head(holder, at)).status).toBe(404);
      expect((await patch(holder, at, 0, "a")).status).toBe(404);
      expect((await remove(holder, at)).status).toBe(404);
    }
    const removed = await remove(token, path);
    expect([removed.status, removed.headers.get("Tus-Resumable")]).toEqual([204, "1.0.0"]);
    expect((await head(token, path)).status).toBe(404);
    expect((await patch(token, path, 0, "a")).status).toBe(404);
    expect((await remove(token, path)).status).toBe(404);
  });

  it("DELETE of a finished upload is 404 and keeps the file; a deleted file's upload is unknown", async () => {
    const path = await begin(token, 500);
    await patch(token, path, 0, mp4(500));
    expect((await remove(token, path)).status).toBe(404);
    expect((await head(token, path)).status).toBe(200);
    const id = path.split("/").at(-1);
    expect((await call(`/images/${id}`, { method: "DELETE", headers: bearer(token) })).status).toBe(200);
    expect((await head(token, path)).status).toBe(404);
  });
});

describe("Storage", () => {
  it("An upload reserves its whole length; another that does not fit is 413 until it ends", async () => {
    const other = await openAccount();
    const limit = 1024 ** 3;
    await setStorageBytes(other.id, limit - 5000);
    const path = await begin(other.uploadKey, 4000);
    const refused = await create(other.uploadKey, { "Upload-Length": "2000" });
    expect([refused.status, await refused.json()]).toMatchObject([413, { details: { reservedBytes: 4000 } }]);
    await remove(other.uploadKey, path);
    await begin(other.uploadKey, 2000);
  });

  it("Storage that is just enough for an upload is enough to finish it", async () => {
    const other = await openAccount();
    await setStorageBytes(other.id, 1024 ** 3 - 500);
    const path = await begin(other.uploadKey, 500);
    expect((await patch(other.uploadKey, path, 0, mp4(500))).status).toBe(200);
  });

  it("An upload of unknown length reserves as it grows; bytes that do not fit are 413, others stay", async () => {
    const other = await openAccount();
    await setStorageBytes(other.id, 1024 ** 3 - 3000);
    const created = await create(other.uploadKey, { "Upload-Defer-Length": "1" });
    const path = created.headers.get("Location") ?? "";
    const bytes = mp4(3000);
    expect((await patch(other.uploadKey, path, 0, bytes.subarray(0, 2000))).status).toBe(204);
    expect((await create(other.uploadKey, { "Upload-Length": "2000" })).status).toBe(413);
    expect((await patch(other.uploadKey, path, 2000, mp4(2000))).status).toBe(413);
    const at = await offsetOf(other.uploadKey, path);
    expect(at).toBeGreaterThanOrEqual(2000);
    const last = await patch(other.uploadKey, path, at, bytes.subarray(at), { "Upload-Length": "3000" });
    expect(last.status).toBe(200);
  });
});
