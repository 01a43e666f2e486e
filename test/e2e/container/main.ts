import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { ensureDevVars, readDevVars } from "../../../src/tools/local/dev-vars.ts";
import { findFreePort } from "../../../src/tools/local/port.ts";
import { run, stopGroup } from "../../../src/tools/local/run.ts";
import { applyMigrations, startWorkers } from "../../../src/tools/local/worker-stack.ts";
import { hasDockerApi } from "./docker-api.ts";

/**
 * `npm run e2e:container`: wrangler dev builds `container/Dockerfile` and starts it as a real Container; a video gets its
 * thumbnail from it, and an image over the isolate's budget is compressed by it. Needs a Docker API and ffmpeg.
 */

const THUMBNAIL_TIMEOUT_MS = 120_000;
const LARGE_PNG = { width: 3000, height: 2000 };

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(1);
}

if (!(await hasDockerApi()))
  fail("no Docker API answers (DOCKER_HOST, or /var/run/docker.sock): no Container can be started");

/** A container reaches this machine at an address of its network; to the container, localhost is itself. */
function ownAddress(): string {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
  return address ?? fail("this machine has no address but loopback, which a container cannot reach");
}

async function until<T>(what: string, timeoutMs: number, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const result = await attempt();
    if (result !== undefined) return result;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return fail(`${what} did not come within ${timeoutMs / 1000} seconds`);
}

async function makeVideo(path: string): Promise<void> {
  const source = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=3"];
  await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...source, "-c:v", "libx264", "-pix_fmt", "yuv420p", path]);
}

/** Noise, so that the file is as large as photos are. */
function makeLargePng(): Promise<Buffer> {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 20 };
  const create = { ...LARGE_PNG, channels: 3 as const, background: "#000", noise };
  return sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
}

async function upload(baseUrl: string, token: string, name: string, bytes: Buffer) {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${baseUrl}/images/upload`, { method: "POST", headers, body: form });
  if (answer.status !== 201) fail(`the upload of ${name} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

async function drive(baseUrl: string, folder: string): Promise<void> {
  const credentials = JSON.stringify({ email: "container@example.com", password: "correct horse battery staple" });
  const json = { "Content-Type": "application/json" };
  const registered = await fetch(`${baseUrl}/auth/register`, { method: "POST", headers: json, body: credentials });
  const { token } = (await registered.json()) as { token: string };
  const settings = { method: "PATCH", headers: { ...json, Authorization: `Bearer ${token}` } };
  await fetch(`${baseUrl}/settings`, { ...settings, body: JSON.stringify({ autoCompress: true }) });

  await makeVideo(join(folder, "video.mp4"));
  const started = performance.now();
  const video = await upload(baseUrl, token, "video.mp4", await readFile(join(folder, "video.mp4")));
  const thumbnail = await until("the thumbnail", THUMBNAIL_TIMEOUT_MS, async () => {
    const answer = await fetch(String(video.thumbnailUrl));
    return answer.status === 200 ? Buffer.from(await answer.arrayBuffer()) : void (await answer.body?.cancel());
  });
  const { format, width, height } = await sharp(thumbnail).metadata();
  if (format !== "jpeg" || width !== 640 || height !== 360) fail(`the thumbnail is ${format} ${width}x${height}`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`thumbnail from the Container: ${thumbnail.length} bytes, ${seconds} s from a cold start`);

  const original = await makeLargePng();
  const image = await upload(baseUrl, token, "large.png", original);
  if (image.compressed !== true || Number(image.fileSize) >= original.length) fail("the large PNG was not compressed");
  const stored = Buffer.from(await (await fetch(String(image.url))).arrayBuffer());
  const [before, after] = await Promise.all([original, stored].map((bytes) => sharp(bytes).raw().toBuffer()));
  if (before === undefined || !after?.equals(before)) fail("the large PNG's pixels changed");
  console.log(`PNG from the Container: ${original.length} -> ${stored.length} bytes, the same pixels`);
}

const folder = await mkdtemp(join(tmpdir(), "media-host-container-"));
const port = await findFreePort();
const baseUrl = `http://${ownAddress()}:${port}`;
await ensureDevVars();
if (!readDevVars().has("JWT_SECRET")) fail("the local secrets could not be made");
await run(process.execPath, ["src/tools/build-assets.ts"]);
await applyMigrations(folder);
console.log("building and starting the Container; the first time takes minutes ...");
const container = { host: "0.0.0.0", enableContainers: true };
const stack = await startWorkers({ port, baseUrl, stateDir: folder, mediaProcessorUrl: "", ...container }, (child) => {
  process.once("exit", () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, "SIGKILL"));
});
try {
  await drive(baseUrl, folder);
} finally {
  const ended = stack.exitCode === null ? once(stack, "exit") : undefined;
  await stopGroup(stack);
  await ended;
  await rm(folder, { recursive: true, force: true });
}
