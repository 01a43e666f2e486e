import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { DatabaseTables } from "./service.ts";
import type { Target } from "./target.ts";

/** A part of a backup: lines of JSON, compressed. */
export interface Chunk {
  readonly name: string;
  readonly sha256: string;
  readonly lines: number;
  readonly holds: Held;
}

/** The lines of a chunk: rows of a table, pages of accounts' objects (`AccountLine`), or files (`FileLine`). */
export type Held =
  | { readonly kind: "rows"; readonly database: string; readonly table: string; readonly columns: readonly string[] }
  | { readonly kind: "accounts" }
  | { readonly kind: "files" };

/** The contents of a complete backup. The manifest is written last: a backup without it was interrupted. */
export interface Manifest {
  readonly format: 1;
  readonly id: string;
  readonly baseUrl: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly databases: readonly DatabaseTables[];
  /** Accounts of the directory. */
  readonly accounts: number;
  /** Accounts that were erased while the backup was made. They are not restored. */
  readonly erased: readonly string[];
  readonly files: number;
  readonly bytes: number;
  readonly chunks: readonly Chunk[];
}

export interface AccountLine {
  readonly accountId: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** A file of the service, and its name in the target. */
export interface FileLine {
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  readonly sha256: string;
  readonly name: string;
  readonly httpMetadata: Readonly<Record<string, string>>;
  readonly customMetadata: Readonly<Record<string, string>>;
}

const CHUNK_CHARACTERS = 8_000_000;
const MANIFEST = /^backups\/([0-9TZ]+)\/manifest\.json$/;

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The name of a backup that begins now; names sort by time. */
export function nameBackup(now: Date): string {
  return now.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Collects lines of one kind into chunks. */
export class ChunkWriter {
  readonly #target: Target;
  readonly #nextName: () => string;
  readonly #holds: Held;
  readonly #chunks: Chunk[] = [];
  #lines: string[] = [];
  #characters = 0;

  constructor(target: Target, nextName: () => string, holds: Held) {
    this.#target = target;
    this.#nextName = nextName;
    this.#holds = holds;
  }

  async add(value: unknown): Promise<void> {
    const line = JSON.stringify(value);
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters > CHUNK_CHARACTERS) await this.#flush();
  }

  /** @returns all chunks */
  async end(): Promise<readonly Chunk[]> {
    if (this.#lines.length > 0) await this.#flush();
    return this.#chunks;
  }

  async #flush(): Promise<void> {
    const lines = this.#lines.splice(0);
    this.#characters = 0;
    const bytes = gzipSync(lines.join("\n"));
    const [name, sha256] = [this.#nextName(), hashOf(bytes)];
    await this.#target.put(name, bytes, sha256);
    this.#chunks.push({ name, sha256, lines: lines.length, holds: this.#holds });
  }
}

/** The lines of a chunk. @throws Error if its bytes are missing or damaged */
export async function readChunk<Line>(
  target: Target,
  { name, sha256 }: Pick<Chunk, "name" | "sha256">,
): Promise<Line[]> {
  const bytes = await target.get(name);
  if (bytes === undefined) throw new Error(`${name} is missing`);
  if (hashOf(bytes) !== sha256) throw new Error(`${name} is damaged`);
  return gunzipSync(bytes)
    .toString()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** The names of complete backups, oldest first. */
export async function listBackups(target: Target): Promise<string[]> {
  return (await target.list("backups/")).flatMap((name) => MANIFEST.exec(name)?.[1] ?? []).sort();
}

/** @throws Error if there is no complete backup of this name */
export async function readManifest(target: Target, id: string): Promise<Manifest> {
  const bytes = await target.get(`backups/${id}/manifest.json`);
  if (bytes === undefined) throw new Error(`${target.title} has no complete backup ${id}`);
  return JSON.parse(Buffer.from(bytes).toString()) as Manifest;
}

export async function writeManifest(target: Target, manifest: Manifest): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(manifest, null, 2));
  await target.put(`backups/${manifest.id}/manifest.json`, bytes, hashOf(bytes));
}
