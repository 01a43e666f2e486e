import { beforeAll, expect, it } from "vitest";
import { sentBytesOf } from "../../src/domain/view-pack.ts";
import { ACCOUNT_ID, observe, patternBytes, storeFile } from "./harness.ts";

const SIZE_BYTES = 10_000;

let url: string;

beforeAll(async () => {
  ({ url } = await storeFile("sent.mp4", patternBytes(SIZE_BYTES)));
});

function get(range?: string) {
  return observe(url, range === undefined ? {} : { headers: { Range: range } });
}

it("A view counts the bytes of its answer, and the bytes of later ranges that were sent before it", async () => {
  await get();
  expect((await get()).views).toMatchObject([{ accountId: ACCOUNT_ID, bytes: SIZE_BYTES }]);
  expect((await get("bytes=5000-5999")).views).toEqual([]);
  expect((await get("bytes=0-1")).views).toEqual([]);
  expect((await get("bytes=0-99")).views).toMatchObject([{ bytes: 100 + 1000 + 2 }]);
  expect((await get()).views).toMatchObject([{ bytes: SIZE_BYTES }]);
});

it("Answers without a file's bytes count none", async () => {
  await get();
  await observe(url, { method: "HEAD" });
  await get("bytes=20000-");
  await observe(`${url}?w=abc`);
  expect((await get()).views).toMatchObject([{ bytes: SIZE_BYTES }]);
});

it("A pack of an earlier format has no bytes", () => {
  expect(sentBytesOf(Uint8Array.from([1, 0, 0]))).toBe(0);
  expect(sentBytesOf(Uint8Array.from([2, 0x80, 0x01, 0, 0]))).toBe(128);
});
