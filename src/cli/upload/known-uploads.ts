import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { appendFile, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseObjectKey } from "../../domain/object-key.ts";
import type { Credential } from "../session/credential.ts";
import { stateFolder } from "../session/folders.ts";

/** A line of the state file: an uploaded file and its URL. */
interface Line {
  readonly host: string;
  /** The account of the upload. */
  readonly account: string;
  /** A digest of the sending key, by which later runs find its account. */
  readonly key?: string | undefined;
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly sha256: string;
  /** A folder's id, or `root`. */
  readonly folder: string;
  readonly _id: string;
  readonly url: string;
  /** When it was written. */
  readonly at: number;
}

export interface KnownUpload {
  readonly _id: string;
  readonly url: string;
}

interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
  readonly at: number;
  readonly sha256: string;
}

/** Two changes of a file may have the same time of change, because disks round it. */
const ROUNDED_MS = 2000;

/** The uploads of this machine to one service and account: a file of JSON lines, one for each upload. */
export class KnownUploads {
  readonly #path: string;
  readonly #host: string;
  readonly #key: string | undefined;
  readonly #bytes = new Map<string, Seen>();
  readonly #uploads = new Map<string, KnownUpload>();

  private constructor(path: string, host: string, key: string | undefined) {
    this.#path = path;
    this.#host = host;
    this.#key = key;
  }

  /**
   * Reads the file. It ignores incomplete lines, which a crash or a full disk leaves.
   * @param findAccount asks the service for the key's account if no line has it; undefined if that is not possible
   */
  static async open(
    env: NodeJS.ProcessEnv,
    host: string,
    credential: Credential,
    findAccount: () => Promise<string | undefined>,
  ): Promise<KnownUploads> {
    const path = join(stateFolder(env), "uploads.jsonl");
    const key = credential.kind === "key" ? digest(credential.secret) : undefined;
    const known = new KnownUploads(path, host, key);
    let account = credential.kind === "session" ? credential.accountId : undefined;
    let hasLines = false;
    if (account === undefined) {
      for await (const line of readState(path)) {
        hasLines ||= line.host === host;
        if (line.host === host && line.key === key) account = line.account;
      }
      if (account === undefined && hasLines) account = await findAccount();
    }
    if (account === undefined) return known;
    for await (const line of readState(path)) {
      if (line.host === host && line.account === account) known.#take(line);
    }
    return known;
  }

  /** @returns the digest of the file if size and time of change are unchanged */
  findDigest(path: string, { size, mtimeMs }: Stats): string | undefined {
    const seen = this.#bytes.get(path);
    if (seen?.size !== size || seen.mtimeMs !== mtimeMs || seen.at - mtimeMs < ROUNDED_MS) return undefined;
    return seen.sha256;
  }

  /** @returns where these bytes were uploaded to, in this folder */
  find(sha256: string, folder: string): KnownUpload | undefined {
    return this.#uploads.get(`${sha256} ${folder}`);
  }

  /** @throws Error if the file cannot be written */
  async add(
    path: string,
    { size, mtimeMs }: Stats,
    facts: { readonly sha256: string; readonly folder: string },
    { _id, url }: KnownUpload,
  ): Promise<void> {
    const account = accountOf(url);
    if (account === undefined) return;
    const line = {
      host: this.#host,
      account,
      key: this.#key,
      path,
      size,
      mtimeMs,
      ...facts,
      _id,
      url,
      at: Date.now(),
    };
    this.#take(line);
    await mkdir(join(this.#path, ".."), { recursive: true, mode: 0o700 });
    // Each line is one appended write, so parallel runs do not cut each other's lines. The first line break ends a line that a crash cut.
    await appendFile(this.#path, `\n${JSON.stringify(line)}`, { mode: 0o600 });
  }

  #take({ path, size, mtimeMs, at, sha256, folder, _id, url }: Line): void {
    this.#bytes.set(path, { size, mtimeMs, at, sha256 });
    this.#uploads.set(`${sha256} ${folder}`, { _id, url });
  }
}

/** @returns the account that a file's URL names */
export function accountOf(url: string): string | undefined {
  const path = URL.canParse(url) ? new URL(url).pathname : "";
  return parseObjectKey(path.slice(path.indexOf("uploads/")))?.accountId;
}

/** A hash of 43 random characters does not reveal the key. */
function digest(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

async function* readState(path: string): AsyncGenerator<Line> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (file === undefined) return;
  for await (const text of createInterface({ input: file.createReadStream(), crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = toLine(text);
    if (line !== undefined) yield line;
  }
}

function toLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Partial<Line> | null;
    const isWhole = [line?.host, line?.account, line?.path, line?.sha256, line?.folder, line?._id, line?.url].every(
      (value) => typeof value === "string",
    );
    return isWhole ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}
