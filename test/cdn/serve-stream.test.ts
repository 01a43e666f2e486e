import { expect, it } from "vitest";
import { serveFile } from "../../src/cdn/serve-file.ts";
import { bytesOf, cdnEnv, fetchFile, observe, patternBytes, storeFile } from "./harness.ts";

const CHUNK_BYTES = 64 * 1024;

/** An R2 whose one object is too big to be held: its body never ends, and it notes what is taken of it. */
function endlessFiles() {
  const taken = { chunks: 0, cancelled: false };
  const get = async () => ({
    size: 2 ** 40,
    httpEtag: '"endless"',
    uploaded: new Date(),
    httpMetadata: { contentType: "video/mp4" },
    body: new ReadableStream({
      pull(controller) {
        taken.chunks++;
        controller.enqueue(new Uint8Array(CHUNK_BYTES));
      },
      cancel() {
        taken.cancelled = true;
      },
    }),
  });
  return { taken, FILES: { get } as unknown as R2Bucket };
}

it("passes the body on as it comes, and stops when the client goes", async () => {
  const { url } = await storeFile("endless.mp4", patternBytes(10));
  const { taken, FILES } = endlessFiles();
  const response = await serveFile(new Request(url), { ...cdnEnv, FILES }, () => {});
  expect(taken.chunks).toBeLessThanOrEqual(1);
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(CHUNK_BYTES);
  await reader?.cancel();
  expect(taken.chunks).toBeLessThan(10);
  expect(taken.cancelled).toBe(true);
});

it.each<Record<string, string>>([{ "If-None-Match": "*" }, { "If-Match": '"other"' }, { Range: `bytes=${2 ** 41}-` }])(
  "ends the transfer of a body that is not sent: %j",
  async (headers) => {
    const { url } = await storeFile("endless.mp4", patternBytes(10));
    const { taken, FILES } = endlessFiles();
    await observe(url, { headers }, { FILES });
    expect(taken.cancelled).toBe(true);
  },
);

it("serves on after clients that went away in the middle", async () => {
  const bytes = patternBytes(4 * 1024 * 1024);
  const { url } = await storeFile("large.mp4", bytes);
  for (let client = 0; client < 5; client++) {
    const reader = (await fetchFile(url)).body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  }
  // toEqual() takes a second for as many bytes.
  expect(Buffer.compare(await bytesOf(await fetchFile(url)), bytes)).toBe(0);
});
