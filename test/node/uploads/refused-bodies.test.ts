import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CompressingAccount, CompressionHost } from "../../support/media/compression.ts";
import { mp4 } from "../../support/media/samples.ts";

// Real connections with bodies that are refused or break off.

const MIB = 1024 * 1024;
const MAX_UPLOAD_BYTES = 12 * MIB;

let host: CompressionHost;
let account: CompressingAccount;

beforeAll(async () => {
  host = await CompressionHost.start({ MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES) });
  account = await host.openAccount({});
});

afterAll(() => host?.[Symbol.asyncDispose]());

const TYPES = [
  [
    "a form",
    "multipart/form-data; boundary=edge",
    Buffer.from('--edge\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'),
  ],
  ["a raw body", "video/mp4", Buffer.alloc(0)],
] as const;

/** A chunked upload, without a length. */
function open(contentType: string) {
  const call = request(new URL("/images/upload", host.stack.url).href, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.token}`, "Content-Type": contentType, "Transfer-Encoding": "chunked" },
  });
  const answering = once(call, "response") as Promise<[IncomingMessage]>;
  answering.catch(() => undefined);
  return { call, answering };
}

describe.each(TYPES)("%s of unknown length", (_, contentType, head) => {
  it.each([1, 30])(
    "A body that is %d MiB over the limit is 413, and its client can read the answer",
    async (overMib) => {
      const { call, answering } = open(contentType);
      call.write(head);
      const block = Buffer.from(mp4(MIB));
      for (let sent = 0; sent < MAX_UPLOAD_BYTES + overMib * MIB; sent += MIB) {
        if (!call.write(block)) await once(call, "drain");
      }
      call.end();
      const [answer] = await answering;
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      expect(answer.statusCode).toBe(413);
      expect(JSON.parse(Buffer.concat(chunks).toString())).toMatchObject({ details: { maxBytes: MAX_UPLOAD_BYTES } });
      expect(await account.storageUsed()).toBe(0);
    },
  );

  it.each([100_000, 9 * MIB])("An upload whose connection breaks after %d bytes stores nothing", async (sentBytes) => {
    const { call } = open(contentType);
    call.on("error", () => undefined);
    await new Promise<void>((resolve) => call.write(Buffer.concat([head, mp4(sentBytes)]), () => resolve()));
    await sleep(500);
    call.destroy();
    await sleep(2000);
    const listed = await host.send("GET", "/images?status=all", account.token);
    expect(await listed.json()).toMatchObject({ pagination: { total: 0 } });
    expect(await account.storageUsed()).toBe(0);
  });
});
