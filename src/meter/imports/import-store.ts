import {
  IMPORT_KEPT_MS,
  type Importer,
  type ImportItemFacts,
  type ImportItemRef,
  ITEM_STATES,
  type ItemError,
  type ItemState,
  MAX_ENDED_IMPORTS,
} from "../../domain/imports.ts";
import type { Alarm } from "../object-alarm.ts";
import type { ImportSlice, ItemSlice, NewImport, StoredItem } from "./import.ts";
import type { ItemCounts, StoredImport } from "./stored-import.ts";

/** Ids are digits and lower-case letters. */
const AFTER_ALL_IDS = "~";

interface ImportRow extends Record<string, SqlStorageValue> {
  id: string;
  created_at: number;
  importer: string;
  total: number;
  stopped_at: number | null;
  ended_at: number | null;
  counts: string | null;
}

interface ItemRow extends Record<string, SqlStorageValue> {
  import_id: string;
  number: number;
  facts: string;
  state: ItemState;
  attempts: number;
  upload_id: string | null;
  error: string | null;
}

const SELECT_IMPORT = "SELECT id, created_at, importer, total, stopped_at, ended_at, counts FROM imports";
const SELECT_ITEM = "SELECT import_id, number, facts, state, attempts, upload_id, error FROM import_items";

/** An item that has not ended, with the facts that an attempt needs. */
export interface OpenItem extends ImportItemRef {
  readonly facts: ImportItemFacts;
  readonly state: ItemState;
  readonly attempts: number;
  /** The upload of the last attempt; null if none was begun. */
  readonly uploadId: string | null;
  readonly error: ItemError | null;
}

/**
 * An account's imports and their items. `due_at` of an item is the end of its attempt's lease, or the time of the next attempt; it is null
 * before the first attempt and after the end. So the index by due time has only the few items that are in progress. All calls are synchronous.
 */
export class ImportStore {
  readonly #sql: SqlStorage;
  readonly #alarm: Alarm;
  readonly #onEnd: (ended: StoredImport) => void;
  /** The first number of each import from which items may be untouched. An object that forgets it looks again. */
  readonly #untouchedFrom = new Map<string, number>();

  /** @param onEnd is called with each import that has ended just now, in the same transaction */
  constructor(sql: SqlStorage, alarm: Alarm, onEnd: (ended: StoredImport) => void) {
    this.#sql = sql;
    this.#alarm = alarm;
    this.#onEnd = onEnd;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS imports (
        id TEXT PRIMARY KEY,
        created_at INTEGER NOT NULL,
        importer TEXT NOT NULL,
        importer_id TEXT,
        total INTEGER NOT NULL,
        request_key TEXT,
        fingerprint TEXT,
        stopped_at INTEGER,
        ended_at INTEGER,
        counts TEXT
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS imports_open ON imports (id) WHERE ended_at IS NULL;
      CREATE INDEX IF NOT EXISTS imports_ended ON imports (ended_at) WHERE ended_at IS NOT NULL;
      CREATE TABLE IF NOT EXISTS import_items (
        import_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        facts TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'pending',
        attempts INTEGER NOT NULL DEFAULT 0,
        due_at INTEGER,
        upload_id TEXT,
        error TEXT,
        PRIMARY KEY (import_id, number)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS import_items_due ON import_items (due_at) WHERE due_at IS NOT NULL;
    `);
  }

  add({ id, importer, items, request }: NewImport, now: number): void {
    const importerId = importer.kind === "session" ? null : importer.keyId;
    this.#sql.exec(
      "INSERT INTO imports (id, created_at, importer, importer_id, total, request_key, fingerprint) VALUES (?, ?, ?, ?, ?, ?, ?)",
      ...[
        id,
        now,
        JSON.stringify(importer),
        importerId,
        items.length,
        request?.key ?? null,
        request?.fingerprint ?? null,
      ],
    );
    for (const [number, facts] of items.entries()) {
      const row = [id, number, JSON.stringify(facts)];
      this.#sql.exec("INSERT INTO import_items (import_id, number, facts) VALUES (?, ?, ?)", ...row);
    }
  }

  /** The import that a request with this idempotency key has created. */
  findRequest(key: string): { readonly id: string; readonly fingerprint: string } | undefined {
    return this.#sql
      .exec<{ id: string; fingerprint: string }>("SELECT id, fingerprint FROM imports WHERE request_key = ?", key)
      .toArray()[0];
  }

  /** @param importerId as in `ImportSlice` */
  find(id: string, importerId?: string): StoredImport | undefined {
    const query = `${SELECT_IMPORT} WHERE id = ? AND (? IS NULL OR importer_id = ?)`;
    const [row] = this.#sql.exec<ImportRow>(query, id, importerId ?? null, importerId ?? null).toArray();
    return row && this.#toImport(row);
  }

  importerOf(id: string): Importer | undefined {
    const [row] = this.#sql.exec<ImportRow>(`${SELECT_IMPORT} WHERE id = ?`, id).toArray();
    return row && (JSON.parse(row.importer) as Importer);
  }

  /** Newest first. */
  list({ before, limit, importerId }: ImportSlice): StoredImport[] {
    return this.#sql
      .exec<ImportRow>(
        `${SELECT_IMPORT} WHERE id < ? AND (? IS NULL OR importer_id = ?) ORDER BY id DESC LIMIT ?`,
        ...[before ?? AFTER_ALL_IDS, importerId ?? null, importerId ?? null, limit],
      )
      .toArray()
      .map((row) => this.#toImport(row));
  }

  /** The items in the order of the request. */
  listItems(importId: string, { after = -1, limit }: ItemSlice): StoredItem[] {
    return this.#sql
      .exec<ItemRow>(
        `${SELECT_ITEM} WHERE import_id = ? AND number > ? ORDER BY number LIMIT ?`,
        importId,
        after,
        limit,
      )
      .toArray()
      .map(toStored);
  }

  /** The ids of imports that have not ended, oldest first. */
  listOpen(): string[] {
    const rows = this.#sql.exec<{ id: string }>("SELECT id FROM imports WHERE ended_at IS NULL ORDER BY id").toArray();
    return rows.map(({ id }) => id);
  }

  findItem({ importId, number }: ImportItemRef): OpenItem | undefined {
    const query = `${SELECT_ITEM} WHERE import_id = ? AND number = ?`;
    return this.#sql.exec<ItemRow>(query, importId, number).toArray().map(toOpen)[0];
  }

  /** The items whose attempt is over, and those whose next attempt is due. */
  listDue(now: number, limit: number): OpenItem[] {
    return this.#sql
      .exec<ItemRow>(`${SELECT_ITEM} WHERE due_at <= ? ORDER BY due_at LIMIT ?`, now, limit)
      .toArray()
      .map(toOpen);
  }

  /** The next item of an import that was never begun. */
  findUntouched(importId: string): OpenItem | undefined {
    const [row] = this.#sql
      .exec<ItemRow>(
        `${SELECT_ITEM} WHERE import_id = ? AND number >= ? AND state = 'pending' AND due_at IS NULL ORDER BY number LIMIT 1`,
        importId,
        this.#untouchedFrom.get(importId) ?? 0,
      )
      .toArray();
    this.#untouchedFrom.set(importId, row?.number ?? Number.MAX_SAFE_INTEGER);
    return row && toOpen(row);
  }

  /** The items in progress. */
  countRunning(now: number): number {
    return this.#sql
      .exec<{ n: number }>("SELECT count(*) AS n FROM import_items WHERE due_at > ? AND state = 'running'", now)
      .one().n;
  }

  begin({ importId, number }: ImportItemRef, uploadId: string, attempts: number, leaseUntil: number): void {
    this.#sql.exec(
      "UPDATE import_items SET state = 'running', upload_id = ?, attempts = ?, due_at = ? WHERE import_id = ? AND number = ?",
      ...[uploadId, attempts, leaseUntil, importId, number],
    );
    this.#alarm.bringForward(leaseUntil);
  }

  /** @returns whether the item is in progress and this is its upload */
  isBegun({ importId, number }: ImportItemRef, uploadId: string): boolean {
    const item = this.findItem({ importId, number });
    return item?.state === "running" && item.uploadId === uploadId;
  }

  renew({ importId, number }: ImportItemRef, leaseUntil: number): void {
    const query = "UPDATE import_items SET due_at = ? WHERE import_id = ? AND number = ? AND due_at IS NOT NULL";
    this.#sql.exec(query, leaseUntil, importId, number);
    this.#alarm.bringForward(leaseUntil);
  }

  /** Another attempt follows. @param uploadId the upload that it continues */
  putOff({ importId, number, attempts, uploadId, error }: Omit<OpenItem, "facts" | "state">, dueAt: number): void {
    this.#sql.exec(
      "UPDATE import_items SET state = 'pending', attempts = ?, upload_id = ?, error = ?, due_at = ? WHERE import_id = ? AND number = ?",
      ...[attempts, uploadId, error === null ? null : JSON.stringify(error), dueAt, importId, number],
    );
    this.#alarm.bringForward(dueAt);
  }

  /** Ends an item without an upload. */
  end({ importId, number }: ImportItemRef, state: "failed" | "cancelled", error: ItemError | null, now: number): void {
    this.#sql.exec(
      "UPDATE import_items SET state = ?, error = ?, upload_id = NULL, due_at = NULL WHERE import_id = ? AND number = ?",
      ...[state, error === null ? null : JSON.stringify(error), importId, number],
    );
    this.#endIfOver(importId, now);
  }

  /** Ends the items that wait for their first or for another attempt. */
  endWaiting(importId: string, state: "failed" | "cancelled", error: ItemError | null, now: number): void {
    this.#sql.exec(
      "UPDATE import_items SET state = ?, error = ?, upload_id = NULL, due_at = NULL WHERE import_id = ? AND state = 'pending'",
      ...[state, error === null ? null : JSON.stringify(error), importId],
    );
    this.#endIfOver(importId, now);
  }

  /** The upload of an item is settled, in the same transaction. */
  settle({ importId, number }: ImportItemRef, uploadId: string, now: number): void {
    this.#sql.exec(
      "UPDATE import_items SET state = 'done', error = NULL, due_at = NULL WHERE import_id = ? AND number = ? AND upload_id = ?",
      ...[importId, number, uploadId],
    );
    this.#endIfOver(importId, now);
  }

  /** A settled upload was taken back, because its request failed afterwards: its item is in progress again. */
  unsettle(uploadId: string, now: number): void {
    const undone = this.#sql
      .exec<{ import_id: string }>(
        "UPDATE import_items SET state = 'running', due_at = ? WHERE upload_id = ? AND state = 'done' RETURNING import_id",
        now,
        uploadId,
      )
      .toArray();
    for (const { import_id } of undone)
      this.#sql.exec("UPDATE imports SET ended_at = NULL, counts = NULL WHERE id = ?", import_id);
    if (undone.length > 0) this.#alarm.bringForward(now);
  }

  stop(id: string, now: number): void {
    this.#sql.exec(
      "UPDATE imports SET stopped_at = ? WHERE id = ? AND ended_at IS NULL AND stopped_at IS NULL",
      now,
      id,
    );
  }

  /** The earliest due time after `after`; null if there is none. */
  nextDueAt(after: number): number | null {
    const query = "SELECT min(due_at) AS at FROM import_items WHERE due_at > ?";
    return this.#sql.exec<{ at: number | null }>(query, after).one().at;
  }

  /** The time at which the oldest ended import is removed; null if none has ended. */
  nextPruningAt(): number | null {
    const [row] = this.#sql
      .exec<{ at: number | null }>("SELECT min(ended_at) AS at FROM imports WHERE ended_at IS NOT NULL")
      .toArray();
    return row === undefined || row.at === null ? null : row.at + IMPORT_KEPT_MS;
  }

  /** Removes imports that ended long ago, and the oldest if there are too many. */
  prune(now: number): void {
    const ids = this.#sql
      .exec<{ id: string }>(
        `SELECT id FROM imports WHERE ended_at <= ? OR id IN
           (SELECT id FROM imports WHERE ended_at IS NOT NULL ORDER BY id DESC LIMIT -1 OFFSET ?)`,
        now - IMPORT_KEPT_MS,
        MAX_ENDED_IMPORTS,
      )
      .toArray();
    for (const { id } of ids) {
      this.#sql.exec("DELETE FROM import_items WHERE import_id = ?", id);
      this.#sql.exec("DELETE FROM imports WHERE id = ?", id);
      this.#untouchedFrom.delete(id);
    }
  }

  /** An import has ended when each of its items has. */
  #endIfOver(importId: string, now: number): void {
    const query =
      "SELECT 1 FROM import_items INDEXED BY import_items_due WHERE due_at IS NOT NULL AND import_id = ? LIMIT 1";
    if (this.#sql.exec(query, importId).toArray().length > 0 || this.findUntouched(importId) !== undefined) return;
    const [ended] = this.#sql
      .exec<ImportRow>(
        "UPDATE imports SET ended_at = ?, counts = ? WHERE id = ? AND ended_at IS NULL RETURNING *",
        ...[now, JSON.stringify(this.#count(importId)), importId],
      )
      .toArray();
    this.#untouchedFrom.delete(importId);
    if (ended === undefined) return;
    this.#alarm.bringForward(now + IMPORT_KEPT_MS);
    this.#onEnd(this.#toImport(ended));
  }

  #toImport({ id, created_at, total, stopped_at, ended_at, counts }: ImportRow): StoredImport {
    return {
      id,
      createdAt: created_at,
      total,
      stoppedAt: stopped_at,
      endedAt: ended_at,
      counts: counts === null ? this.#count(id) : (JSON.parse(counts) as ItemCounts),
    };
  }

  #count(importId: string): ItemCounts {
    const rows = this.#sql
      .exec<{ state: ItemState; n: number }>(
        "SELECT state, count(*) AS n FROM import_items WHERE import_id = ? GROUP BY state",
        importId,
      )
      .toArray();
    const counts = ITEM_STATES.map((state) => [state, rows.find((row) => row.state === state)?.n ?? 0]);
    return Object.fromEntries(counts) as ItemCounts;
  }
}

function toOpen({ import_id, number, facts, state, attempts, upload_id, error }: ItemRow): OpenItem {
  return {
    importId: import_id,
    number,
    facts: JSON.parse(facts) as ImportItemFacts,
    state,
    attempts,
    uploadId: upload_id,
    error: error === null ? null : (JSON.parse(error) as ItemError),
  };
}

function toStored(row: ItemRow): StoredItem {
  const { number, facts, state, attempts, upload_id, error } = row;
  const uploadId = state === "done" ? upload_id : null;
  return { ...(JSON.parse(facts) as ImportItemFacts), number, state, attempts, uploadId, error };
}
