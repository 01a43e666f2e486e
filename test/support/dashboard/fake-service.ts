import type { UploadResult } from "../../../src/client/index.ts";
import type { Failure } from "../../../src/dashboard/uploads/judge-failure.ts";
import type { FileOutcome, Ports, SendOptions, SoughtFile } from "../../../src/dashboard/uploads/ports.ts";
import type { Target } from "../../../src/dashboard/uploads/upload-item.ts";

/** A request that the queue has sent and that waits for its answer. */
export interface Sent extends SendOptions {
  readonly files: readonly File[];
  readonly target: Target;
  /** Stores all files, and answers. */
  store(): Promise<void>;
  /** Gives these answers, file by file. A duplicate is answered with the file of this id. */
  answer(outcomes: (Failure | "stored" | { readonly duplicateOf: string })[]): Promise<void>;
  /** Fails as a whole. @param isStored whether the files were stored in spite of that */
  fail(failure: Partial<Failure>, isStored?: boolean): Promise<void>;
}

/** The service, the network and the clock of a queue under test: each event happens only on the test's command. */
export class FakeService implements Ports {
  readonly open: Sent[] = [];
  /** Every request that was ever sent. */
  readonly sent: Sent[] = [];
  readonly stored: UploadResult[] = [];
  readonly removed: string[] = [];
  readonly discarded: string[] = [];
  readonly lookedUp: SoughtFile[] = [];
  online = true;
  most = 3;
  limitBytes: number | undefined;
  #now = Date.UTC(2026, 10, 22);
  #keys = 0;
  #timers: { at: number; run: () => void }[] = [];

  send(files: readonly File[], target: Target, options: SendOptions): Promise<FileOutcome[]> {
    return new Promise((resolve, reject) => {
      const keep = (file: File) => this.#keep(file, target);
      const end = async (settle: () => void) => {
        this.open.splice(this.open.indexOf(sent), 1);
        settle();
        await settled();
      };
      const sent: Sent = {
        ...options,
        files,
        target,
        store: () => end(() => resolve(files.map(keep))),
        answer: (outcomes) =>
          end(() =>
            resolve(
              files.map((file, at): FileOutcome => {
                const outcome = outcomes[at] ?? "stored";
                if (outcome === "stored") return keep(file);
                if (!("duplicateOf" in outcome)) return { error: outcome };
                return { ...this.#resultOf(file, target), _id: outcome.duplicateOf, deduplicated: true };
              }),
            ),
          ),
        fail: (failure, isStored = false) => {
          if (isStored) files.forEach(keep);
          return end(() =>
            reject(Object.assign(new Error(failure.message ?? "failed"), { statusCode: 0, ...failure })),
          );
        },
      };
      options.signal.addEventListener("abort", () => void end(() => reject(options.signal.reason)));
      this.open.push(sent);
      this.sent.push(sent);
    });
  }

  async lookUp(sought: SoughtFile, known: ReadonlySet<string>): Promise<UploadResult | undefined> {
    this.lookedUp.push(sought);
    return this.stored.find(
      ({ _id, originalFilename, originalFileSize, folderId }) =>
        !known.has(_id) &&
        originalFilename === sought.name &&
        originalFileSize === sought.sizeBytes &&
        folderId === sought.folderId,
    );
  }

  async remove(id: string): Promise<void> {
    this.removed.push(id);
  }

  async discard({ name }: File): Promise<void> {
    this.discarded.push(name);
  }

  concurrency = () => this.most;
  storageLimitBytes = () => this.limitBytes;
  isOnline = () => this.online;
  newKey = () => `key ${++this.#keys}`;
  now = () => this.#now;
  random = () => 0.5;

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    return () => void this.#timers.splice(this.#timers.indexOf(timer), 1);
  }

  /** Lets time pass. */
  async pass(seconds: number): Promise<void> {
    this.#now += seconds * 1000;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { run } of due) run();
    await settled();
  }

  #keep(file: File, target: Target): UploadResult {
    const result = this.#resultOf(file, target);
    this.stored.push(result);
    return result;
  }

  #resultOf(file: File, { folderId, tags }: Target): UploadResult {
    return {
      _id: `id ${this.stored.length + 1}`,
      url: `https://cdn.example/${file.name}`,
      filename: file.name,
      originalFilename: file.name,
      fileSize: file.size,
      originalFileSize: file.size,
      sha256: null,
      compressed: false,
      mimeType: "image/png",
      size: { width: 0, height: 0 },
      thumbHash: null,
      dominantColor: null,
      folderId,
      tags: [...tags],
      visibility: "public" as const,
      externalId: null,
      alt: null,
      metadata: null,
      expiresAt: null,
      takenAt: null,
      camera: null,
      lens: null,
      exposure: null,
      location: null,
      focalPoint: null,
      createdAt: new Date(this.#now).toISOString(),
      type: "upload" as const,
    };
  }
}

/** Waits until all promises that can settle have done so. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}
