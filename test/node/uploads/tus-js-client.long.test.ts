import { createHash } from "node:crypto";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBusinessAccount } from "../../bench/support/account.ts";
import { mp4 } from "../../support/media/samples.ts";
import { type Stack, startApi } from "../../support/stack/miniflare.ts";

// The client that most pages and apps use, as its users would.

const MIB = 1024 * 1024;

let stack: Stack;
let headers: Record<string, string>;

beforeAll(async () => {
  stack = await startApi();
  headers = (await openBusinessAccount(stack.url)).client.headers as Record<string, string>;
});

afterAll(() => stack?.[Symbol.asyncDispose]());

interface Sending {
  readonly chunkSize: number;
  readonly uploadDataDuringCreation?: boolean;
  /** Whether it is broken off once and gone on with by its address. */
  readonly isPaused?: boolean;
}

function send(bytes: Buffer, { isPaused = false, ...options }: Sending): Promise<{ url: string; fileSize: number }> {
  return new Promise((resolve, reject) => {
    let mayPause = isPaused;
    const upload = new Upload(bytes, {
      ...options,
      endpoint: new URL("/images/upload", stack.url).href,
      headers,
      metadata: { filename: "film.mp4", tags: "one" },
      retryDelays: [100, 500, 1000, 2000],
      onError: reject,
      onSuccess: ({ lastResponse }) => resolve(JSON.parse(lastResponse.getBody())),
      onChunkComplete: () => {
        if (!mayPause) return;
        mayPause = false;
        void upload.abort().then(() => upload.start());
      },
    });
    upload.start();
  });
}

it.each<[string, number, Sending]>([
  ["in one piece", 3 * MIB, { chunkSize: 40 * MIB }],
  ["in pieces of any size", 21 * MIB, { chunkSize: 3_000_000 }],
  ["with the data in its creation", 2 * MIB, { chunkSize: 5 * MIB, uploadDataDuringCreation: true }],
  ["broken off and gone on with", 30 * MIB, { chunkSize: 5 * MIB, isPaused: true }],
])("tus-js-client sends a file %s", async (_, size, sending) => {
  const bytes = Buffer.from(mp4(size, size));
  const { url, fileSize } = await send(bytes, sending);
  expect(fileSize).toBe(size);
  const file = Buffer.from(await (await fetch(new URL(new URL(url).pathname, stack.url))).arrayBuffer());
  const hash = (of: Buffer) => createHash("sha256").update(of).digest("hex");
  expect(hash(file)).toBe(hash(bytes));
});
