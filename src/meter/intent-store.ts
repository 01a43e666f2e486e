import { type Intent, intentId, type UploadIntent } from "./intent.ts";

export interface StoredIntent {
  readonly id: string;
  readonly intent: Intent;
  readonly reservedBytes: number;
  readonly dueAt: number;
  /** Replays that failed. */
  readonly attempts: number;
}

/** The due time of an intent whose replay has begun: it comes before all others, and no sign of life puts it off. */
const BEGUN_AT = 0;

interface IntentRow extends Record<string, SqlStorageValue> {
  id: string;
  payload: string;
  reserved_bytes: number;
  due_at: number;
  attempts: number;
}

/** The open intents of an account, with what they reserve and when they are due for replay. All calls are synchronous. */
export class IntentStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS intents (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        payload TEXT NOT NULL,
        reserved_bytes INTEGER NOT NULL,
        due_at INTEGER NOT NULL,
        attempts INTEGER NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS last_change (one INTEGER PRIMARY KEY CHECK (one = 1), changed_at INTEGER NOT NULL);
    `);
  }

  /** The time of a change of the account: later than every one before, though the clock may stand still or go back. */
  nextChangeAt(now: number): number {
    return this.#sql
      .exec<{ at: number }>(
        "INSERT INTO last_change (one, changed_at) VALUES (1, ?) ON CONFLICT DO UPDATE SET changed_at = max(changed_at + 1, excluded.changed_at) RETURNING changed_at AS at",
        now,
      )
      .one().at;
  }

  /** Stores an intent; it replaces an older one of the same id. */
  put(intent: Intent, reservedBytes: number, dueAt: number): string {
    const id = intentId(intent);
    this.#sql.exec(
      "INSERT OR REPLACE INTO intents (id, kind, payload, reserved_bytes, due_at, attempts) VALUES (?, ?, ?, ?, ?, 0)",
      id,
      intent.kind,
      JSON.stringify(intent),
      reservedBytes,
      dueAt,
    );
    return id;
  }

  find(id: string): StoredIntent | undefined {
    const row = this.#sql
      .exec<IntentRow>("SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE id = ?", id)
      .toArray()[0];
    return row === undefined ? undefined : toStoredIntent(row);
  }

  /** @returns whether there was such an intent */
  remove(id: string): boolean {
    return this.#sql.exec("DELETE FROM intents WHERE id = ?", id).rowsWritten > 0;
  }

  /** Removes an intent that was carried out. @returns false where it is gone, or a newer one has taken its place, which stays */
  settle({ id, intent }: StoredIntent): boolean {
    const payload = JSON.stringify(intent);
    return this.#sql.exec("DELETE FROM intents WHERE id = ? AND payload = ?", id, payload).rowsWritten > 0;
  }

  /** Marks a replay as begun: it is finished also after a crash. */
  begin(id: string): void {
    this.#sql.exec("UPDATE intents SET due_at = ? WHERE id = ?", BEGUN_AT, id);
  }

  /** Puts the replay off, unless it has begun. */
  renew(id: string, dueAt: number, multipartUploadId?: string): void {
    const stored = multipartUploadId === undefined ? undefined : this.find(id);
    if (stored?.intent.kind === "upload") {
      const intent: UploadIntent = { ...stored.intent, multipartUploadId };
      this.#sql.exec("UPDATE intents SET payload = ? WHERE id = ?", JSON.stringify(intent), id);
    }
    this.#sql.exec("UPDATE intents SET due_at = ? WHERE id = ? AND due_at > ?", dueAt, id, BEGUN_AT);
  }

  /** Lowers what an intent reserves to this, if it is more. */
  shrink(id: string, reservedBytes: number): void {
    this.#sql.exec("UPDATE intents SET reserved_bytes = min(reserved_bytes, ?) WHERE id = ?", reservedBytes, id);
  }

  /** Raises what an intent reserves to this in total, if it is less. */
  grow(id: string, reservedBytes: number): void {
    this.#sql.exec("UPDATE intents SET reserved_bytes = max(reserved_bytes, ?) WHERE id = ?", reservedBytes, id);
  }

  /** Changes what is stored under an intent's id, and nothing else of it. */
  replace(intent: Intent): void {
    this.#sql.exec("UPDATE intents SET payload = ? WHERE id = ?", JSON.stringify(intent), intentId(intent));
  }

  defer(id: string, dueAt: number): void {
    this.#sql.exec("UPDATE intents SET due_at = ?, attempts = attempts + 1 WHERE id = ?", dueAt, id);
  }

  listDue(now: number, limit: number): StoredIntent[] {
    return this.#sql
      .exec<IntentRow>(
        "SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE due_at <= ? ORDER BY due_at LIMIT ?",
        now,
        limit,
      )
      .toArray()
      .map(toStoredIntent);
  }

  /** Those that are due first. */
  list(limit: number): StoredIntent[] {
    return this.listDue(Number.MAX_SAFE_INTEGER, limit);
  }

  /** The uploads under way of a request that bears an idempotency key. */
  listClaimed(claimant: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        "SELECT id FROM intents WHERE kind = 'upload' AND json_extract(payload, '$.claim.claimant') = ?",
        claimant,
      )
      .toArray()
      .map(({ id }) => id);
  }

  nextDueAt(): number | null {
    return this.#sql.exec<{ at: number | null }>("SELECT min(due_at) AS at FROM intents").one().at;
  }

  /** Every open intent of these kinds, a bounded number of which an account can have at once: its requests are. */
  listOf(...kinds: Intent["kind"][]): StoredIntent[] {
    return this.#sql
      .exec<IntentRow>(
        "SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY id",
        JSON.stringify(kinds),
      )
      .toArray()
      .map(toStoredIntent);
  }

  /** The bytes that all intents may still take, how many uploads are under way, and how many operations of class A. */
  pending(): { reservedBytes: number; uploads: number; classA: number } {
    const row = this.#sql
      .exec<{ bytes: number; uploads: number; class_a: number }>(
        "SELECT coalesce(sum(reserved_bytes), 0) AS bytes, coalesce(sum(kind = 'upload'), 0) AS uploads, coalesce(sum(kind IN ('upload', 'delete')), 0) AS class_a FROM intents",
      )
      .one();
    return { reservedBytes: row.bytes, uploads: row.uploads, classA: row.class_a };
  }
}

function toStoredIntent(row: IntentRow): StoredIntent {
  return {
    id: row.id,
    intent: JSON.parse(row.payload) as Intent,
    reservedBytes: row.reserved_bytes,
    dueAt: row.due_at,
    attempts: row.attempts,
  };
}
