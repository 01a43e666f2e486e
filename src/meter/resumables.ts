import { MAX_UNFINISHED } from "../domain/resumable.ts";
import type { AccountBooks } from "./account-books.ts";
import { accountFigures } from "./figures.ts";
import { uploadIntentId } from "./intent.ts";
import type { Resumable, ResumableFile } from "./resumable.ts";
import type {
  NewResumable,
  ReceivedPart,
  ResumableClaim,
  ResumableCreation,
  ResumableOpening,
  ResumableWrite,
  UnfinishedUpload,
} from "./resumable-answers.ts";
import { ResumableEnds, type ResumableEndsOptions } from "./resumable-ends.ts";
import { ResumableRecords } from "./resumable-records.ts";
import { WriterTurns } from "./writer-turns.ts";

/** A writer that has shown no sign of life for this long is passed over; it shows one every two seconds. */
const LEASE_MS = 6000;

export type ResumablesOptions = Omit<ResumableEndsOptions, "records" | "turns">;

/**
 * Uploads that come in pieces, over many requests. `offset` moves only in the transaction that makes the bytes findable, so that an
 * offset that was answered is never lost. One request writes at a time; one that wants to, too, has the other stop, or passes over one that
 * is gone. Nothing here is an intent until all bytes are there (`ends`): an upload that waits for days holds up no move of the library.
 */
export class Resumables {
  readonly #options: ResumablesOptions;
  readonly #records: ResumableRecords;
  readonly #turns: WriterTurns;
  readonly ends: ResumableEnds;

  constructor(options: ResumablesOptions) {
    this.#options = options;
    this.#records = new ResumableRecords(options.books, options.timeoutMs);
    this.#turns = new WriterTurns({ ...options, records: this.#records });
    this.ends = new ResumableEnds({ ...options, records: this.#records, turns: this.#turns });
  }

  /** Announces an upload and sets storage aside for all of it, if its length is known. */
  create({ id, length, facts }: NewResumable): ResumableCreation {
    const figures = accountFigures(this.#books.ledger, Date.now());
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
    return { outcome: "created", upload: this.#records.put(upload), figures };
  }

  /** Lets a request write, once no other does. */
  async open(id: string, claim: ResumableClaim): Promise<ResumableOpening> {
    const upload = await this.#turns.wait(id, claim);
    if (upload === undefined) return { outcome: "unknown" };
    if (upload === "held") return { outcome: "held" };
    if (upload.state === "done") return { outcome: claim.offset === undefined ? "idle" : "done", upload };
    const freed = this.#records.passOver(upload, claim.writer);
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
    return { outcome: "opened", upload: this.#records.put(held) };
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
        if (this.#store.bytes.hasPart(id, part)) return upload;
        const grown = this.#reserve(upload, endsAt);
        if (grown === undefined) return undefined;
        this.#store.bytes.putPart(id, part);
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
          this.#store.bytes.putTail(id, at, piece);
          at += piece.length;
        }
        return { ...grown, offset: endsAt, touchedAt: endsAt > start ? Date.now() : upload.touchedAt };
      },
      release,
    );
  }

  readTail(id: string, start: number, bytes: number): Uint8Array[] {
    return this.#store.bytes.readTail(id, start, bytes);
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

  find(id: string): Resumable | undefined {
    return this.#records.find(id);
  }

  list(): UnfinishedUpload[] {
    return this.#store.list("receiving", MAX_UNFINISHED).map(({ id, length, offset, createdAt, touchedAt, facts }) => ({
      ...{ id, length, offset, createdAt, touchedAt },
      filename: facts.filename,
    }));
  }

  /** Drops an unfinished upload, once its writer has stopped. */
  async remove(id: string): Promise<"removed" | "unknown" | "held"> {
    const upload = await this.#turns.wait(id, { writer: "" });
    if (upload === undefined || upload === "held") return upload ?? "unknown";
    if (upload.state === "done") return "unknown";
    if (this.#books.intents.find(uploadIntentId(id)) !== undefined) return "held";
    await this.ends.drop(upload);
    return "removed";
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
      this.#records.put({ ...changed, ...lease });
      return { outcome: upload.isWanted ? "wanted" : "written", offset: changed.offset };
    });
    if (release) this.#turns.end(id);
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
    return { outcome: "storage-full", reservedBytes, figures: accountFigures(this.#books.ledger, Date.now()) } as const;
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
