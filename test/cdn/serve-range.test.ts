import { beforeAll, describe, expect, it, vi } from "vitest";
import { bytesOf, cdnEnv, fetchFile, observe, patternBytes, SERVED, storeServed } from "./harness.ts";

const SIZE_BYTES = 10_000;
const BYTES = patternBytes(SIZE_BYTES);

describe.each(SERVED)("A $title", (served) => {
  let url: string;
  let missing: string;

  beforeAll(async () => {
    ({ url, missing } = await storeServed(served, "range.mp4", BYTES, "video/mp4"));
  });

  describe("Satisfiable ranges", () => {
    it.each([
      ["bytes=0-499", 0, 500],
      ["bytes=500-999", 500, 1000],
      ["bytes=-500", 9500, 10_000],
      ["bytes=9500-", 9500, 10_000],
      ["bytes=0-0", 0, 1],
      ["bytes=-1", 9999, 10_000],
      ["bytes=0-", 0, 10_000],
      ["bytes=9999-12345", 9999, 10_000],
      ["bytes=-99999", 0, 10_000],
      ["bytes=7-99999999999999999999", 7, 10_000],
    ])("The range %s is answered 206 by one R2 operation", async (range, start, end) => {
      const { response, body, operations } = await observe(url, { headers: { Range: range } });
      expect(response.status).toBe(206);
      expect(response.headers.get("Content-Range")).toBe(`bytes ${start}-${end - 1}/10000`);
      expect(response.headers.get("Content-Length")).toBe(String(end - start));
      expect(body).toEqual(BYTES.slice(start, end));
      expect(operations).toEqual(["get"]);
    });

    it("A partial answer has the headers of the whole file, except its length", async () => {
      const whole = await fetchFile(url);
      await bytesOf(whole);
      const part = await fetchFile(url, { headers: { Range: "bytes=1-2" } });
      const expected = new Headers(whole.headers);
      expected.set("Content-Length", "2");
      expected.set("Content-Range", "bytes 1-2/10000");
      expect([...part.headers]).toEqual([...expected]);
      expect(await bytesOf(part)).toEqual(BYTES.slice(1, 3));
    });
  });

  describe("Unsatisfiable ranges", () => {
    it.each([
      "bytes=10000-",
      "bytes=10000-10001",
      "bytes=10001-",
      "bytes=20000-30000",
      "bytes=-0",
      "bytes=99999999999999999999-",
    ])("The range %s is answered 416 with the size", async (range) => {
      const { response, body, views } = await observe(url, { headers: { Range: range } });
      expect(response.status).toBe(416);
      expect(response.headers.get("Content-Range")).toBe("bytes */10000");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(JSON.parse(new TextDecoder().decode(body))).toEqual({
        error: "Range not satisfiable",
        code: "range_not_satisfiable",
        statusCode: 416,
        details: { size: 10_000 },
      });
      expect(views).toEqual([]);
    });

    it("An unsatisfiable range costs a second R2 operation only after R2 refused the range", async () => {
      expect((await observe(url, { headers: { Range: "bytes=10001-" } })).operations).toEqual(["get", "head"]);
    });

    it("An unsatisfiable range is 416 even if R2 answers with the whole object", async () => {
      const cancelled = vi.fn();
      const get = async (key: string) => {
        const object = await cdnEnv.FILES.get(key);
        object?.body.cancel();
        const body = new ReadableStream({ cancel: cancelled });
        return { size: object?.size, httpEtag: object?.httpEtag, uploaded: object?.uploaded, body };
      };
      const FILES = { get } as unknown as R2Bucket;
      for (const Range of ["bytes=10000-", "bytes=10000-10001", "bytes=20000-"]) {
        const { response } = await observe(url, { headers: { Range } }, { FILES });
        expect(response.status).toBe(416);
        expect(response.headers.get("Content-Range")).toBe("bytes */10000");
      }
      expect(cancelled).toHaveBeenCalledTimes(3);
    });

    it("An unsatisfiable range of a missing file is 404", async () => {
      const { response } = await observe(missing, { headers: { Range: "bytes=10001-" } });
      expect(response.status).toBe(404);
    });
  });

  describe("Ignored ranges", () => {
    it.each(["bytes=5-3", "bytes=a-b", "bytes=", "items=0-1", "bytes=0-1,5-6", "bytes=0-0, -1", "bytes=20000-,30000-"])(
      "The range %s is answered with the whole file, by one R2 operation",
      async (range) => {
        const { response, body, operations } = await observe(url, { headers: { Range: range } });
        expect(response.status).toBe(200);
        expect(response.headers.get("Content-Range")).toBeNull();
        expect(response.headers.get("Content-Length")).toBe("10000");
        expect(body).toEqual(BYTES);
        expect(operations).toEqual(["get"]);
      },
    );

    it("Several Range headers are one malformed header", async () => {
      const headers = new Headers([
        ["Range", "bytes=0-1"],
        ["Range", "bytes=2-3"],
      ]);
      expect((await observe(url, { headers })).response.status).toBe(200);
    });
  });

  it("Random ranges are answered with the same bytes as a slice of the file", async () => {
    const random = randomNumbers(20_261_121);
    const upTo = (max: number) => Math.floor(random() * (max + 1));
    for (let round = 0; round < 150; round++) {
      const first = upTo(random() < 0.1 ? SIZE_BYTES * 2 : SIZE_BYTES - 1);
      const last = first + upTo(random() < 0.5 ? 50 : SIZE_BYTES);
      const suffix = upTo(random() < 0.5 ? 50 : SIZE_BYTES * 2);
      const [range, expected] = [
        [`bytes=${first}-${last}`, BYTES.slice(first, last + 1)] as const,
        [`bytes=${first}-`, BYTES.slice(first)] as const,
        [`bytes=-${suffix}`, suffix === 0 ? new Uint8Array() : BYTES.slice(-suffix)] as const,
      ][upTo(2)] ?? ["", BYTES];

      const response = await fetchFile(url, { headers: { Range: range } });
      const body = await bytesOf(response);
      if (expected.length === 0) {
        expect(response.status, range).toBe(416);
      } else {
        expect(response.status, range).toBe(206);
        expect(body, range).toEqual(expected);
        expect(response.headers.get("Content-Length"), range).toBe(String(expected.length));
        const [, start] = /^bytes (\d+)-\d+\/10000$/.exec(response.headers.get("Content-Range") ?? "") ?? [];
        expect(BYTES.slice(Number(start), Number(start) + expected.length), range).toEqual(expected);
      }
    }
  });

  /** Mulberry32: the same numbers from 0 to 1 in every run. */
  function randomNumbers(seed: number): () => number {
    let state = seed;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }
});
