import { once } from "node:events";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { MAX_UNFINISHED } from "../../../src/domain/resumable.ts";
import { IsolateMemory } from "../isolate/isolate-memory.ts";
import type { CompressingAccount, CompressionHost } from "../media/compression.ts";
import { png } from "../media/samples.ts";

/** The bodies of a slow crowd's clients: a photo to compress, in a form, or a piece of a resumable upload. */
export type SlowKind = "form" | "tus";

export interface SlowCrowdOptions {
  readonly kind: SlowKind;
  /** Larger than `SMALL_BYTES`. */
  readonly photo: Uint8Array;
  /** The accounts of the clients, in turn. */
  readonly accounts: number;
}

/** An account may have a hundred resumable uploads in progress. */
export const SLOW_CROWDS = [
  { name: "photos by form, one account", kind: "form", accounts: 1 },
  { name: "resumable uploads, two accounts", kind: "tus", accounts: 2 },
  { name: "photos by form, four accounts", kind: "form", accounts: 4 },
] as const satisfies readonly (Omit<SlowCrowdOptions, "photo"> & { readonly name: string })[];

export interface SlowCrowd {
  /** The memory of the API Worker's isolate, garbage included, at each measurement. */
  readonly usedBytes: readonly number[];
  /** The same after a collection. */
  readonly heldBytes: readonly number[];
  /** The time of each small upload of another account during the crowd. */
  readonly bystanderMs: readonly number[];
  /** The answers to the slow clients during the crowd. */
  readonly answers: readonly SlowAnswer[];
}

export interface SlowAnswer {
  readonly status: number;
  readonly retryAfter: unknown;
}

const CLIENTS = 200;
/** The length of every other client's file: small files have their own budget. */
const SMALL_BYTES = 900_000;
/** The bytes that each client sends at once. */
const HEAD_BYTES = 700_000;
const BYTE_EVERY_MS = 1000;
const WATCHED_MS = 25_000;
const MEASURE_EVERY_MS = 200;
const BYSTANDER_EVERY_MS = 500;
const BYSTANDER_BYTES = 200_000;
const BOUNDARY = "slow-crowd";

/**
 * 200 clients that each send 700 KB at once and then a byte a second, with small uploads of another account.
 * @param host whose isolates can be inspected
 */
export async function measureSlowCrowd(host: CompressionHost, options: SlowCrowdOptions): Promise<SlowCrowd> {
  const { kind, photo, accounts } = options;
  const owners = await Promise.all(Array.from({ length: accounts }, () => host.openAccount()));
  const bystander = await host.openAccount({});
  const answers: SlowAnswer[] = [];
  const usedBytes: number[] = [];
  const heldBytes: number[] = [];
  const bystanderMs: number[] = [];
  let ended = false;
  using memory = await IsolateMemory.open(host.stack.miniflare, "api");
  const files = Array.from({ length: CLIENTS }, (_, i) => (i % 4 < 2 ? photo : photo.subarray(0, SMALL_BYTES)));
  const senders = await openSenders(kind, owners, files);
  const endsAt = performance.now() + WATCHED_MS;
  const serving = (async () => {
    while (performance.now() < endsAt) {
      const began = performance.now();
      const answer = await bystander.upload({ name: "a.png", bytes: png(1, 1, BYSTANDER_BYTES) });
      await answer.body?.cancel();
      if (answer.status !== 201) throw new Error(`Another account's small upload was answered ${answer.status}`);
      bystanderMs.push(performance.now() - began);
      await sleep(BYSTANDER_EVERY_MS);
    }
  })();
  // Collects the garbage of earlier work. An isolate answers its inspector while it serves requests.
  await memory.heldBytes();
  const sending = senders.map((sender, i) => sendSlowly(sender, files[i] ?? photo, () => ended, answers));
  // Garbage counts until half of the time is over, because a collection for the other figure would hide it.
  for (; performance.now() < endsAt - WATCHED_MS / 2; await sleep(MEASURE_EVERY_MS)) {
    usedBytes.push(await memory.usedBytes());
  }
  for (; performance.now() < endsAt; await sleep(MEASURE_EVERY_MS)) heldBytes.push(await memory.heldBytes());
  await serving;
  ended = true;
  for (const { call } of senders) call.destroy();
  await Promise.all(sending);
  return { usedBytes, heldBytes, bystanderMs, answers };
}

interface Sender {
  readonly call: ClientRequest;
  /** The body's bytes before the file. */
  readonly preamble: string;
}

async function openSenders(
  kind: SlowKind,
  owners: readonly CompressingAccount[],
  files: readonly Uint8Array[],
): Promise<Sender[]> {
  if (kind === "tus" && files.length > owners.length * MAX_UNFINISHED)
    throw new Error("An account may not begin this number of uploads");
  const ownerOf = (i: number) => owners[i % owners.length] as CompressingAccount;
  if (kind === "form") return files.map(({ length }, i) => openForm(ownerOf(i), length));
  const paths: string[] = [];
  for (const [i, { length }] of files.entries()) paths.push(await beginUpload(ownerOf(i), length));
  return files.map(({ length }, i) => openPiece(ownerOf(i), paths[i] ?? "", length));
}

function openForm({ host, token }: CompressingAccount, sizeBytes: number): Sender {
  const preamble = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="photo.jpg"\r\n\r\n`;
  const call = request(new URL("/images/upload", host.stack.url).href, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
      "Content-Length": preamble.length + sizeBytes + BOUNDARY.length + 8,
    },
  });
  return { call, preamble };
}

async function beginUpload({ host, token }: CompressingAccount, sizeBytes: number): Promise<string> {
  const answer = await fetch(new URL("/images/upload", host.stack.url), {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Tus-Resumable": "1.0.0", "Upload-Length": String(sizeBytes) },
  });
  await answer.body?.cancel();
  if (answer.status !== 201) throw new Error(`A creation was answered with ${answer.status}`);
  return answer.headers.get("Location") ?? "";
}

function openPiece({ host, token }: CompressingAccount, path: string, sizeBytes: number): Sender {
  const call = request(new URL(path, host.stack.url).href, {
    method: "PATCH",
    headers: {
      Authorization: `Bearer ${token}`,
      "Tus-Resumable": "1.0.0",
      "Content-Type": "application/offset+octet-stream",
      "Upload-Offset": "0",
      "Content-Length": sizeBytes,
    },
  });
  return { call, preamble: "" };
}

async function sendSlowly(
  { call, preamble }: Sender,
  photo: Uint8Array,
  isEnded: () => boolean,
  answers: SlowAnswer[],
): Promise<void> {
  let isAnswered = false;
  // The answer may arrive, and the connection may end, while the file is still being sent.
  call.on("error", () => undefined);
  const answering = (once(call, "response") as Promise<[IncomingMessage]>)
    .then(async ([answer]) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString("utf8");
      const details = text === "" ? undefined : JSON.parse(text).details;
      answers.push({ status: answer.statusCode ?? 0, retryAfter: details?.retryAfter });
    })
    .catch(() => undefined);
  call.write(preamble);
  call.write(photo.subarray(0, HEAD_BYTES));
  for (let at = HEAD_BYTES; at < photo.length && !isEnded() && !isAnswered; at++) {
    await Promise.race([sleep(BYTE_EVERY_MS), answering]);
    call.write(photo.subarray(at, at + 1));
  }
  await answering;
}
