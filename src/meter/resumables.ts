import { secondsUntil } from "../domain/calendar.ts";
import { toLogLine } from "../domain/log-line.ts";
import { MAX_PART_NUMBER } from "../domain/parts.ts";
import { expiresAt, IDLE_MS, MAX_UNFINISHED } from "../domain/resumable.ts";
import { Turns } from "../isolate/turns.ts";
import { abortMultipartUpload } from "./abort-multipart-upload.ts";
import type { AccountBooks } from "./account-books.ts";
import type { AccountFigures } from "./figures.ts";
import { completeMultipartUpload } from "./finish-resumable.ts";
import { type UploadIntent, uploadIntentId } from "./intent.ts";
import type { IntentStores } from "./intent-stores.ts";
import type {
  Finish,
  NewResumable,
  ReceivedPart,
  ResumableClaim,
  ResumableCompletion,
  ResumableCreation,
  ResumableOpening,
  ResumableWrite,
  UnfinishedUpload,
} from "./resumable-answers.ts";
import type { Resumable, ResumableFile } from "./resumable-store.ts";

/** A writer that has shown no sign of life for this long is passed over; it shows one every two seconds. */
const LEASE_MS = 6000;
/** So long a request waits for the one that writes: a little more than a lease. */
const MAX_WAIT_MS = 8000;
/** Behind a sweep that failed, or an end that has to wait for others. */
const SWEEP_AGAIN_MS = 60_000;
const SWEEPS_PER_ALARM = 50;

export interface ResumablesOptions {
  readonly storage: DurableObjectStorage;
  readonly books: AccountBooks;
  openStores(): IntentStores;
  timeoutMs(): number;
  figures(): AccountFigures;
  /** Whether no upload may be finished now, as the library is on its way to another shard. */
  keepsUploadsOut(): boolean;
  /** Finishes what is announced under this intent's id. */
  goOn(intentId: string): Promise<void>;
}

/**
 * Uploads that come in pieces, over many requests. `offset` moves only in the transaction that makes the bytes findable, so that an
 * offset that was answered is never lost. One request writes at a time; one that wants to, too, has the other stop, or passes over one that
 * is gone. Nothing here is an intent until all bytes are there: an upload that waits for days holds up no move of the library.
 */
export class Resumables {
  readonly #options: ResumablesOptions;
  readonly #removals = new Turns();
  /** Requests that wait for a writer to stop. Those that this object forgets, as it was reset, are called again. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(options: ResumablesOptions) {
    this.#options = options;
  }

  /** Announces an upload and sets storage aside for all of it, if its length is known. */
  create({ id, length, facts }: NewResumable): ResumableCreation {
    const figures = this.#options.figures();
    const now = Date.now();
    const known = this.#store.find(id);
    if (known !== undefined) return { outcome: "created", upload: known, figures };
    if (this.#store.count("receiving") >= MAX_UNFINISHED) return { outcome: "too-many" };
    const reservedBytes = length ?? 0;
    if (this.#books.freeBytes <= 0 || this.#books.freeBytes < reservedBytes) return this.#storageFull();
    const upload: Resumable = {
      ...{ id, length, facts, reservedBytes, offset: 0, tailStart: 0, file: null, nextPart: 1 },
      ...{ writer: null, leaseUntil: 0, isWanted: false, state: "receiving", dueAt: 0, touchedAt: now, createdAt: now },
    };
    return { outcome: "created", upload: this.#put(upload), figures };
  }

  /** Lets a request write, once no other does. */
  async open(id: string, claim: ResumableClaim): Promise<ResumableOpening> {
    const upload = await this.#waitForWriter(id, claim);
    if (upload === undefined) return { outcome: "unknown" };
    if (upload === "held") return { outcome: "held" };
    if (upload.state === "done") return { outcome: claim.offset === undefined ? "idle" : "done", upload };
    const freed = this.#passOver(upload, claim.writer);
    return this.#storage.transactionSync(() => this.#claim(freed, claim));
  }

  #claim(
    upload: Resumable,
    { writer, offset, length = upload.length ?? undefined, comingBytes = 0 }: ResumableClaim,
  ): ResumableOpening {
    if (offset !== undefined && offset !== upload.offset) return { outcome: "conflict", upload };
    const isMisfit = length !== undefined && (length < upload.offset || (upload.length ?? length) !== length);
    if (isMisfit) return { outcome: "misfit", upload };
    if (offset === undefined && upload.offset !== upload.length) return { outcome: "idle", upload };
    const grown = this.#reserve(upload, length ?? upload.offset + comingBytes);
    if (grown === undefined) return this.#storageFull();
    const leaseUntil = Date.now() + LEASE_MS;
    const held = { ...grown, length: length ?? null, writer, leaseUntil, isWanted: false };
    return { outcome: "opened", upload: this.#put(held) };
  }

  /** An upload's first part was begun: what the file is, and R2's multipart upload. */
  begin(id: string, writer: string, file: ResumableFile): ResumableWrite {
    return this.#write(id, writer, (upload) => ({ ...upload, file }));
  }

  /** R2 has one more part: what the tail had of it goes. */
  commitPart(id: string, writer: string, { part, endsAt }: ReceivedPart, release: boolean): ResumableWrite {
    return this.#write(
      id,
      writer,
      (upload) => {
        if (this.#store.hasPart(id, part)) return upload;
        const grown = this.#reserve(upload, endsAt);
        if (grown === undefined) return undefined;
        this.#store.putPart(id, part);
        return { ...grown, offset: endsAt, tailStart: endsAt, nextPart: part.partNumber + 1, touchedAt: Date.now() };
      },
      release,
    );
  }

  /** Keeps bytes that are less than a part. @param start where they begin, which is where those before them end */
  appendTail(
    id: string,
    writer: string,
    start: number,
    pieces: readonly Uint8Array[],
    release: boolean,
  ): ResumableWrite {
    return this.#write(
      id,
      writer,
      (upload) => {
        // The same call, made again.
        if (start < upload.offset) return upload;
        const endsAt = start + pieces.reduce((sum, { length }) => sum + length, 0);
        const grown = this.#reserve(upload, endsAt);
        if (grown === undefined || start > upload.offset) return undefined;
        let at = start;
        for (const piece of pieces) {
          this.#store.putTail(id, at, piece);
          at += piece.length;
        }
        return { ...grown, offset: endsAt, touchedAt: endsAt > start ? Date.now() : upload.touchedAt };
      },
      release,
    );
  }

  readTail(id: string, start: number, bytes: number): Uint8Array[] {
    return this.#store.readTail(id, start, bytes);
  }

  /** A sign of life of the writer. */
  renew(id: string, writer: string): ResumableWrite {
    this.#books.intents.renew(uploadIntentId(id), Date.now() + this.#options.timeoutMs());
    return this.#write(id, writer, (upload) => upload);
  }

  /** The writer has stopped. */
  release(id: string, writer: string): ResumableWrite {
    return this.#write(id, writer, (upload) => upload, true);
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
    await completeMultipartUpload(this.#options.openStores().files, finish.file, this.#store.listParts(id));
    return { outcome: "completed", figures: this.#options.figures() };
  }

  list(): UnfinishedUpload[] {
    return this.#store.list("receiving", MAX_UNFINISHED).map(({ id, length, offset, createdAt, touchedAt, facts }) => ({
      ...{ id, length, offset, createdAt, touchedAt },
      filename: facts.filename,
    }));
  }

  find(id: string): Resumable | undefined {
    const upload = this.#store.find(id);
    return upload === undefined || upload.state === "removed" || isForgotten(upload) ? undefined : upload;
  }

  /** Drops an unfinished upload, once its writer has stopped. */
  async remove(id: string): Promise<"removed" | "unknown" | "held"> {
    const upload = await this.#waitForWriter(id, { writer: "" });
    if (upload === undefined || upload === "held") return upload ?? "unknown";
    if (upload.state === "done") return "unknown";
    if (this.#books.intents.find(uploadIntentId(id)) !== undefined) return "held";
    await this.#drop(upload);
    return "removed";
  }

  /** The same for one whose bytes turned out to be no file of ours. */
  async discard(id: string, writer: string): Promise<void> {
    const upload = this.#store.find(id);
    if (upload?.writer === writer) await this.#drop(upload);
  }

  /** Drops all of them, also those that are being written: their account is erased. */
  async dropAll(): Promise<void> {
    const all = [...this.#store.list("receiving", MAX_UNFINISHED), ...this.#store.list("removed", MAX_UNFINISHED)];
    for (const upload of all) {
      // What stays of it in R2 then, R2 drops by itself after seven days.
      await this.#drop(upload).catch((error: unknown) => {
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
    if (upload.state === "removed") return this.#drop(upload);
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
    if (expiresAt(upload) <= now) await this.#drop(upload);
    else if (offset !== length) this.#put({ ...upload, reservedBytes: Math.min(upload.reservedBytes, offset) });
    // Its client may never ask again. What it was to be compressed to is not made here.
    else if (file !== null && this.#announceEnd(this.#passOver(upload, ""), { file }) === undefined) {
      await this.#options.goOn(intentId);
    }
  }

  /** @returns what stands in the way; undefined where the end is announced */
  #announceEnd(upload: Resumable, { file, resultKey, quality }: Finish): ResumableCompletion | undefined {
    const { id, facts } = upload;
    const now = Date.now();
    if (this.#options.keepsUploadsOut()) return { outcome: "moving" };
    const { intents } = this.#books;
    if (!this.#books.mayBegin(now, uploadIntentId(id))) {
      const figures = this.#options.figures();
      const retryAfterSeconds = secondsUntil(figures.operationsResetAt, now);
      return { outcome: "operations-exhausted", retryAfterSeconds, figures };
    }
    const intent: UploadIntent = {
      ...{ kind: "upload", uploadId: id, objectKey: file.objectKey, keyId: facts.keyId, isResumable: true },
      ...(resultKey === undefined ? {} : { resultKey }),
      ...(quality === undefined ? {} : { quality }),
    };
    this.#storage.transactionSync(() => {
      intents.put(intent, upload.offset, now + this.#options.timeoutMs());
      this.#put({ ...upload, reservedBytes: 0 });
    });
    return undefined;
  }

  /** Frees its storage and its bytes at once; R2's part of it now, or by the alarm. */
  async #drop(upload: Resumable): Promise<void> {
    const { id } = upload;
    this.#storage.transactionSync(() => {
      this.#put({ ...upload, state: "removed", reservedBytes: 0, writer: null });
      this.#store.dropBytes(id);
    });
    this.#wake(id);
    await this.#removals.take(id, async () => {
      const { file } = upload;
      if (file !== null) {
        const { files } = this.#options.openStores();
        await abortMultipartUpload(files, file.objectKey, file.multipartId);
      }
      this.#store.delete(id);
    });
  }

  /** @returns the upload once nobody writes to it, or its writer is gone; `held` where that takes too long */
  async #waitForWriter(id: string, { writer, offset }: ResumableClaim): Promise<Resumable | "held" | undefined> {
    const deadline = Date.now() + MAX_WAIT_MS;
    for (;;) {
      const upload = this.find(id);
      if (upload === undefined || upload.state === "done") return upload;
      // Whatever the writer still does, it can only get further.
      if (offset !== undefined && offset < upload.offset && upload.writer !== null) return upload;
      const now = Date.now();
      if (upload.writer === null || upload.writer === writer) return upload;
      if (upload.leaseUntil <= now) {
        const finished = await this.#finishFor(upload);
        if (finished !== "waiting") return finished;
        return "held";
      }
      if (now >= deadline) return "held";
      if (!upload.isWanted) this.#store.put({ ...upload, isWanted: true });
      await this.#released(id, Math.min(upload.leaseUntil, deadline) - now + 1);
    }
  }

  /** A writer that is gone may have begun to finish the upload: that is done before anything else. */
  async #finishFor(upload: Resumable): Promise<Resumable | undefined | "waiting"> {
    const intentId = uploadIntentId(upload.id);
    const announced = this.#books.intents.find(intentId);
    if (announced?.intent.kind !== "upload" || announced.intent.isResumable !== true) return upload;
    // What it is compressed to may still be on its way to R2: only when the time of its intent has run out it is not.
    if (announced.intent.quality !== undefined && announced.dueAt > Date.now()) return "waiting";
    await this.#options.goOn(intentId);
    return this.find(upload.id);
  }

  /** A writer that is gone writes no more; a part that it sent is not mistaken for the next one. */
  #passOver(upload: Resumable, writer: string): Resumable {
    if (upload.writer === null || upload.writer === writer || upload.leaseUntil > Date.now()) return upload;
    const nextPart = Math.min(upload.nextPart + 1, MAX_PART_NUMBER);
    return this.#put({ ...upload, writer: null, isWanted: false, nextPart });
  }

  #write(
    id: string,
    writer: string,
    change: (upload: Resumable) => Resumable | undefined,
    release = false,
  ): ResumableWrite {
    const answer = this.#storage.transactionSync((): ResumableWrite => {
      const upload = this.#store.find(id);
      if (upload?.state !== "receiving" || upload.writer !== writer) return { outcome: "lost" };
      const changed = change(upload);
      if (changed === undefined) return this.#storageFull();
      const lease = release ? { writer: null, isWanted: false } : { leaseUntil: Date.now() + LEASE_MS };
      this.#put({ ...changed, ...lease });
      return { outcome: upload.isWanted ? "wanted" : "written", offset: changed.offset };
    });
    if (release) this.#wake(id);
    return answer;
  }

  /** @returns undefined where there is not so much storage */
  #reserve(upload: Resumable, bytes: number): Resumable | undefined {
    if (bytes <= upload.reservedBytes) return upload;
    if (bytes - upload.reservedBytes > this.#books.freeBytes) return undefined;
    return { ...upload, reservedBytes: bytes };
  }

  #storageFull() {
    const { reservedBytes } = this.#books;
    return { outcome: "storage-full", reservedBytes, figures: this.#options.figures() } as const;
  }

  #released(id: string, maxWaitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const done = () => {
        clearTimeout(timer);
        waiting.delete(done);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, maxWaitMs);
      waiting.add(done);
    });
  }

  #wake(id: string): void {
    for (const done of [...(this.#waiting.get(id) ?? [])]) done();
  }

  #put(upload: Resumable): Resumable {
    const put = { ...upload, dueAt: this.#dueAt(upload) };
    this.#store.put(put);
    return put;
  }

  #dueAt(upload: Resumable): number {
    const { state, touchedAt, offset, length, reservedBytes } = upload;
    if (state === "removed") return Date.now();
    if (offset === length) return Math.min(expiresAt(upload), touchedAt + this.#options.timeoutMs());
    return reservedBytes > offset ? Math.min(expiresAt(upload), touchedAt + IDLE_MS) : expiresAt(upload);
  }

  get #books(): AccountBooks {
    return this.#options.books;
  }

  get #store() {
    return this.#books.resumables;
  }

  get #storage(): DurableObjectStorage {
    return this.#options.storage;
  }
}

/** A finished upload is known as one until the alarm may delete what is left of it here. */
function isForgotten({ state, dueAt }: Resumable): boolean {
  return state === "done" && dueAt <= Date.now();
}
