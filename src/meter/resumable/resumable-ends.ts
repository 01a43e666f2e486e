import { toLogLine } from "../../domain/log-line.ts";
import { expiresAt, FINISHED_MS, MAX_UNFINISHED } from "../../domain/resumable.ts";
import { Turns } from "../../isolate/calls.ts";
import type { AccountTables } from "../account/account-tables.ts";
import type { AccountStores } from "../intents/account-stores.ts";
import { isFileBlocked } from "../intents/blocked-file.ts";
import { type UploadIntent, uploadIntentId } from "../intents/intent.ts";
import { abortMultipartUpload } from "./abort-multipart-upload.ts";
import { completeMultipartUpload } from "./finish-resumable.ts";
import type { Finish, ResumableCompletion } from "./outcomes.ts";
import { type Resumable, resumableKey } from "./resumable.ts";
import type { ResumableRecords } from "./writer-turns.ts";

/** The delay after a sweep that failed, or an end that has to wait. */
const SWEEP_AGAIN_MS = 60_000;
const SWEEPS_PER_ALARM = 50;

export interface ResumableEndsOptions {
  readonly storage: DurableObjectStorage;
  readonly tables: AccountTables;
  readonly records: ResumableRecords;
  openStores(): AccountStores;
  timeoutMs(): number;
  /** Wakes the requests that wait to write: no request writes any more. */
  endTurn(uploadId: string): void;
  /** Finishes the announced intent of this id. */
  goOn(intentId: string): Promise<void>;
}

/** Ends uploads in pieces: finished by their writer or by the alarm, deleted by their owner, or expired. An announced end is never undone. */
export class ResumableEnds {
  readonly #options: ResumableEndsOptions;
  readonly #removals = new Turns();

  constructor(options: ResumableEndsOptions) {
    this.#options = options;
  }

  /**
   * Announces the end of an upload whose bytes have all arrived, and lets R2 make one object of its parts. From now on the writer or the
   * alarm finishes it, and it is never undone.
   */
  async complete(id: string, writer: string, finish: Finish): Promise<ResumableCompletion> {
    const upload = this.#store.find(id);
    if (upload?.writer !== writer || upload.offset !== upload.length) return { outcome: "lost" };
    const announced = this.#announceEnd(upload, finish);
    if (announced !== undefined) return announced;
    const stores = this.#options.openStores();
    await completeMultipartUpload(stores.files, finish.file, this.#store.bytes.listParts(id));
    // If this call dies, the intent's replay compares the hash.
    if (finish.isSuspect === true && (await isFileBlocked(stores, resumableKey(finish.file)))) {
      await stores.files.delete(resumableKey(finish.file));
      this.#tables.intents.remove(uploadIntentId(id));
      await this.drop(upload);
      return { outcome: "blocked" };
    }
    return { outcome: "completed", figures: this.#tables.ledger.figures(Date.now()) };
  }

  /**
   * Deletes an upload on behalf of its writer, because it can never be stored: its bytes are no supported file, or another upload has its
   * external id. In the second case its end may have been announced, and its object is removed with the intent.
   */
  async discard(id: string, writer: string): Promise<void> {
    const upload = this.#store.find(id);
    if (upload?.writer !== writer) return;
    await this.drop(upload);
    if (this.#tables.intents.find(uploadIntentId(id)) !== undefined) await this.#options.goOn(uploadIntentId(id));
  }

  /** Ends an upload whose bytes `duplicateOf` has: its URL answers that upload. Its parts in R2 are removed now, or by R2 after seven days. */
  async endDuplicate(id: string, writer: string, duplicateOf: string): Promise<void> {
    const upload = this.#store.find(id);
    if (upload?.writer !== writer || upload.state !== "receiving") return;
    this.#storage.transactionSync(() => {
      const facts = { ...upload.facts, duplicateOf };
      const offset = upload.length ?? upload.offset;
      this.#store.put({
        ...upload,
        offset,
        facts,
        state: "done",
        reservedBytes: 0,
        writer: null,
        dueAt: Date.now() + FINISHED_MS,
      });
      this.#store.bytes.drop(id);
    });
    this.#options.endTurn(id);
    const { file } = upload;
    if (file !== null)
      await abortMultipartUpload(this.#options.openStores().files, resumableKey(file), file.multipartId);
  }

  /** Deletes every upload of an erased account, even while a request writes to it. */
  async dropAll(): Promise<void> {
    const all = [...this.#store.list("receiving", MAX_UNFINISHED), ...this.#store.list("removed", MAX_UNFINISHED)];
    for (const upload of all) {
      // R2 itself drops an unfinished multipart upload after seven days.
      await this.drop(upload).catch((error: unknown) => {
        console.error(toLogLine("resumable.not-dropped", { uploadId: upload.id }, error));
      });
    }
  }

  /** Handles due uploads: frees reservations of idle uploads, finishes complete uploads, deletes expired uploads. */
  async sweep(): Promise<void> {
    const endsAt = Date.now() + this.#options.timeoutMs();
    for (const { id } of this.#store.listDue(Date.now(), SWEEPS_PER_ALARM)) {
      // R2 may not answer. The next alarm continues.
      if (Date.now() >= endsAt) return;
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
    // The alarm replays that intent.
    if (this.#tables.intents.find(intentId) !== undefined) return;
    const { file, offset, length } = upload;
    if (expiresAt(upload) <= now || !this.#isAwaited(upload)) await this.drop(upload);
    else if (offset !== length) this.#records.put({ ...upload, reservedBytes: Math.min(upload.reservedBytes, offset) });
    // The client of the upload may never return. The alarm does not compress the file.
    else if (file !== null && this.#announceEnd(this.#records.passOver(upload, ""), { file }) === undefined) {
      await this.#options.goOn(intentId);
    }
  }

  /** Whether the upload belongs to no item of an import, or its item has not ended. An item may end while its runner is dead. */
  #isAwaited({ id, facts: { importItem } }: Resumable): boolean {
    return importItem === undefined || this.#tables.imports.findItem(importItem)?.uploadId === id;
  }

  /** @returns the obstacle; undefined if the end is announced */
  #announceEnd(upload: Resumable, { file, resultKey, quality }: Finish): ResumableCompletion | undefined {
    const { id, facts } = upload;
    const now = Date.now();
    const { intents } = this.#tables;
    if (intents.keepsUploadsOut) return { outcome: "moving" };
    if (!this.#tables.mayBegin(now, uploadIntentId(id))) return this.#tables.ledger.exhausted(now);
    const intent: UploadIntent = {
      kind: "upload",
      uploadId: id,
      objectKey: file.objectKey,
      keyId: facts.keyId,
      ...(facts.tokenId === undefined ? {} : { tokenId: facts.tokenId }),
      ...(facts.importItem === undefined ? {} : { importItem: facts.importItem }),
      isResumable: true,
      ...(file.visibility === undefined ? {} : { visibility: file.visibility }),
      ...(resultKey === undefined ? {} : { resultKey }),
      ...(quality === undefined ? {} : { quality }),
    };
    this.#storage.transactionSync(() => {
      intents.put(intent, upload.offset, now + this.#options.timeoutMs());
      this.#records.put({ ...upload, reservedBytes: 0 });
    });
    return undefined;
  }

  /** Frees the upload's storage and its bytes at once, and its R2 upload now or by the alarm. */
  async drop(upload: Resumable): Promise<void> {
    const { id, file } = upload;
    const removed: Resumable = { ...upload, state: "removed", reservedBytes: 0, writer: null };
    this.#storage.transactionSync(() => {
      // It keeps its due time, at which the alarm continues if this call dies.
      this.#store.put(removed);
      this.#store.bytes.drop(id);
    });
    this.#options.endTurn(id);
    try {
      await this.#removals.take(id, async () => {
        if (file !== null)
          await abortMultipartUpload(this.#options.openStores().files, resumableKey(file), file.multipartId);
        this.#store.delete(id);
      });
    } catch (error) {
      if (this.#store.find(id) !== undefined) this.#records.put(removed);
      throw error;
    }
  }

  get #tables(): AccountTables {
    return this.#options.tables;
  }

  get #store() {
    return this.#tables.resumables;
  }

  get #records(): ResumableRecords {
    return this.#options.records;
  }

  get #storage(): DurableObjectStorage {
    return this.#options.storage;
  }
}
