import { expect, it } from "vitest";
import { serveFile } from "../../src/cdn/serve-file.ts";
import { bytesOf, cdnEnv, fetchFile, observe, patternBytes, storeFile } from "./harness.ts";

const CHUNK_BYTES = 64 * 1024;

/** An R2 whose only file is too large to be held. Its body never ends, and it counts the chunks that are read. */
function endlessFiles() {
  const taken = { chunks: 0, cancelled: false };
  const endless = () => ({
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
  // No account has rules.
  const get = async (key: string) => (key.startsWith("rules/") ? null : endless());
  return { taken, FILES: { get } as unknown as R2Bucket };
}

it("A body is streamed as it arrives, and stops when the client disconnects", async () => {
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
  "An unsent body's transfer is ended: %j",
  async (headers) => {
    const { url } = await storeFile("endless.mp4", patternBytes(10));
    const { taken, FILES } = endlessFiles();
    await observe(url, { headers }, { FILES });
    expect(taken.cancelled).toBe(true);
  },
);

it("Files are served after clients that disconnected in the middle", async () => {
  const bytes = patternBytes(4 * 1024 * 1024);
  const { url } = await storeFile("large.mp4", bytes);
  for (let client = 0; client < 5; client++) {
    const reader = (await fetchFile(url)).body?.getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
  }
  // toEqual() takes a second for this many bytes.
  expect(Buffer.compare(await bytesOf(await fetchFile(url)), bytes)).toBe(0);
});
