import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import type { Picture } from "../previews/pictures.ts";
import { Client } from "../support/client.ts";
import { findWorkerd, peakBytes, resetPeak, residentBytes } from "../support/memory.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { startVariants } from "./start-variants.ts";

const [WIDTH, HEIGHT] = [8064, 6048];
const MAX_MB = 40;

/**
 * The growth of workerd's memory while a Codec Worker that has made a small variant makes one of 48 megapixels. Another process has stored
 * the files: storing takes up to 50 MB in the local R2, which would be counted, or reused and not counted.
 */
export async function benchMemory({ name, type, file }: Picture): Promise<Target> {
  const isProgressive = name.endsWith("progressive");
  const large = await sharp(file)
    .resize(WIDTH, HEIGHT)
    .jpeg(isProgressive ? { quality: 65, mozjpeg: true } : { quality: 90 })
    .toBuffer();
  const small = await sharp(file).resize(400).jpeg().toBuffer();
  const stateDir = await mkdtemp(join(tmpdir(), "bench-variants-"));
  try {
    await storeFiles(stateDir, { small, large }, type);
    const growthMb = (await measureGrowth(stateDir)) / 1e6;
    const title = `48 MP${isProgressive ? " progressive" : ""}, memory`;
    return reportTarget({ name: title, value: growthMb, atMost: MAX_MB, unit: "MB" });
  } finally {
    await rm(stateDir, { recursive: true });
  }
}

async function storeFiles(stateDir: string, files: Record<string, Buffer>, contentType: string): Promise<void> {
  await using bench = await startVariants({ stateDir });
  const bucket = await bench.miniflare.getR2Bucket("FILES");
  for (const [key, bytes] of Object.entries(files)) await bucket.put(key, bytes, { httpMetadata: { contentType } });
}

async function measureGrowth(stateDir: string): Promise<number> {
  await using bench = await startVariants({ stateDir });
  const client = new Client(bench.url);
  await client.call(200, "/small?w=320");
  const pid = await findWorkerd();
  const before = await residentBytes(pid);
  await resetPeak(pid);
  await client.call(200, "/large?w=640");
  const growthBytes = (await peakBytes(pid)) - before;
  client.close();
  return growthBytes;
}
