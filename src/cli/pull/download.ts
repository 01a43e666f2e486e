import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat } from "node:fs/promises";
import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, get as httpsGet } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Wanted {
  readonly id: string;
  readonly url: string;
  readonly size: number;
  /** Undefined if the service does not know it. */
  readonly sha256: string | undefined;
}

/** A complete download, which has no name yet. */
export interface Part {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly etag: string | null;
  readonly mtimeMs: number;
}

/** The service does not have the file any more. */
export class Gone extends Error {}
/** The answer's bytes are not those of the list: the file was replaced, or damaged on the way. */
export class OtherBytes extends Error {}
/** The download failed, and trying again would not help now. */
export class Refused extends Error {}

const TRIES = 6;
const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 20_000;
/** A longer `Retry-After` is a limit of hours or a month. */
const LONGEST_WAIT_SECONDS = 300;
const SILENCE_MS = 60_000;
/** Larger files are written while they arrive. */
const HELD_BYTES = 1024 * 1024;
/** The ETag of an object that was stored at once is the MD5 of its bytes. */
const MD5 = /^"([0-9a-f]{32})"$/;
const MAX_NAMED_ETAG = 120;

/** Downloads files into parts, which an interrupted run leaves and the next one continues. */
export class Downloader {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #agents: { readonly "http:": HttpAgent; readonly "https:": HttpsAgent };
  readonly #parts: ReadonlyMap<string, string>;
  /** When requests may be sent again: a limit is every worker's. */
  #pausedUntil = 0;

  /** @param names the files in the folder of parts */
  constructor(folder: string, names: readonly string[], connections: number, signal: AbortSignal) {
    const options = {
      keepAlive: true,
      maxSockets: connections,
      maxFreeSockets: connections,
      scheduling: "fifo" as const,
    };
    this.#folder = folder;
    this.#signal = signal;
    this.#agents = { "http:": new HttpAgent(options), "https:": new HttpsAgent(options) };
    this.#parts = new Map(
      names.filter((name) => name.endsWith(".part")).map((name) => [name.split(".")[0] ?? "", name]),
    );
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  /** @throws Gone, OtherBytes, Refused; Error of the file system; the signal's reason */
  async download(wanted: Wanted): Promise<Part> {
    let name = this.#parts.get(wanted.id);
    for (let failed = 0; ; ) {
      this.#signal.throwIfAborted();
      await this.#pause();
      const before = name === undefined ? 0 : await sizeOf(join(this.#folder, name));
      try {
        return await this.#try(wanted, name, before, (begun) => {
          name = begun;
        });
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!(error instanceof Passing)) throw error;
        const hasProgress = name !== undefined && (await sizeOf(join(this.#folder, name))) > before;
        failed = hasProgress ? 1 : failed + 1;
        if (failed >= TRIES) throw new Refused(error.message);
        const delayMs =
          error.retryAfterSeconds === undefined
            ? Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** failed)
            : error.retryAfterSeconds * 1000;
        if (error.retryAfterSeconds === undefined) await sleep(delayMs, undefined, { signal: this.#signal });
        else {
          // A limit does not count as a failure of this file.
          failed -= 1;
          this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + delayMs);
        }
      }
    }
  }

  /** @returns the ETag of a file; `HEAD` does not count as a view */
  async etagOf(url: string): Promise<string | undefined> {
    const answer = await this.#request(url, {}, "HEAD");
    answer.resume();
    return answer.headers.etag;
  }

  async #pause(): Promise<void> {
    while (this.#pausedUntil > Date.now()) {
      await sleep(this.#pausedUntil - Date.now(), undefined, { signal: this.#signal });
    }
  }

  async #try(wanted: Wanted, name: string | undefined, have: number, onPart: (name: string) => void): Promise<Part> {
    const known = name === undefined ? undefined : etagIn(name);
    const canResume = known !== undefined && have > 0 && have <= wanted.size;
    if (canResume && have === wanted.size) {
      const part = await this.#checked(wanted, name as string, known, await hashOf(join(this.#folder, name as string)));
      if (part !== undefined) return part;
    }
    const resumes = canResume && have < wanted.size;
    const headers: Record<string, string> = resumes ? { Range: `bytes=${have}-`, "If-Range": known } : {};
    const answer = await this.#request(wanted.url, headers);
    const etag = answer.headers.etag;
    const isRest =
      resumes &&
      answer.statusCode === 206 &&
      etag === known &&
      answer.headers["content-range"]?.startsWith(`bytes ${have}-`);
    if (!isRest && answer.statusCode !== 200) {
      answer.resume();
      throw toFailure(answer);
    }
    const length = Number(answer.headers["content-length"] ?? Number.NaN);
    if ((isRest ? have : 0) + length !== wanted.size) {
      answer.destroy();
      throw new OtherBytes(`the file has ${length} bytes instead of ${wanted.size}`);
    }
    const fresh = nameOf(wanted.id, etag);
    if (name !== undefined && name !== fresh) await rm(join(this.#folder, name), { force: true });
    onPart(fresh);
    const path = join(this.#folder, fresh);
    const hashes = isRest ? await hashOf(path) : startHashes();
    const file = await open(path, isRest ? "a" : "w");
    try {
      await writeAnswer(answer, hashes, file, wanted.size);
    } finally {
      await file.close();
    }
    const part = await this.#checked(wanted, fresh, etag, hashes);
    if (part === undefined) throw new OtherBytes("the bytes have another hash than the file");
    return part;
  }

  /** @returns undefined, without the part, if its bytes are not the wanted ones */
  async #checked(wanted: Wanted, name: string, etag: string | undefined, hashes: Hashes): Promise<Part | undefined> {
    const path = join(this.#folder, name);
    const [sha256, md5] = [hashes.sha256.digest("hex"), hashes.md5.digest("hex")];
    const { size, mtimeMs } = await stat(path);
    const expected = MD5.exec(etag ?? "")?.[1];
    const isRight = wanted.sha256 === undefined ? expected === undefined || md5 === expected : sha256 === wanted.sha256;
    if (isRight && size === wanted.size) return { path, size, sha256, etag: etag ?? null, mtimeMs };
    await rm(path, { force: true });
    return undefined;
  }

  /** @throws Passing; the signal's reason */
  #request(url: string, headers: Record<string, string>, method = "GET"): Promise<IncomingMessage> {
    const { protocol } = new URL(url);
    const get = protocol === "https:" ? httpsGet : httpGet;
    const agent = protocol === "https:" ? this.#agents["https:"] : this.#agents["http:"];
    return new Promise((resolve, reject) => {
      const request = get(url, { agent, headers, method, signal: this.#signal, timeout: SILENCE_MS }, resolve);
      request.on("timeout", () => request.destroy(new Error("no answer came in time")));
      request.on("error", (error: Error) => reject(new Passing(error.message)));
    });
  }
}

/** A failure that may pass. */
class Passing extends Error {
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, retryAfterSeconds?: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

function toFailure({ statusCode = 0, headers }: IncomingMessage): Error {
  if (statusCode === 404 || statusCode === 410) return new Gone("it is not there any more");
  const seconds = Number.parseInt(headers["retry-after"] ?? "", 10);
  const mayPass = statusCode === 429 || statusCode === 408 || statusCode === 416 || statusCode >= 500;
  if (!mayPass || seconds > LONGEST_WAIT_SECONDS) return new Refused(`the service answers ${statusCode}`);
  return new Passing(`the service answers ${statusCode}`, seconds >= 0 ? Math.max(seconds, 1) : undefined);
}

interface Hashes {
  readonly sha256: Hash;
  readonly md5: Hash;
}

function startHashes(): Hashes {
  return { sha256: createHash("sha256"), md5: createHash("md5") };
}

/** @returns the hashes of a file's bytes, which further bytes may continue */
export async function hashOf(path: string): Promise<Hashes> {
  const hashes = startHashes();
  for await (const piece of createReadStream(path, { highWaterMark: HELD_BYTES })) update(hashes, piece as Buffer);
  return hashes;
}

function update({ sha256, md5 }: Hashes, piece: Buffer): void {
  sha256.update(piece);
  md5.update(piece);
}

/** @throws Passing if the answer breaks off; Error of the file system */
async function writeAnswer(answer: IncomingMessage, hashes: Hashes, file: FileHandle, size: number): Promise<void> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async () => {
    const [first] = held;
    if (first === undefined) return;
    const bytes = held.length === 1 ? first : Buffer.concat(held);
    [held, heldBytes] = [[], 0];
    update(hashes, bytes);
    await file.writeFile(bytes);
  };
  const pieces = answer[Symbol.asyncIterator]();
  for (;;) {
    const next = await pieces.next().catch((error: Error) => ({ broken: error }));
    if ("broken" in next) {
      await flush();
      throw new Passing(`the answer broke off: ${next.broken.message}`);
    }
    if (next.done) break;
    held.push(next.value as Buffer);
    heldBytes += (next.value as Buffer).length;
    if (heldBytes >= Math.min(HELD_BYTES, size)) await flush();
  }
  await flush();
  if (!answer.complete) throw new Passing("the answer broke off");
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** A part's name has the version of the file whose bytes it holds. */
function nameOf(id: string, etag: string | undefined): string {
  const text = etag === undefined || etag.length > MAX_NAMED_ETAG ? "" : Buffer.from(etag).toString("base64url");
  return `${id}.${text}.part`;
}

function etagIn(name: string): string | undefined {
  const text = Buffer.from(name.split(".")[1] ?? "", "base64url").toString();
  // A weak ETag promises no equal bytes.
  return text.startsWith('"') ? text : undefined;
}
