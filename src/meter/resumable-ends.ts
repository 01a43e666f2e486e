import { toLogLine } from "../domain/log-line.ts";
import { expiresAt, MAX_UNFINISHED } from "../domain/resumable.ts";
import { Turns } from "../isolate/turns.ts";
import { abortMultipartUpload } from "./abort-multipart-upload.ts";
import type { AccountBooks } from "./account-books.ts";
import { accountFigures, exhausted } from "./figures.ts";
import { completeMultipartUpload } from "./finish-resumable.ts";
import { type UploadIntent, uploadIntentId } from "./intent.ts";
import type { IntentStores } from "./intent-stores.ts";
import type { Resumable } from "./resumable.ts";
import type { Finish, ResumableCompletion } from "./resumable-answers.ts";
import type { ResumableRecords } from "./resumable-records.ts";
import type { WriterTurns } from "./writer-turns.ts";

/** Behind a sweep that failed, or an end that has to wait for others. */
const SWEEP_AGAIN_MS = 60_000;
const SWEEPS_PER_ALARM = 50;

export interface ResumableEndsOptions {
  readonly storage: DurableObjectStorage;
  readonly books: AccountBooks;
  readonly records: ResumableRecords;
  readonly turns: WriterTurns;
  openStores(): IntentStores;
  timeoutMs(): number;
  /** Whether no upload may be finished now, as the library is on its way to another shard. */
  keepsUploadsOut(): boolean;
  /** Finishes what is announced under this intent's id. */
  goOn(intentId: string): Promise<void>;
}

/**
 * How uploads that come in pieces end: finished by their writer or by the alarm, dropped by their owner, or forgotten. What was announced
 * as finished is never undone.
 */
export class ResumableEnds {
  readonly #options: ResumableEndsOptions;
  readonly #removals = new Turns();

  constructor(options: ResumableEndsOptions) {
    this.#options = options;
  }

  /**
   * All bytes are there: announces the upload's end and has R2 make one object of its parts. From here on it is finished, by the
   * writer or by the alarm, and never undone.
   */
  async complete(id: string, writer: string, finish: Finish): Promise<ResumableCompletion> {
    const upload = this.#store.find(id);
    if (upload?.writer !== writer || upload.offset !== upload.length) return { outcome: "lost" };
    const announced = this.#announceEnd(upload, finish);
    if (announced !== undefined) return announced;
    await completeMultipartUpload(this.#options.openStores().files, finish.file, this.#store.bytes.listParts(id));
    return { outcome: "completed", figures: accountFigures(this.#books.ledger, Date.now()) };
  }

  /** Drops an upload whose bytes turned out to be no file of ours, for its writer. */
  async discard(id: string, writer: string): Promise<void> {
    const upload = this.#store.find(id);
    if (upload?.writer === writer) await this.drop(upload);
  }

  /** Drops all of them, also those that are being written: their account is erased. */
  async dropAll(): Promise<void> {
    const all = [...this.#store.list("receiving", MAX_UNFINISHED), ...this.#store.list("removed", MAX_UNFINISHED)];
    for (const upload of all) {
      // What stays of it in R2 then, R2 drops by itself after seven days.
      await this.drop(upload).catch((error: unknown) => {
        console.error(toLogLine("resumable.not-dropped", { uploadId: upload.id }, error));
      });
    }
  }

  /** What is due: reservations of idle uploads, ends that nobody finished, uploads that nobody goes on with. */
  async sweep(): Promise<void> {
    for (const { id } of this.#store.listDue(Date.now(), SWEEPS_PER_ALARM)) {
      try {
        await this.#sweepOne(id);
      } catch (error) {
        console.error(toLogLine("resumable.not-swept", { uploadId: id }, error));
      }
      const left = this.#store.find(id);
      if (left !== undefined && left.dueAt <= Date.now())
        this.#store.put({ ...left, dueAt: Date.now() + SWEEP_AGAIN_MS });
    }
  }

  async #sweepOne(id: string): Promise<void> {
    const upload = this.#store.find(id);
    const now = Date.now();
    if (upload === undefined || upload.dueAt > now) return;
    if (upload.state === "removed") return this.drop(upload);
    if (upload.state === "done") {
      this.#store.delete(id);
      return;
    }
    if (upload.writer !== null && upload.leaseUntil > now) {
      this.#store.put({ ...upload, dueAt: upload.leaseUntil });
      return;
    }
    const intentId = uploadIntentId(id);
    // Its own alarm goes on with it.
    if (this.#books.intents.find(intentId) !== undefined) return;
    const { file, offset, length } = upload;
    if (expiresAt(upload) <= now) await this.drop(upload);
    else if (offset !== length) this.#records.put({ ...upload, reservedBytes: Math.min(upload.reservedBytes, offset) });
    // Its client may never ask again. What it was to be compressed to is not made here.
    else if (file !== null && this.#announceEnd(this.#records.passOver(upload, ""), { file }) === undefined) {
      await this.#options.goOn(intentId);
    }
  }

  /** @returns what stands in the way; undefined where the end is announced */
  #announceEnd(upload: Resumable, { file, resultKey, quality }: Finish): ResumableCompletion | undefined {
    const { id, facts } = upload;
    const now = Date.now();
    if (this.#options.keepsUploadsOut()) return { outcome: "moving" };
    const { intents } = this.#books;
    if (!this.#books.mayBegin(now, uploadIntentId(id))) return exhausted(this.#books.ledger, now);
    const intent: UploadIntent = {
      ...{ kind: "upload", uploadId: id, objectKey: file.objectKey, keyId: facts.keyId, isResumable: true },
      ...(resultKey === undefined ? {} : { resultKey }),
      ...(quality === undefined ? {} : { quality }),
    };
    this.#storage.transactionSync(() => {
      intents.put(intent, upload.offset, now + this.#options.timeoutMs());
      this.#records.put({ ...upload, reservedBytes: 0 });
    });
    return undefined;
  }

  /** Frees its storage and its bytes at once; R2's part of it now, or by the alarm. */
  async drop(upload: Resumable): Promise<void> {
    const { id } = upload;
    this.#storage.transactionSync(() => {
      this.#records.put({ ...upload, state: "removed", reservedBytes: 0, writer: null });
      this.#store.bytes.drop(id);
    });
    this.#options.turns.end(id);
    await this.#removals.take(id, async () => {
      const { file } = upload;
      if (file !== null) {
        const { files } = this.#options.openStores();
        await abortMultipartUpload(files, file.objectKey, file.multipartId);
      }
      this.#store.delete(id);
    });
  }

  get #books(): AccountBooks {
    return this.#options.books;
  }

  get #store() {
    return this.#books.resumables;
  }

  get #records(): ResumableRecords {
    return this.#options.records;
  }

  get #storage(): DurableObjectStorage {
    return this.#options.storage;
  }
}
