import { PART_BYTES } from "../../domain/parts.ts";
import { DROP_BYTES, DROP_EVERY_MS, MAX_DROP_WAIT_MS, MAX_UNFINISHED, MAX_WRITERS } from "../../domain/resumable.ts";
import { visitorShare } from "../../domain/upload-token.ts";
import type { AccountTables } from "../account/account-tables.ts";
import { type TokenUsedUp, usedUp } from "../books/figures.ts";
import { uploadIntentId } from "../intents/intent.ts";
import type {
  Drop,
  DropOutcome,
  NewResumable,
  ReceivedPart,
  ResumableClaim,
  ResumableCreation,
  ResumableOpening,
  ResumableWrite,
  StorageFull,
  UnfinishedUpload,
} from "./outcomes.ts";
import type { Resumable, ResumableFile } from "./resumable.ts";
import { ResumableEnds, type ResumableEndsOptions } from "./resumable-ends.ts";
import { ResumableRecords, WriterTurns } from "./writer-turns.ts";

/** A writer that has not renewed its lease for this long is replaced; it renews every two seconds. */
const LEASE_MS = 6000;
/** While bytes arrive, the time of the last one is stored again after this interval at the latest. */
const TOUCH_EVERY_MS = 60_000;

type NoRoom = StorageFull | TokenUsedUp;

export type ResumableProtocolOptions = Omit<ResumableEndsOptions, "records" | "endTurn">;

/**
 * Uploads in pieces, over many requests. `offset` changes only in the transaction that stores the bytes, so that an answered offset is
 * never lost. One request writes at a time. A second request asks it to stop, or takes over if it is gone. An upload is no intent until all
 * bytes have arrived (`ends`), so an upload that waits for days does not delay a move of the library.
 */
export class ResumableProtocol {
  readonly #options: ResumableProtocolOptions;
  readonly #records: ResumableRecords;
  readonly #turns: WriterTurns;
  readonly ends: ResumableEnds;
  /** The times at which the next drops of the owner and of visitors are due. An idle object forgets them, after ten seconds without drops. */
  readonly #nextDropAt = new Map<"owner" | "visitors", number>();

  constructor(options: ResumableProtocolOptions) {
    this.#options = options;
    this.#records = new ResumableRecords(options.tables, options.timeoutMs);
    this.#turns = new WriterTurns({ ...options, records: this.#records });
    this.ends = new ResumableEnds({ ...options, records: this.#records, endTurn: (id) => this.#turns.end(id) });
  }

  /** Announces an upload and reserves storage for all of it, if its length is known. */
  create({ id, length, facts }: NewResumable): ResumableCreation {
    const figures = this.#tables.ledger.figures(Date.now());
    const now = Date.now();
    const known = this.#store.find(id);
    if (known !== undefined) return { outcome: "created", upload: known, figures };
    if (this.#store.count("receiving") >= MAX_UNFINISHED) return { outcome: "too-many" };
    const { tokenId } = facts;
    const room = tokenId === undefined ? undefined : this.#tables.roomOfToken(tokenId, id);
    if (tokenId !== undefined) {
      if (room === undefined) return { outcome: "refused" };
      if (this.#store.countOfTokens() >= visitorShare(MAX_UNFINISHED, this.#tables.ledger.tier))
        return { outcome: "too-many" };
      if (room.files < 1) return usedUp(room, "maxFiles");
    }
    const reservedBytes = length ?? 0;
    if (this.#tables.freeBytes <= 0 || this.#tables.freeBytes < reservedBytes) return this.#storageFull();
    if (room !== undefined && (room.bytes <= 0 || room.bytes < reservedBytes)) return usedUp(room, "maxBytes");
    const upload: Resumable = {
      id,
      length,
      facts,
      reservedBytes,
      offset: 0,
      tailStart: 0,
      file: null,
      nextPart: 1,
      writer: null,
      leaseUntil: 0,
      isWanted: false,
      state: "receiving",
      dueAt: 0,
      touchedAt: now,
      createdAt: now,
    };
    return { outcome: "created", upload: this.#records.put(upload), figures };
  }

  /** Lets a request write when no other request writes. */
  async open(id: string, claim: ResumableClaim): Promise<ResumableOpening> {
    const upload = await this.#turns.wait(id, claim);
    if (upload === undefined) return { outcome: "unknown" };
    if (upload === "held") return { outcome: "held" };
    if (upload.state === "done") return { outcome: claim.offset === undefined ? "idle" : "done", upload };
    if (this.#hasMostWriters(upload)) return { outcome: "held" };
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
    if ("outcome" in grown) return grown;
    const leaseUntil = Date.now() + LEASE_MS;
    const held = { ...grown, length: length ?? null, writer, leaseUntil, isWanted: false };
    return { outcome: "opened", upload: this.#records.put(held) };
  }

  /** Records the facts of the first part, and R2's multipart upload. */
  begin(id: string, writer: string, file: ResumableFile): ResumableWrite {
    return this.#write(id, writer, (upload) => ({ ...upload, file }));
  }

  /** Records a part that R2 has, and removes its bytes from the tail. */
  commitPart(id: string, writer: string, { part, endsAt, states }: ReceivedPart, release: boolean): ResumableWrite {
    return this.#write(
      id,
      writer,
      (upload) => {
        if (this.#store.bytes.hasPart(id, part)) return upload;
        const grown = this.#reserve(upload, endsAt);
        if ("outcome" in grown) return grown;
        this.#store.bytes.putPart(id, part);
        const file = grown.file && { ...grown.file, ...states };
        return {
          ...grown,
          file,
          offset: endsAt,
          tailStart: endsAt,
          nextPart: part.partNumber + 1,
          touchedAt: Date.now(),
        };
      },
      release,
    );
  }

  /** Stores bytes that are less than a part. @param start their position, which is the end of the bytes before them */
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
        // A repeated call.
        if (start < upload.offset) return upload;
        const endsAt = start + pieces.reduce((sum, { length }) => sum + length, 0);
        const grown = this.#reserve(upload, endsAt);
        if ("outcome" in grown) return grown;
        if (start > upload.offset) return this.#storageFull();
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

  /** Stores a few bytes in one transaction of one row, if no request writes to the upload and they complete nothing. */
  addDrop(id: string, { offset, length, bytes, sniffedBytes }: Drop): DropOutcome {
    const upload = this.#records.find(id);
    const endsAt = offset + bytes.length;
    const isSimple =
      upload?.state === "receiving" &&
      upload.writer === null &&
      upload.offset === offset &&
      (length === undefined || length === upload.length) &&
      endsAt < (upload.length ?? Number.POSITIVE_INFINITY) &&
      endsAt - upload.tailStart < PART_BYTES &&
      (offset >= sniffedBytes || endsAt < sniffedBytes);
    if (!isSimple) return { outcome: "writer-needed" };
    const now = Date.now();
    // Visitors' drops do not delay the owner's.
    const sender = upload.facts.tokenId === undefined ? "owner" : "visitors";
    const waitMs = Math.max(0, Math.min((this.#nextDropAt.get(sender) ?? 0) - now, 2 * MAX_DROP_WAIT_MS));
    if (waitMs > MAX_DROP_WAIT_MS) return { outcome: "refused", retryAfterSeconds: Math.ceil(waitMs / 1000) };
    // The next drops need no row for their reservation.
    const ample = this.#reserve(upload, endsAt + DROP_BYTES);
    const grown = "outcome" in ample ? this.#reserve(upload, endsAt) : ample;
    if ("outcome" in grown) return { outcome: "writer-needed" };
    this.#storage.transactionSync(() => {
      this.#store.bytes.addDrop(id, offset, bytes);
      const isTouched = now >= upload.touchedAt + TOUCH_EVERY_MS;
      if (isTouched || grown !== upload) this.#records.put({ ...grown, offset: endsAt, touchedAt: now });
    });
    this.#nextDropAt.set(sender, now + waitMs + DROP_EVERY_MS);
    return { outcome: "added", offset: endsAt, waitMs };
  }

  readTail(id: string, start: number, bytes: number): Uint8Array[] {
    return this.#store.bytes.readTail(id, start, bytes);
  }

  /** Renews the writer's lease. */
  renew(id: string, writer: string): ResumableWrite {
    this.#tables.intents.renew(uploadIntentId(id), Date.now() + this.#options.timeoutMs());
    const upload = this.#store.find(id);
    if (upload?.state !== "receiving" || upload.writer !== writer) return { outcome: "lost" };
    this.#store.renewLease(writer, Date.now() + LEASE_MS);
    return { outcome: upload.isWanted ? "wanted" : "written", offset: upload.offset };
  }

  /** Ends the writer's lease. */
  release(id: string, writer: string): ResumableWrite {
    return this.#write(id, writer, (upload) => upload, true);
  }

  find(id: string): Resumable | undefined {
    return this.#records.find(id);
  }

  list(): UnfinishedUpload[] {
    return this.#store.list("receiving", MAX_UNFINISHED).map(({ id, length, offset, createdAt, touchedAt, facts }) => ({
      id,
      length,
      offset,
      createdAt,
      touchedAt,
      filename: facts.filename,
    }));
  }

  /** Deletes an unfinished upload when its writer has stopped. */
  async remove(id: string): Promise<"removed" | "unknown" | "held"> {
    const upload = await this.#turns.wait(id, { writer: "" });
    if (upload === undefined || upload === "held") return upload ?? "unknown";
    if (upload.state === "done") return "unknown";
    if (this.#tables.intents.find(uploadIntentId(id)) !== undefined) return "held";
    await this.ends.drop(upload);
    return "removed";
  }

  #write(
    id: string,
    writer: string,
    change: (upload: Resumable) => Resumable | NoRoom,
    release = false,
  ): ResumableWrite {
    const answer = this.#storage.transactionSync((): ResumableWrite => {
      const upload = this.#store.find(id);
      if (upload?.state !== "receiving" || upload.writer !== writer) return { outcome: "lost" };
      const changed = change(upload);
      if ("outcome" in changed) return changed;
      const lease = release ? { writer: null, isWanted: false } : { leaseUntil: Date.now() + LEASE_MS };
      this.#records.put({ ...changed, ...lease });
      return { outcome: upload.isWanted ? "wanted" : "written", offset: changed.offset };
    });
    if (release) this.#turns.end(id);
    return answer;
  }

  /** Each writer renews its lease, so an account with many writers would keep its object busy. */
  #hasMostWriters({ id, facts }: Resumable): boolean {
    const now = Date.now();
    const { tier } = this.#tables.ledger;
    const isWritten = (upload: Resumable) => upload.id !== id && upload.writer !== null && upload.leaseUntil > now;
    const writers = this.#store.list("receiving", MAX_UNFINISHED).filter(isWritten);
    if (writers.length >= MAX_WRITERS[tier]) return true;
    const visitors = writers.filter((writer) => writer.facts.tokenId !== undefined);
    return facts.tokenId !== undefined && visitors.length >= visitorShare(MAX_WRITERS, tier);
  }

  #reserve(upload: Resumable, bytes: number): Resumable | NoRoom {
    if (bytes <= upload.reservedBytes) return upload;
    if (bytes - upload.reservedBytes > this.#tables.freeBytes) return this.#storageFull();
    const { tokenId } = upload.facts;
    const room = tokenId === undefined ? undefined : this.#tables.roomOfToken(tokenId, upload.id);
    if (room !== undefined && bytes > room.bytes) return usedUp(room, "maxBytes");
    return { ...upload, reservedBytes: bytes };
  }

  #storageFull(): StorageFull {
    const { reservedBytes } = this.#tables;
    return {
      outcome: "storage-full",
      reservedBytes,
      figures: this.#tables.ledger.figures(Date.now()),
    };
  }

  get #tables(): AccountTables {
    return this.#options.tables;
  }

  get #store() {
    return this.#tables.resumables;
  }

  get #storage(): DurableObjectStorage {
    return this.#options.storage;
  }
}
