import { type Columns, selectList } from "./columns.ts";
import type { Resumable, ResumableFacts, ResumableFile, ResumableState } from "./resumable.ts";
import { ResumableBytes } from "./resumable-bytes.ts";

/** As it is stored. */
type Row = Record<string, SqlStorageValue> &
  Omit<Resumable, "facts" | "file" | "isWanted"> & { facts: string; file: string | null; isWanted: number };

const COLUMNS: Columns<Resumable> = {
  ...{ id: "id", length: "length", offset: "offset", tailStart: "tail_start", reservedBytes: "reserved_bytes" },
  ...{ facts: "facts", file: "file", nextPart: "next_part", writer: "writer", leaseUntil: "lease_until" },
  ...{ isWanted: "is_wanted", state: "state", touchedAt: "touched_at", createdAt: "created_at", dueAt: "due_at" },
};
const SELECT = `SELECT ${selectList(COLUMNS)} FROM resumables`;
const PUT = `INSERT OR REPLACE INTO resumables (${Object.values(COLUMNS)}) VALUES (${Object.keys(COLUMNS).map(() => "?")})`;

/** Uploads that come in pieces: what is known of them, and the bytes that they have so far. All calls are synchronous. */
export class ResumableStore {
  readonly bytes: ResumableBytes;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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
    return row === undefined ? undefined : toResumable(row);
  }

  put(upload: Resumable): void {
    const row = toRow(upload);
    this.#sql.exec(PUT, ...Object.keys(COLUMNS).map((property) => row[property] ?? null));
  }

  /** Forgets an upload and all its bytes here. */
  delete(id: string): void {
    this.#sql.exec("DELETE FROM resumables WHERE id = ?", id);
    this.bytes.drop(id);
  }

  /** Newest first. */
  list(state: ResumableState, limit: number): Resumable[] {
    return this.#sql
      .exec<Row>(`${SELECT} WHERE state = ? ORDER BY id DESC LIMIT ?`, state, limit)
      .toArray()
      .map(toResumable);
  }

  listDue(now: number, limit: number): Resumable[] {
    return this.#sql
      .exec<Row>(`${SELECT} WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit)
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
    if (settled.rowsWritten > 0) this.bytes.drop(id);
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
