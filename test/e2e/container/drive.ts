import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { until } from "./until.ts";

const THUMBNAIL_TIMEOUT_MS = 120_000;
/** More pixels than an isolate can hold, so that the Codec Worker leaves the picture to the Container. */
const LARGE_WEBP = { width: 4000, height: 3000 };
/** This is higher than an account's default quality, so that compression saves bytes. */
const SOURCE_QUALITY = 95;

/**
 * Uses a stack whose media processor is a Container. The Container compresses a WebP beyond the isolate's budget, and makes a video's
 * thumbnail. It reads the video through the Worker that started it. A second video arrives while the Container sleeps.
 * @param folder for the files that it makes
 * @param fallAsleep waits until the Container sleeps
 * @throws Error that names the difference
 */
export async function drive(baseUrl: string, folder: string, fallAsleep: () => Promise<void>): Promise<void> {
  const token = await register(baseUrl);
  await compressWebp(baseUrl, token);
  await makeThumbnail(baseUrl, token, folder);
  await fallAsleep();
  await makeThumbnail(baseUrl, token, folder);
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
  console.log(`thumbnail from the Container: ${thumbnail.length} bytes, ${seconds} s`);
}

async function compressWebp(baseUrl: string, token: string): Promise<void> {
  // Noise, so that the file is as large as photos are.
  const noise = { type: "gaussian" as const, mean: 128, sigma: 12 };
  const create = { ...LARGE_WEBP, channels: 3 as const, background: "#000", noise };
  const original = await sharp({ create }).webp({ quality: SOURCE_QUALITY, effort: 0 }).toBuffer();
  const started = performance.now();
  const image = await upload(baseUrl, token, "large.webp", original);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  ensure(image.compressed === true, `the large WebP of ${original.length} bytes was not compressed`);
  const stored = Buffer.from(await (await fetch(String(image.url))).arrayBuffer());
  const isSmaller = stored.length === image.fileSize && stored.length < original.length;
  ensure(isSmaller, `the large WebP of ${original.length} bytes has ${stored.length} now`);
  const { format, width, height } = await sharp(stored).metadata();
  const isAsLarge = width === LARGE_WEBP.width && height === LARGE_WEBP.height;
  ensure(format === "webp" && isAsLarge, `the large WebP is ${format} ${width}x${height} now`);
  console.log(
    `WebP from the Container: ${original.length} -> ${stored.length} bytes, ${width}x${height}, ${seconds} s`,
  );
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

function ensure(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(otherwise);
}
