import sharp from "sharp";
import type { Picture } from "../previews/pictures.ts";
import { Client } from "../support/client.ts";
import { findWorkerd, peakBytes, resetPeak, residentBytes } from "../support/memory.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { startVariants } from "./start-variants.ts";

const [WIDTH, HEIGHT] = [8064, 6048];
const MAX_MB = 40;
/** The one file of `bare/variants.ts`. */
const STORED_KEY = "file";

/**
 * The growth of workerd's memory while a Codec Worker that has made a small variant makes one of 48 megapixels. The growth includes memory
 * that is left from storing the file.
 */
export async function benchMemory({ name, type, file }: Picture): Promise<Target> {
  const isProgressive = name.endsWith("progressive");
  const large = await sharp(file)
    .resize(WIDTH, HEIGHT)
    .jpeg(isProgressive ? { quality: 65, mozjpeg: true } : { quality: 90 })
    .toBuffer();
  const small = await sharp(file).resize(400).jpeg().toBuffer();
  await using bench = await startVariants();
  const client = new Client(bench.url);
  const bucket = await bench.miniflare.getR2Bucket("FILES");
  // Not by the bench's Worker, which would hold the file.
  const put = (bytes: Buffer) => bucket.put(STORED_KEY, bytes, { httpMetadata: { contentType: type } });
  await put(small);
  await client.call(200, "/?w=320");
  const pid = await findWorkerd();
  const before = await residentBytes(pid);
  await put(large);
  await resetPeak(pid);
  await client.call(200, "/?w=640");
  const growthMb = ((await peakBytes(pid)) - before) / 1e6;
  client.close();
  const title = `48 MP${isProgressive ? " progressive" : ""}, memory`;
  return reportTarget({ name: title, value: growthMb, atMost: MAX_MB, unit: "MB" });
}
