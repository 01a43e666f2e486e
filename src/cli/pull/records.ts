import { appendFile, mkdir, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST, STATE } from "./plan-paths.ts";

/** A line of the manifest: a file of the service and its copy. */
export interface PulledFile {
  readonly id: string;
  /** Below the target folder, with slashes. */
  readonly path: string;
  readonly size: number;
  /** Of the bytes on the disk. */
  readonly sha256: string;
  /** Of the download; null if the copy was found on the disk. */
  readonly etag: string | null;
  /** The copy's time of change, by which a later run knows that it is unchanged. */
  readonly mtimeMs: number;
}

/** The copies of a target folder: a manifest of complete runs, and a journal of the run in progress. */
export class Records {
  readonly #folder: string;
  readonly #files = new Map<string, PulledFile>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Reads what earlier runs copied, also interrupted ones, and keeps other runs out.
   * @throws Error if another run is in progress, or the folder cannot be written
   */
  static async open(folder: string): Promise<Records> {
    const records = new Records(folder);
    await mkdir(join(folder, STATE), { recursive: true });
    await records.#lock();
    for (const name of [MANIFEST, join(STATE, "journal.jsonl")]) {
      for (const file of await readLines(join(folder, name))) records.#files.set(file.id, file);
    }
    return records;
  }

  find(id: string): PulledFile | undefined {
    return this.#files.get(id);
  }

  all(): readonly PulledFile[] {
    return [...this.#files.values()];
  }

  /** Records copies before they get their names. The first line break ends a line that a crash cut. */
  async add(files: readonly PulledFile[]): Promise<void> {
    for (const file of files) this.#files.set(file.id, file);
    await appendFile(this.#journal, `\n${files.map((file) => JSON.stringify(file)).join("\n")}\n`);
  }

  /** Writes the manifest as a whole, in the order of the paths. */
  async complete(ids: ReadonlySet<string>): Promise<void> {
    const lines = this.all()
      .filter(({ id }) => ids.has(id))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map((file) => `${JSON.stringify(file)}\n`);
    const fresh = join(this.#folder, STATE, "manifest.part");
    await writeFile(fresh, lines.join(""));
    await rename(fresh, join(this.#folder, MANIFEST));
    await rm(this.#journal, { force: true });
  }

  async close(): Promise<void> {
    await rm(this.#lockPath, { force: true });
  }

  get #journal(): string {
    return join(this.#folder, STATE, "journal.jsonl");
  }

  get #lockPath(): string {
    return join(this.#folder, STATE, "lock");
  }

  /** A killed run leaves its lock, which names a process that does not exist any more. */
  async #lock(): Promise<void> {
    for (;;) {
      const file = await open(this.#lockPath, "wx").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return undefined;
        throw error;
      });
      if (file !== undefined) {
        await file.writeFile(String(process.pid));
        return file.close();
      }
      const pid = Number(await readFile(this.#lockPath, "utf8").catch(() => ""));
      if (isAlive(pid)) throw new Error(`another run (process ${pid}) writes to ${this.#folder}`);
      await rm(this.#lockPath, { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function readLines(path: string): Promise<PulledFile[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").flatMap((line) => {
    try {
      const file = JSON.parse(line) as PulledFile;
      return typeof file.id === "string" && isInside(file.path) && typeof file.sha256 === "string" ? [file] : [];
    } catch {
      return [];
    }
  });
}

/** A manifest that somebody changed must not lead out of the folder. */
function isInside(path: unknown): boolean {
  return typeof path === "string" && path !== "" && !/^[/\\]|(^|[/\\])\.\.([/\\]|$)|^[a-z]:/i.test(path);
}
