import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import type { RecordedView } from "../../../src/cdn/views.ts";
import { migrate } from "../../../src/db/migrate.ts";
import { newId } from "../../../src/domain/ids.ts";
import { bundleWorker } from "../../../src/tools/local/bundle-worker.ts";
import { findWorkerd } from "../../bench/support/memory.ts";
import { readMigrations } from "../stack/read-migrations.ts";

/** The operations that an account's object has counted, and the ids in its log. */
export interface Counted {
  readonly ids: string[];
  readonly tenths: number;
}

/** `crash-worker.ts` on its own state folder, in a process that can be killed and restarted. */
export class CrashStack {
  readonly #stateDir: string;
  readonly #modules: Awaited<ReturnType<typeof bundleWorker>>;
  readonly #faultsEvery: number;
  #miniflare: Miniflare | undefined;
  #url = new URL("http://127.0.0.1");

  private constructor(stateDir: string, modules: Awaited<ReturnType<typeof bundleWorker>>, faultsEvery: number) {
    this.#stateDir = stateDir;
    this.#modules = modules;
    this.#faultsEvery = faultsEvery;
  }

  /** @param faultsEvery one call in this number fails; 0: none */
  static async start(faultsEvery: number): Promise<CrashStack> {
    const stateDir = await mkdtemp(join(tmpdir(), "media-host-views-"));
    const modules = await bundleWorker("test/support/views/crash-worker.ts", { minify: false });
    const stack = new CrashStack(stateDir, modules, faultsEvery);
    await stack.restart();
    if (stack.#miniflare !== undefined) {
      await migrate(await stack.#miniflare.getD1Database("DB"), await readMigrations("directory"));
    }
    return stack;
  }

  async restart(): Promise<void> {
    const objects = ["AccountMeter", "ViewJournal", "KeptQueue"].map((className) => [
      className.replace(/(?<=[a-z])(?=[A-Z])/, "_").toUpperCase(),
      { className, useSQLite: true },
    ]);
    this.#miniflare = new Miniflare({
      ...convertV4MiniflareOptions({
        cf: false,
        log: new Log(LogLevel.NONE),
        workers: [
          {
            name: "crash",
            modules: this.#modules,
            compatibilityDate: "2026-10-01",
            compatibilityFlags: ["nodejs_compat"],
            unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
            durableObjects: Object.fromEntries(objects),
            d1Databases: ["DB"],
            r2Buckets: ["FILES"],
            bindings: {
              VIEW_FLUSH_SECONDS: "1",
              INTENT_TIMEOUT_SECONDS: "120",
              FAULTS_EVERY: String(this.#faultsEvery),
              // The queue's consumer also opens the media processor's binding.
              MEDIA_PROCESSOR_URL: "http://127.0.0.1:1",
              MEDIA_SOURCE_URL: "http://127.0.0.1:1",
              CDN_URL: "",
            },
          },
        ],
      }),
      resourcePersistencePath: this.#stateDir,
    });
    await this.#miniflare.ready;
    this.#url = await this.#miniflare.unsafeGetDirectURL("crash");
  }

  /** An account in the database, so that its object counts. @returns its id */
  async openAccount(): Promise<string> {
    const id = newId(Date.now());
    const db = await this.#miniflare?.getD1Database("DB");
    await db
      ?.prepare(
        `INSERT INTO accounts (id, email, password_hash, tier, auto_compress, compression_quality, shard, created_at)
         VALUES (?, ?, '', 'business', 0, 65, '00', 0)`,
      )
      .bind(id, `${id}@example.com`)
      .run();
    return id;
  }

  /** @throws Error if the process is gone */
  async view(accountId: string): Promise<RecordedView> {
    return this.#get<RecordedView>(`/view?account=${accountId}`);
  }

  async isSettled(): Promise<boolean> {
    return this.#get<boolean>("/settled");
  }

  async counted(accountId: string): Promise<Counted> {
    return this.#get<Counted>(`/counted?account=${accountId}`);
  }

  /** Ends the process like a power cut. */
  async kill(): Promise<void> {
    process.kill(await findWorkerd(), "SIGKILL");
    await this.#miniflare?.dispose().catch(() => {});
  }

  async dispose(): Promise<void> {
    await this.#miniflare?.dispose().catch(() => {});
    await rm(this.#stateDir, { recursive: true, force: true });
  }

  async #get<T>(path: string): Promise<T> {
    const response = await fetch(new URL(path, this.#url));
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return (await response.json()) as T;
  }
}
