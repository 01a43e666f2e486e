import { DROP_BYTES } from "../../domain/resumable.ts";
import { type Columns, selectList } from "../columns.ts";
import type { Alarm } from "../object-alarm.ts";
import type { Resumable, ResumableFacts, ResumableFile, ResumableState } from "./resumable.ts";

type Row = Record<string, SqlStorageValue> &
  Omit<Resumable, "facts" | "file" | "isWanted"> & { facts: string; file: string | null; isWanted: number };

const COLUMNS: Columns<Resumable> = {
  id: "id",
  length: "length",
  offset: "offset",
  tailStart: "tail_start",
  reservedBytes: "reserved_bytes",
  facts: "facts",
  file: "file",
  nextPart: "next_part",
  writer: "writer",
  leaseUntil: "lease_until",
  isWanted: "is_wanted",
  state: "state",
  touchedAt: "touched_at",
  createdAt: "created_at",
  dueAt: "due_at",
};
/** The tail ends at the offset. A drop writes only the tail's row (`ResumableBytes.addDrop`). */
const OFFSET =
  "coalesce((SELECT start + length(bytes) FROM resumable_tails AS tail WHERE tail.id = resumables.id ORDER BY start DESC LIMIT 1), offset)";
const SELECT = `SELECT ${selectList({ ...COLUMNS, offset: OFFSET })} FROM resumables`;
const PUT = `INSERT OR REPLACE INTO resumables (${Object.values(COLUMNS)}) VALUES (${Object.keys(COLUMNS).map(() => "?")})`;

/** Uploads in pieces: their facts and the bytes that have arrived. All calls are synchronous. */
export class ResumableTable {
  readonly bytes: ResumableBytes;
  readonly #sql: SqlStorage;
  readonly #alarm: Alarm;
  /** The ends of leases that were renewed since they were stored, by writer. If an object loses them, another request may write sooner. */
  readonly #renewed = new Map<string, number>();

  constructor(sql: SqlStorage, alarm: Alarm) {
    this.#sql = sql;
    this.#alarm = alarm;
    this.bytes = new ResumableBytes(sql);
    sql.exec(`
      CREATE TABLE IF NOT EXISTS resumables (
        id TEXT PRIMARY KEY,
        length INTEGER,
        offset INTEGER NOT NULL,
        tail_start INTEGER NOT NULL,
        reserved_bytes INTEGER NOT NULL,
        facts TEXT NOT NULL,
        file TEXT,
        next_part INTEGER NOT NULL,
        writer TEXT,
        lease_until INTEGER NOT NULL,
        is_wanted INTEGER NOT NULL,
        state TEXT NOT NULL,
        touched_at INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        due_at INTEGER NOT NULL
      ) WITHOUT ROWID;
    `);
  }

  find(id: string): Resumable | undefined {
    const [row] = this.#sql.exec<Row>(`${SELECT} WHERE id = ?`, id).toArray();
    return row === undefined ? undefined : this.#withLease(toResumable(row));
  }

  /** Renews a lease without writing a row. */
  renewLease(writer: string, until: number): void {
    const now = Date.now();
    for (const [each, endsAt] of this.#renewed) if (endsAt < now) this.#renewed.delete(each);
    this.#renewed.set(writer, until);
  }

  #withLease(upload: Resumable): Resumable {
    const renewed = upload.writer === null ? undefined : this.#renewed.get(upload.writer);
    return renewed === undefined ? upload : { ...upload, leaseUntil: Math.max(upload.leaseUntil, renewed) };
  }

  put(upload: Resumable): void {
    const row = toRow(upload);
    this.#sql.exec(PUT, ...Object.keys(COLUMNS).map((property) => row[property] ?? null));
    this.#alarm.bringForward(upload.dueAt);
  }

  /** Removes an upload and all its bytes in this object. */
  delete(id: string): void {
    this.#sql.exec("DELETE FROM resumables WHERE id = ?", id);
    this.bytes.drop(id);
  }

  /** Newest first. */
  list(state: ResumableState, limit: number): Resumable[] {
    return this.#sql
      .exec<Row>(`${SELECT} WHERE state = ? ORDER BY id DESC LIMIT ?`, state, limit)
      .toArray()
      .map((row) => this.#withLease(toResumable(row)));
  }

  listDue(now: number, limit: number): Resumable[] {
    return this.#sql
      .exec<Row>(`${SELECT} WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit)
      .toArray()
      .map((row) => this.#withLease(toResumable(row)));
  }

  nextDueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(due_at) AS at FROM resumables").one().at;
  }

  get reservedBytes(): number {
    const { bytes } = this.#sql
      .exec<{ bytes: number }>("SELECT coalesce(sum(reserved_bytes), 0) AS bytes FROM resumables")
      .one();
    return bytes;
  }

  /** The reservations of a token's unfinished uploads, by upload. */
  heldBy(tokenId: string): [uploadId: string, reservedBytes: number][] {
    return this.#sql
      .exec<{ id: string; bytes: number }>(
        "SELECT id, reserved_bytes AS bytes FROM resumables WHERE state = 'receiving' AND json_extract(facts, '$.tokenId') = ?",
        tokenId,
      )
      .toArray()
      .map(({ id, bytes }) => [id, bytes]);
  }

  /** The unfinished uploads of all upload tokens. */
  countOfTokens(): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM resumables WHERE state = 'receiving' AND json_extract(facts, '$.tokenId') IS NOT NULL",
      )
      .one().n;
  }

  count(state: ResumableState): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM resumables WHERE state = ?", state).one().n;
  }

  /** Clears the reservation of an upload whose end is announced, because its intent has the reservation and it must not count twice. */
  clearReservation(id: string): void {
    this.#sql.exec("UPDATE resumables SET reserved_bytes = 0 WHERE id = ? AND reserved_bytes > 0", id);
  }

  /** Marks an upload as stored until `dueAt`, and removes its bytes in this object. */
  settle(id: string, dueAt: number): void {
    const settled = this.#sql.exec(
      "UPDATE resumables SET state = 'done', offset = length, writer = NULL, reserved_bytes = 0, due_at = ? WHERE id = ?",
      dueAt,
      id,
    );
    if (settled.rowsWritten === 0) return;
    this.bytes.drop(id);
    this.#alarm.bringForward(dueAt);
  }
}

function toResumable(row: Row): Resumable {
  return {
    ...row,
    facts: JSON.parse(row.facts) as ResumableFacts,
    file: row.file === null ? null : (JSON.parse(row.file) as ResumableFile),
    isWanted: row.isWanted !== 0,
  };
}

function toRow(upload: Resumable): Row {
  return {
    ...upload,
    facts: JSON.stringify(upload.facts),
    file: upload.file === null ? null : JSON.stringify(upload.file),
    isWanted: upload.isWanted ? 1 : 0,
  };
}

/** The bytes of uploads in pieces: R2's parts, and tails, which are shorter than a part. All calls are synchronous. */
class ResumableBytes {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS resumable_parts (
        id TEXT NOT NULL,
        number INTEGER NOT NULL,
        etag TEXT NOT NULL,
        PRIMARY KEY (id, number)
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS resumable_tails (
        id TEXT NOT NULL,
        start INTEGER NOT NULL,
        bytes BLOB NOT NULL,
        PRIMARY KEY (id, start)
      );
    `);
  }

  putPart(id: string, { partNumber, etag }: R2UploadedPart): void {
    this.#sql.exec("INSERT OR REPLACE INTO resumable_parts (id, number, etag) VALUES (?, ?, ?)", id, partNumber, etag);
    this.#sql.exec("DELETE FROM resumable_tails WHERE id = ?", id);
  }

  hasPart(id: string, { partNumber, etag }: R2UploadedPart): boolean {
    return this.#sql
      .exec("SELECT 1 FROM resumable_parts WHERE id = ? AND number = ? AND etag = ?", id, partNumber, etag)
      .toArray()
      .some(Boolean);
  }

  listParts(id: string): R2UploadedPart[] {
    return this.#sql
      .exec<{ partNumber: number; etag: string }>(
        "SELECT number AS partNumber, etag FROM resumable_parts WHERE id = ? ORDER BY number",
        id,
      )
      .toArray();
  }

  putTail(id: string, start: number, bytes: Uint8Array): void {
    this.#sql.exec("INSERT OR REPLACE INTO resumable_tails (id, start, bytes) VALUES (?, ?, ?)", id, start, bytes);
  }

  /** Appends a few bytes to the tail's last row while that is small: one row is written. @param start the tail's end */
  addDrop(id: string, start: number, bytes: Uint8Array): void {
    const [last] = this.#sql
      .exec<{ start: number; bytes: ArrayBuffer }>(
        "SELECT start, bytes FROM resumable_tails WHERE id = ? AND start + length(bytes) = ? AND length(bytes) + ? <= ? ORDER BY start DESC LIMIT 1",
        id,
        start,
        bytes.length,
        DROP_BYTES,
      )
      .toArray();
    if (last === undefined) {
      this.putTail(id, start, bytes);
      return;
    }
    const joined = new Uint8Array(last.bytes.byteLength + bytes.length);
    joined.set(new Uint8Array(last.bytes));
    joined.set(bytes, last.bytes.byteLength);
    this.#sql.exec("UPDATE resumable_tails SET bytes = ? WHERE id = ? AND start = ?", joined, id, last.start);
  }

  /** Reads the tail from `start`: at least one piece, and about `bytes` bytes. */
  readTail(id: string, start: number, bytes: number): Uint8Array[] {
    const pieces: Uint8Array[] = [];
    let length = 0;
    const rows = this.#sql.exec<{ bytes: ArrayBuffer }>(
      "SELECT bytes FROM resumable_tails WHERE id = ? AND start >= ? ORDER BY start",
      id,
      start,
    );
    for (const row of rows) {
      pieces.push(new Uint8Array(row.bytes));
      length += row.bytes.byteLength;
      if (length >= bytes) break;
    }
    return pieces;
  }

  /** Removes all parts and bytes of an upload. */
  drop(id: string): void {
    this.#sql.exec("DELETE FROM resumable_parts WHERE id = ?", id);
    this.#sql.exec("DELETE FROM resumable_tails WHERE id = ?", id);
  }
}
