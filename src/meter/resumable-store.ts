import type { MediaType } from "../domain/media-types.ts";

/** What a client said of an upload when it created it. */
export interface ResumableFacts {
  /** `Upload-Metadata` as it was sent; null where there was none. */
  readonly metadata: string | null;
  readonly filename: string;
  /** Null is Root. */
  readonly folderId: string | null;
  readonly tags: string[];
  /** The key that pays for it, null for a session. */
  readonly keyId: string | null;
}

/** What its first part has shown. */
export interface ResumableFile {
  readonly objectKey: string;
  readonly originalFilename: string;
  readonly mimeType: MediaType;
  readonly width: number;
  readonly height: number;
  readonly multipartId: string;
}

/** `removed`: nobody can reach it any more; its R2 upload has still to be aborted. */
export type ResumableState = "receiving" | "done" | "removed";

/** An upload that comes in pieces. Sizes are bytes, times milliseconds since the epoch. */
export interface Resumable {
  readonly id: string;
  /** Null as long as the client has not said it. */
  readonly length: number | null;
  /** So many bytes are kept: those before `tailStart` in R2's parts, the others in the tail. */
  readonly offset: number;
  readonly tailStart: number;
  readonly reservedBytes: number;
  readonly facts: ResumableFacts;
  /** Null until its first part was begun. */
  readonly file: ResumableFile | null;
  readonly nextPart: number;
  /** The request that may write to it, until `leaseUntil`; null where there is none. */
  readonly writer: string | null;
  readonly leaseUntil: number;
  /** Whether another request waits for the writer to stop. */
  readonly isWanted: boolean;
  readonly state: ResumableState;
  /** When the last byte came. */
  readonly touchedAt: number;
  readonly createdAt: number;
  /** When the alarm looks at it next. */
  readonly dueAt: number;
}

interface Row extends Record<string, SqlStorageValue> {
  id: string;
  length: number | null;
  offset: number;
  tail_start: number;
  reserved_bytes: number;
  facts: string;
  file: string | null;
  next_part: number;
  writer: string | null;
  lease_until: number;
  is_wanted: number;
  state: string;
  touched_at: number;
  created_at: number;
  due_at: number;
}

const COLUMNS = [
  ...["id", "length", "offset", "tail_start", "reserved_bytes", "facts", "file", "next_part", "writer", "lease_until"],
  ...["is_wanted", "state", "touched_at", "created_at", "due_at"],
];

/** Uploads that come in pieces: what is known of them, R2's parts, and the bytes that are less than a part. All calls are synchronous. */
export class ResumableStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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

  find(id: string): Resumable | undefined {
    const [row] = this.#sql.exec<Row>(`SELECT ${COLUMNS} FROM resumables WHERE id = ?`, id).toArray();
    return row === undefined ? undefined : toResumable(row);
  }

  put(upload: Resumable): void {
    const row = toRow(upload);
    this.#sql.exec(
      `INSERT OR REPLACE INTO resumables (${COLUMNS}) VALUES (${COLUMNS.map(() => "?")})`,
      ...COLUMNS.map((name) => row[name] ?? null),
    );
  }

  /** Forgets an upload and all its bytes here. */
  delete(id: string): void {
    this.#sql.exec("DELETE FROM resumables WHERE id = ?", id);
    this.dropBytes(id);
  }

  dropBytes(id: string): void {
    this.#sql.exec("DELETE FROM resumable_parts WHERE id = ?", id);
    this.#sql.exec("DELETE FROM resumable_tails WHERE id = ?", id);
  }

  /** Newest first. */
  list(state: ResumableState, limit: number): Resumable[] {
    return this.#sql
      .exec<Row>(`SELECT ${COLUMNS} FROM resumables WHERE state = ? ORDER BY id DESC LIMIT ?`, state, limit)
      .toArray()
      .map(toResumable);
  }

  listDue(now: number, limit: number): Resumable[] {
    return this.#sql
      .exec<Row>(`SELECT ${COLUMNS} FROM resumables WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit)
      .toArray()
      .map(toResumable);
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

  count(state: ResumableState): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM resumables WHERE state = ?", state).one().n;
  }

  /** Moves an upload's reservation to where its end is announced: it must not count twice. */
  clearReservation(id: string): void {
    this.#sql.exec("UPDATE resumables SET reserved_bytes = 0 WHERE id = ? AND reserved_bytes > 0", id);
  }

  /** An upload is stored: it is known as one until `dueAt`, and its bytes here are no more needed. */
  settle(id: string, dueAt: number): void {
    const settled = this.#sql.exec(
      "UPDATE resumables SET state = 'done', offset = length, writer = NULL, reserved_bytes = 0, due_at = ? WHERE id = ?",
      ...[dueAt, id],
    );
    if (settled.rowsWritten > 0) this.dropBytes(id);
  }

  putPart(id: string, { partNumber, etag }: R2UploadedPart): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO resumable_parts (id, number, etag) VALUES (?, ?, ?)",
      ...[id, partNumber, etag],
    );
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

  /** The bytes of the tail from `start` on, at least one piece and about as many bytes as asked for. */
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
}

function toResumable(row: Row): Resumable {
  return {
    id: row.id,
    length: row.length,
    offset: row.offset,
    tailStart: row.tail_start,
    reservedBytes: row.reserved_bytes,
    facts: JSON.parse(row.facts) as ResumableFacts,
    file: row.file === null ? null : (JSON.parse(row.file) as ResumableFile),
    nextPart: row.next_part,
    writer: row.writer,
    leaseUntil: row.lease_until,
    isWanted: row.is_wanted !== 0,
    state: row.state as ResumableState,
    touchedAt: row.touched_at,
    createdAt: row.created_at,
    dueAt: row.due_at,
  };
}

function toRow(upload: Resumable): Row {
  return {
    id: upload.id,
    length: upload.length,
    offset: upload.offset,
    tail_start: upload.tailStart,
    reserved_bytes: upload.reservedBytes,
    facts: JSON.stringify(upload.facts),
    file: upload.file === null ? null : JSON.stringify(upload.file),
    next_part: upload.nextPart,
    writer: upload.writer,
    lease_until: upload.leaseUntil,
    is_wanted: upload.isWanted ? 1 : 0,
    state: upload.state,
    touched_at: upload.touchedAt,
    created_at: upload.createdAt,
    due_at: upload.dueAt,
  };
}
