import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";

const THUMBNAIL_TIMEOUT_MS = 120_000;
const LARGE_PNG = { width: 3000, height: 2000 };

/**
 * Uses a stack whose media processor is a Container: a video gets its thumbnail from it, and an image over the isolate's budget is
 * compressed by it.
 * @param folder for the files that it makes
 * @throws Error saying what is not as it should be
 */
export async function drive(baseUrl: string, folder: string): Promise<void> {
  const token = await register(baseUrl);
  await makeThumbnail(baseUrl, token, folder);
  await compressPng(baseUrl, token);
}

async function register(baseUrl: string): Promise<string> {
  const headers = { "Content-Type": "application/json" };
  const credentials = JSON.stringify({ email: "container@example.com", password: "correct horse battery staple" });
  const registered = await fetch(`${baseUrl}/auth/register`, { method: "POST", headers, body: credentials });
  const { token } = (await registered.json()) as { token: string };
  const settings = { method: "PATCH", headers: { ...headers, Authorization: `Bearer ${token}` } };
  await fetch(`${baseUrl}/settings`, { ...settings, body: JSON.stringify({ autoCompress: true }) });
  return token;
}

async function makeThumbnail(baseUrl: string, token: string, folder: string): Promise<void> {
  const path = join(folder, "video.mp4");
  const lavfi = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=3"];
  await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...lavfi, "-c:v", "libx264", "-pix_fmt", "yuv420p", path]);
  const started = performance.now();
  const video = await upload(baseUrl, token, "video.mp4", await readFile(path));
  const thumbnail = await until("the thumbnail", THUMBNAIL_TIMEOUT_MS, async () => {
    const answer = await fetch(String(video.thumbnailUrl));
    return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : void (await answer.body?.cancel());
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { format, width, height } = await sharp(thumbnail).metadata();
  ensure(format === "jpeg" && width === 640 && height === 360, `the thumbnail is ${format} ${width}x${height}`);
  console.log(`thumbnail from the Container: ${thumbnail.length} bytes, ${seconds} s from a cold start`);
}

async function compressPng(baseUrl: string, token: string): Promise<void> {
  // Noise, so that the file is as large as photos are.
  const noise = { type: "gaussian" as const, mean: 128, sigma: 20 };
  const create = { ...LARGE_PNG, channels: 3 as const, background: "#000", noise };
  const original = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
  const image = await upload(baseUrl, token, "large.png", original);
  const isSmaller = image.compressed === true && Number(image.fileSize) < original.length;
  ensure(isSmaller, "the large PNG was not compressed");
  const stored = Buffer.from(await (await fetch(String(image.url))).arrayBuffer());
  const [before, after] = await Promise.all([original, stored].map((bytes) => sharp(bytes).raw().toBuffer()));
  ensure(before !== undefined && after?.equals(before) === true, "the large PNG's pixels changed");
  console.log(`PNG from the Container: ${original.length} -> ${stored.length} bytes, the same pixels`);
}

async function upload(
  baseUrl: string,
  token: string,
  name: string,
  bytes: Buffer,
): Promise<Readonly<Record<string, unknown>>> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${baseUrl}/images/upload`, { method: "POST", headers, body: form });
  const text = await answer.text();
  ensure(answer.status === 201, `the upload of ${name} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

async function until<T>(what: string, timeoutMs: number, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${what} did not come within ${timeoutMs / 1000} seconds`);
}

function ensure(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
