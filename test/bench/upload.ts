import { mp4 } from "../support/media/samples.ts";
import { type Stack, startApi, startBare } from "../support/stack/miniflare.ts";
import { openBusinessAccount } from "./support/account.ts";
import { Client } from "./support/client.ts";
import { findWorkerd, peakBytes, resetPeak, residentBytes } from "./support/memory.ts";
import { reportFigure, reportRatio, reportSpread, reportTarget, type Target } from "./support/report.ts";
import { measureInTurn, median } from "./support/rounds.ts";

const MB = 1024 * 1024;
const FILE_BYTES = 90 * MB;
const ROUNDS = 7;
const FRESH_PROCESSES = 3;
const SETTLE_MS = 1000;

const BOUNDARY = "----WebKitFormBoundary7MA4YWxkTrZu0gW";

interface Uploader {
  /** Uploads a file and checks that all of it was stored. @returns the seconds that it took */
  upload(file: Uint8Array): Promise<number>;
  /** Deletes the last upload. */
  clear(): Promise<void>;
}

/** A bare Worker stores the multipart body unparsed, or the file that it found in it. */
type Stores = "the body" | "the file";

/** One 90 MB video: its speed and its cost in memory. */
export async function benchUpload(): Promise<Target[]> {
  console.log("upload: one 90 MB video");
  const file = mp4(FILE_BYTES);
  return [await benchSpeed(file), await benchKey(file), await benchMemory(file)];
}

async function benchSpeed(file: Uint8Array): Promise<Target> {
  await using product = await startApi();
  await using bare = await startBare("upload.ts");
  const pairs = await measureInTurn(ROUNDS, {
    product: megabytesPerSecond(await productUploader(product), file),
    bare: megabytesPerSecond(bareUploader(bare, "the body"), file),
  });
  return reportRatio("MB/s", pairs, { atLeast: 0.95 });
}

/** The service hashes a file that comes under an `Idempotency-Key`. */
async function benchKey(file: Uint8Array): Promise<Target> {
  await using stack = await startApi();
  const { client } = await openBusinessAccount(stack.url);
  const pairs = await measureInTurn(ROUNDS, {
    product: megabytesPerSecond(uploaderOf(client, { isKeyed: true }), file),
    bare: megabytesPerSecond(uploaderOf(client), file),
  });
  console.log("  with an Idempotency-Key (product) over without (bare):");
  return reportRatio("MB/s", pairs, { atLeast: 0.95 });
}

function megabytesPerSecond(uploader: Uploader, file: Uint8Array): () => Promise<number> {
  return async () => {
    const seconds = await uploader.upload(file);
    await uploader.clear();
    return file.length / MB / seconds;
  };
}

/** workerd keeps the memory it grew to, so each figure comes from a fresh process. */
async function benchMemory(file: Uint8Array): Promise<Target> {
  const bareOf = (stores: Stores) => async (stack: Stack) => bareUploader(stack, stores);
  const growths = { product: [] as number[], bare: [] as number[] };
  for (let count = 0; count < FRESH_PROCESSES; count++) {
    growths.product.push(await growthMb(startApi, productUploader, file));
    growths.bare.push(await growthMb(() => startBare("upload.ts"), bareOf("the body"), file));
  }
  const wholeMb = await growthMb(() => startBare("upload-form-data.ts"), bareOf("the file"), file);
  console.log("  peak memory of workerd over idle, a fresh process each time:");
  reportSpread("product", growths.product, "MB");
  reportSpread("bare", growths.bare, "MB");
  reportFigure("bare, formData()", wholeMb, "MB");
  const value = median(growths.product) - median(growths.bare);
  return reportTarget({ name: "product over bare", value, atMost: 16, unit: "MB" });
}

async function growthMb(
  start: () => Promise<Stack>,
  open: (stack: Stack) => Promise<Uploader>,
  file: Uint8Array,
): Promise<number> {
  await using stack = await start();
  const pid = await findWorkerd();
  const uploader = await open(stack);
  // A small upload first, so that the memory of the code itself does not count as the file's.
  await uploader.upload(file.subarray(0, 1000));
  await uploader.clear();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  await resetPeak(pid);
  const idleBytes = await residentBytes(pid);
  await uploader.upload(file);
  return ((await peakBytes(pid)) - idleBytes) / MB;
}

async function productUploader({ url }: Stack): Promise<Uploader> {
  const { client } = await openBusinessAccount(url);
  return uploaderOf(client);
}

function uploaderOf(client: Client, { isKeyed = false } = {}): Uploader {
  let uploadId = "";
  return {
    upload: async (file) => {
      const { headers, ...call } = post(file);
      const key: Record<string, string> = isKeyed ? { "Idempotency-Key": crypto.randomUUID() } : {};
      const { body, seconds } = await client.call(201, "/images/upload", { ...call, headers: { ...headers, ...key } });
      const { _id, fileSize } = JSON.parse(body.toString());
      requireEqual(fileSize, file.length);
      uploadId = _id;
      return seconds;
    },
    clear: async () => {
      await client.call(200, `/images/${uploadId}`, { method: "DELETE" });
    },
  };
}

function bareUploader({ url }: Stack, stores: Stores): Uploader {
  const client = new Client(url);
  return {
    upload: async (file) => {
      const call = post(file);
      const { body, seconds } = await client.call(201, "/file", call);
      const expected = stores === "the body" ? call.body.length : file.length;
      requireEqual(JSON.parse(body.toString()).sizeBytes, expected);
      return seconds;
    },
    clear: async () => {
      await client.call(204, "/file", { method: "DELETE" });
    },
  };
}

function requireEqual(storedBytes: number, expectedBytes: number): void {
  if (storedBytes !== expectedBytes) throw new Error(`${storedBytes} bytes were stored instead of ${expectedBytes}`);
}

function post(file: Uint8Array) {
  const headers = `Content-Disposition: form-data; name="file"; filename="video.mp4"\r\nContent-Type: video/mp4`;
  const head = Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`);
  return {
    method: "POST",
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([head, file, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
  };
}
