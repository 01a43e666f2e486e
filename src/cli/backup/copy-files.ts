import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { MAX_RANGE_BYTES } from "../../domain/backup.ts";
import { type FileLine, hashOf, listBackups, readChunk, readManifest } from "./manifest.ts";
import { forEachAtOnce } from "./pool.ts";
import { type Page, type Service, ServiceRefusal, type StoredFile } from "./service.ts";
import type { Target } from "./target.ts";

const AT_ONCE = 6;
const JOURNAL = "journal/";
/** The ETag of an object that was stored by one PUT is the MD5 of its bytes. */
const MD5 = /^[0-9a-f]{32}$/;
const GONE: ReadonlySet<number> = new Set([404, 412]);

/** The copies of files in a target, by key and version. Files that an earlier run copied, even an interrupted one, are not read again. */
export class FileCopies {
  readonly #target: Target;
  readonly #known = new Map<string, FileLine>();
  #journal = 0;

  private constructor(target: Target) {
    this.#target = target;
  }

  /** Reads the last backup's list and the journal of later runs. */
  static async open(target: Target): Promise<FileCopies> {
    const copies = new FileCopies(target);
    const last = (await listBackups(target)).at(-1);
    if (last !== undefined) {
      const { chunks } = await readManifest(target, last);
      for (const chunk of chunks.filter(({ holds }) => holds.kind === "files")) {
        for (const line of await readChunk<FileLine>(target, chunk)) copies.#learn(line);
      }
    }
    for (const name of await target.list(JOURNAL)) {
      const sha256 = /-([0-9a-f]{64})\.jsonl\.gz$/.exec(name)?.[1];
      if (sha256 === undefined) continue;
      for (const line of await readChunk<FileLine>(target, { name, sha256 })) copies.#learn(line);
    }
    return copies;
  }

  #learn(line: FileLine): void {
    this.#known.set(versionOf(line), line);
  }

  /**
   * Copies every file of the service that is not in the target yet.
   * @param found gets the files that are in the target now, by key; a later version replaces an earlier one
   * @returns how many were copied
   */
  async update(service: Service, found: Map<string, FileLine>, onProgress: (files: number) => void): Promise<number> {
    let copied = 0;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: { files: StoredFile[] } & Pick<Page, "pagination"> = await service.json(
        "GET",
        "/admin/backup/files",
        {
          query: { cursor },
        },
      );
      const fresh: FileLine[] = [];
      await forEachAtOnce(page.files, AT_ONCE, async (file) => {
        const known = this.#known.get(versionOf(file));
        const line = known === undefined ? await copyFile(service, this.#target, file) : { ...known, ...file };
        if (line === undefined) return;
        found.set(line.key, line);
        if (known === undefined) fresh.push(line);
      });
      await this.#record(fresh);
      copied += fresh.length;
      onProgress(found.size);
      cursor = page.pagination.nextCursor;
    }
    return copied;
  }

  async #record(lines: readonly FileLine[]): Promise<void> {
    if (lines.length === 0) return;
    for (const line of lines) this.#learn(line);
    const bytes = gzipSync(lines.map((line) => JSON.stringify(line)).join("\n"));
    const sha256 = hashOf(bytes);
    await this.#target.put(`${JOURNAL}${Date.now()}-${this.#journal++}-${sha256}.jsonl.gz`, bytes, sha256);
  }

  /** Deletes the journal after a complete backup has listed the files. */
  async endJournal(): Promise<void> {
    for (const name of await this.#target.list(JOURNAL)) await this.#target.delete(name);
  }
}

function versionOf({ key, etag }: Pick<FileLine, "key" | "etag">): string {
  return `${key}\n${etag}`;
}

/** Names in the target have no characters that clients chose, and no two versions of a file share a name. */
function nameOf(file: Pick<FileLine, "key" | "etag">): string {
  const hash = createHash("sha256").update(versionOf(file)).digest("hex");
  return `files/${hash.slice(0, 2)}/${hash}`;
}

/** @returns undefined if the file is gone or was replaced meanwhile @throws Error if the bytes are not those of the ETag */
async function copyFile(service: Service, target: Target, file: StoredFile): Promise<FileLine | undefined> {
  const name = nameOf(file);
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  const read = async (offset: number): Promise<Uint8Array> => {
    const length = Math.min(MAX_RANGE_BYTES, file.size - offset);
    const bytes = await service.bytes("/admin/backup/file", {
      query: { key: file.key, etag: file.etag, offset, length },
    });
    if (bytes.length !== length) throw new Error(`${file.key} ended early`);
    sha256.update(bytes);
    md5.update(bytes);
    return bytes;
  };
  const requireEtag = () => {
    if (MD5.test(file.etag) && md5.digest("hex") !== file.etag) throw new Error(`${file.key} was damaged on the way`);
  };
  try {
    const first = await read(0);
    if (first.length === file.size) {
      requireEtag();
      const hash = sha256.digest("hex");
      await target.put(name, first, hash);
      return { ...file, sha256: hash, name };
    }
    const writer = await target.begin(name);
    try {
      await writer.write(first);
      for (let offset = first.length; offset < file.size; offset += MAX_RANGE_BYTES)
        await writer.write(await read(offset));
      requireEtag();
      await writer.complete();
    } catch (error) {
      await writer.abort();
      throw error;
    }
    return { ...file, sha256: sha256.digest("hex"), name };
  } catch (error) {
    if (error instanceof ServiceRefusal && GONE.has(error.status)) return undefined;
    throw error;
  }
}
