import { beforeEach, expect, it } from "vitest";
import { signPreview } from "../../src/domain/preview-token.ts";
import { cdnEnv, observe, patternBytes, storeFile } from "./harness.ts";

let url: string;
let objectKey: string;

beforeEach(async () => {
  ({ url, objectKey } = await storeFile("limited.mp4", patternBytes(1000)));
});

/** A counter of the platform that admits this many requests of a key. */
function counter(limit: number) {
  const counts = new Map<string, number>();
  return {
    counts,
    limit: async ({ key }: { readonly key: string }) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: (counts.get(key) ?? 0) <= limit };
    },
  };
}

const from = (address: string, more: Record<string, string> = {}) => ({
  headers: { "CF-Connecting-IP": address, ...more },
});

it("Views of an address over the limit are 429 before R2 is asked; other addresses are served", async () => {
  const VIEWS_BY_ADDRESS = counter(2);
  const get = (address: string) => observe(url, from(address), { VIEWS_BY_ADDRESS });
  expect((await get("192.0.2.1")).response.status).toBe(200);
  expect((await get("192.0.2.1")).response.status).toBe(200);
  const { response, body, operations, views } = await get("192.0.2.1");
  expect([response.status, response.headers.get("Retry-After"), operations, views]).toEqual([429, "60", [], []]);
  expect(JSON.parse(new TextDecoder().decode(body))).toMatchObject({
    code: "rate_limited",
    details: { reason: "rate" },
  });
  expect((await get("192.0.2.2")).response.status).toBe(200);
});

it("Ranges of one video are one view, and have a counter of their own", async () => {
  const [VIEWS_BY_ADDRESS, RANGES_BY_ADDRESS] = [counter(1), counter(50)];
  const get = (range: string) =>
    observe(url, from("192.0.2.3", { Range: range }), { VIEWS_BY_ADDRESS, RANGES_BY_ADDRESS });
  expect((await get("bytes=0-99")).response.status).toBe(206);
  for (let at = 100; at < 1000; at += 100) expect((await get(`bytes=${at}-${at + 99}`)).response.status).toBe(206);
  expect((await get("bytes=0-1")).response.status).toBe(206);
  expect((await get("bytes=0-")).response.status).toBe(429);
  expect([VIEWS_BY_ADDRESS.counts.size, [...RANGES_BY_ADDRESS.counts.values()]]).toEqual([1, [10]]);
});

it("Addresses with the same 64 bits are one, and a counter that fails refuses no request", async () => {
  const VIEWS_BY_ADDRESS = counter(1);
  expect((await observe(url, from("2001:db8::1"), { VIEWS_BY_ADDRESS })).response.status).toBe(200);
  expect((await observe(url, from("2001:db8::2"), { VIEWS_BY_ADDRESS })).response.status).toBe(429);
  const broken = { limit: () => Promise.reject(new Error("away")) };
  expect((await observe(url, from("192.0.2.4"), { VIEWS_BY_ADDRESS: broken })).response.status).toBe(200);
});

it("A signed URL that is read too often counts views from then on, and its later ranges never do", async () => {
  const SIGNED_READS_BY_FILE = counter(2);
  const token = await signPreview(cdnEnv.PREVIEW_SECRET, objectKey, Math.floor(Date.now() / 1000) + 3600);
  const get = (range?: string) =>
    observe(`${url}?preview=${token}`, from("192.0.2.9", range === undefined ? {} : { Range: range }), {
      SIGNED_READS_BY_FILE,
    });
  expect((await get()).views).toEqual([]);
  expect((await get("bytes=0-")).views).toEqual([]);
  const { response, views } = await get();
  expect([response.status, views.length]).toEqual([200, 1]);
  expect(response.headers.get("Cache-Control")).toContain("public");
  expect((await get("bytes=5-9")).views).toEqual([]);
  expect([...SIGNED_READS_BY_FILE.counts.values()]).toEqual([3]);
});
