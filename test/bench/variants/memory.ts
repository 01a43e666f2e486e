import sharp from "sharp";
import type { Picture } from "../previews/pictures.ts";
import { Client } from "../support/client.ts";
import { findWorkerd, peakBytes, resetPeak, residentBytes } from "../support/memory.ts";
import { reportTarget, type Target } from "../support/report.ts";
import { startVariants } from "./start-variants.ts";

const [WIDTH, HEIGHT] = [8064, 6048];
const MAX_MB = 40;

/** The growth of workerd's memory while a fresh Codec Worker makes a variant of 48 megapixels. The file was read once before. */
export async function benchMemory({ name, type, file }: Picture): Promise<Target> {
  const isProgressive = name.endsWith("progressive");
  const large = await sharp(file)
    .resize(WIDTH, HEIGHT)
    .jpeg(isProgressive ? { quality: 65, mozjpeg: true } : { quality: 90 })
    .toBuffer();
  await using bench = await startVariants();
  const client = new Client(bench.url);
  await client.call(200, "/", { method: "PUT", headers: { "Content-Type": type }, body: large });
  for (let reading = 0; reading < 2; reading++) await client.call(200, "/whole");
  const pid = await findWorkerd();
  await resetPeak(pid);
  const before = await residentBytes(pid);
  await client.call(200, "/?w=640");
  const growthMb = ((await peakBytes(pid)) - before) / 1e6;
  client.close();
  const title = `48 MP${isProgressive ? " progressive" : ""}, memory`;
  return reportTarget({ name: title, value: growthMb, atMost: MAX_MB, unit: "MB" });
}
