import sharp from "sharp";
import { startApi } from "../../support/stack/miniflare.ts";
import { openBusinessAccount } from "../support/account.ts";
import type { Client } from "../support/client.ts";
import { findWorkerd, peakBytes, resetPeak, residentBytes } from "../support/memory.ts";
import { QUALITY } from "./rival.ts";

const SETTLE_MS = 1000;
const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

export interface UploadGrowth {
  readonly growthBytes: number;
  readonly storedBytes: number;
}

/**
 * The peak memory of a fresh workerd with the whole product above its idle figure, while files are uploaded, all at once. Idle is after a
 * tiny JPEG, so the codecs that other types load count.
 */
export async function measureUpload(
  files: readonly Uint8Array[],
  { autoCompress, processorUrl }: { readonly autoCompress: boolean; readonly processorUrl: URL },
): Promise<UploadGrowth> {
  await using stack = await startApi({ MEDIA_PROCESSOR_URL: processorUrl.href });
  const pid = await findWorkerd();
  const { client } = await openBusinessAccount(stack.url);
  const settings = { autoCompress, compressionQuality: QUALITY };
  await client.call(200, "/settings", {
    method: "PATCH",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(settings),
  });
  await upload(client, await tinyPhoto());
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  await resetPeak(pid);
  const idleBytes = await residentBytes(pid);
  const storedBytes = await Promise.all(files.map((file) => upload(client, file)));
  const growthBytes = (await peakBytes(pid)) - idleBytes;
  client.close();
  return { growthBytes, storedBytes: storedBytes.reduce((sum, bytes) => sum + bytes, 0) };
}

/** @returns the size of the stored file */
async function upload(client: Client, file: Uint8Array): Promise<number> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n`;
  const { body } = await client.call(201, "/images/upload", {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  });
  const { originalFileSize, fileSize } = JSON.parse(body.toString());
  if (originalFileSize !== file.length) throw new Error(`${originalFileSize} bytes arrived instead of ${file.length}`);
  return fileSize;
}

async function tinyPhoto(): Promise<Buffer> {
  return sharp({ create: { width: 16, height: 16, channels: 3, background: "#678" } })
    .jpeg()
    .toBuffer();
}
