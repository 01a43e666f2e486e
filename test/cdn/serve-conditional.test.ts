import { beforeAll, describe, expect, it } from "vitest";
import { fetchFile, observe, patternBytes, SERVED, storeServed } from "./harness.ts";

const BYTES = patternBytes(5000);
const LONG_AGO = "Sun, 06 Nov 1994 08:49:37 GMT";

describe.each(SERVED)("A $title", (served) => {
  const { visibility } = served;
  let url: string;
  let missing: string;
  let etag: string;
  let lastModified: string;

  beforeAll(async () => {
    ({ url, missing, etag } = await storeServed(served, "conditional.mp4", BYTES, "video/mp4"));
    lastModified = (await fetchFile(url, { method: "HEAD" })).headers.get("Last-Modified") ?? "";
  });

  describe.each(["GET", "HEAD"])("%s", (method) => {
    const operation = method === "GET" ? "get" : "head";

    it("A client with the current file gets 304", async () => {
      const held: Record<string, string>[] = [
        { "If-None-Match": etag },
        { "If-None-Match": `W/${etag}` },
        { "If-None-Match": `"other", ${etag}` },
        { "If-None-Match": "*" },
        { "If-Modified-Since": lastModified },
        { "If-None-Match": etag, "If-Modified-Since": LONG_AGO },
        { "If-None-Match": etag, Range: "bytes=0-9" },
      ];
      for (const headers of held) {
        const { response, body, operations, views } = await observe(url, { method, headers });
        expect(response.status).toBe(304);
        expect(body).toHaveLength(0);
        expect(operations).toEqual([operation]);
        expect(views).toEqual([]);
      }
    });

    it("A 304 has the headers that a cache needs (RFC 9110, 15.4.5)", async () => {
      const { response } = await observe(url, { method, headers: { "If-None-Match": etag } });
      expect(response.headers.get("ETag")).toBe(etag);
      expect(response.headers.get("Last-Modified")).toBe(lastModified);
      expect(response.headers.get("Cache-Control")).toBe(`${visibility}, max-age=300, no-transform`);
      expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(response.headers.get("Content-Type")).toBeNull();
      expect(response.headers.get("Content-Length")).toBeNull();
    });

    it("A client that requires another version gets 412", async () => {
      const refused: Record<string, string>[] = [
        { "If-Match": '"other"' },
        { "If-Match": `W/${etag}` },
        { "If-Unmodified-Since": LONG_AGO },
        { "If-Match": '"other"', Range: "bytes=0-9" },
        { "If-Match": '"other"', "If-None-Match": etag },
      ];
      for (const headers of refused) {
        const { response, body, operations, views } = await observe(url, { method, headers });
        expect(response.status).toBe(412);
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        expect(new TextDecoder().decode(body)).toBe(
          method === "GET" ? '{"error":"Precondition failed","statusCode":412,"code":"precondition_failed"}' : "",
        );
        expect(operations).toEqual([operation]);
        expect(views).toEqual([]);
      }
    });

    it("A request whose preconditions hold or are unreadable gets the file", async () => {
      const held: Record<string, string>[] = [
        { "If-Match": etag },
        { "If-Match": "*" },
        { "If-Unmodified-Since": lastModified },
        { "If-Unmodified-Since": "yesterday" },
        { "If-None-Match": '"other"' },
        { "If-None-Match": "garbage" },
        { "If-Modified-Since": LONG_AGO },
        { "If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT" },
        { "If-Range": '"other"' },
      ];
      for (const headers of held) {
        const { response, operations } = await observe(url, { method, headers });
        expect(response.status).toBe(200);
        expect(response.headers.get("Content-Length")).toBe("5000");
        expect(operations).toEqual([operation]);
      }
    });

    it("Preconditions on a missing file are ignored (RFC 9110, 13.2.1)", async () => {
      const conditions: Record<string, string>[] = [
        { "If-Match": "*" },
        { "If-None-Match": "*" },
        { "If-Modified-Since": lastModified },
      ];
      for (const headers of conditions) {
        expect((await observe(missing, { method, headers })).response.status).toBe(404);
      }
    });
  });

  describe("If-Range", () => {
    it("If-Range lets a client continue its version, by one R2 operation", async () => {
      for (const ifRange of [etag, lastModified]) {
        const { response, body, operations } = await observe(url, {
          headers: { Range: "bytes=4000-", "If-Range": ifRange },
        });
        expect(response.status).toBe(206);
        expect(body).toEqual(BYTES.slice(4000));
        expect(operations).toEqual(["get"]);
      }
    });

    it("If-Range sends the whole file to a client with another version, by a second operation", async () => {
      for (const ifRange of ['"other"', `W/${etag}`, LONG_AGO, "garbage"]) {
        const { response, body, operations } = await observe(url, {
          headers: { Range: "bytes=4000-", "If-Range": ifRange },
        });
        expect(response.status).toBe(200);
        expect(response.headers.get("Content-Range")).toBeNull();
        expect(response.headers.get("Content-Length")).toBe("5000");
        expect(body).toEqual(BYTES);
        expect(operations).toEqual(["get", "get"]);
      }
    });

    it("If-Range with another version gives the whole file instead of a 416", async () => {
      const { response, body } = await observe(url, { headers: { Range: "bytes=9000-", "If-Range": '"other"' } });
      expect(response.status).toBe(200);
      expect(body).toEqual(BYTES);
    });

    it("If-Range with this version leaves a 416 unchanged", async () => {
      const { response } = await observe(url, { headers: { Range: "bytes=9000-", "If-Range": etag } });
      expect(response.status).toBe(416);
    });
  });

  it("Preconditions are evaluated before an unsatisfiable range (RFC 9110, 14.2)", async () => {
    const Range = "bytes=9000-";
    expect((await observe(url, { headers: { Range, "If-None-Match": etag } })).response.status).toBe(304);
    expect((await observe(url, { headers: { Range, "If-Match": '"other"' } })).response.status).toBe(412);
  });
});
