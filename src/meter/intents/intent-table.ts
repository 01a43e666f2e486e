import type { Leases } from "../books/leases.ts";
import type { Alarm } from "../object-alarm.ts";
import {
  type Intent,
  intentId,
  type MoveIntent,
  type ReplaceIntent,
  replacePrefix,
  type UploadIntent,
} from "./intent.ts";

export interface StoredIntent {
  readonly id: string;
  readonly intent: Intent;
  readonly reservedBytes: number;
  readonly dueAt: number;
  /** Replays that failed. */
  readonly attempts: number;
}

export const MOVE_ID = "move";

/** The due time of an intent whose replay has begun. The intent is the first due, and cannot be renewed. */
const BEGUN_AT = 0;

/** A lease does not delay a replay that has begun. The parameter has the leased ids in JSON. */
const UNLEASED = `(due_at <= ${BEGUN_AT} OR id NOT IN (SELECT value FROM json_each(?)))`;

interface IntentRow extends Record<string, SqlStorageValue> {
  id: string;
  payload: string;
  reserved_bytes: number;
  due_at: number;
  attempts: number;
}

/** The account's open intents, their reservations and due times. All calls are synchronous. */
export class IntentTable {
  readonly #sql: SqlStorage;
  readonly #leases: Leases;
  readonly #alarm: Alarm;

  /** @param leases puts replays off while requests give signs of life */
  constructor(sql: SqlStorage, leases: Leases, alarm: Alarm) {
    this.#sql = sql;
    this.#leases = leases;
    this.#alarm = alarm;
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

  /** The time of a change of the account. It is later than every earlier change, even if the clock goes back. */
  nextChangeAt(now: number): number {
    return this.#sql
      .exec<{ at: number }>(
        "INSERT INTO last_change (one, changed_at) VALUES (1, ?) ON CONFLICT DO UPDATE SET changed_at = max(changed_at + 1, excluded.changed_at) RETURNING changed_at AS at",
        now,
      )
      .one().at;
  }

  /** Stores an intent. It replaces an older intent of the same id. */
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
    this.#alarm.bringForward(dueAt);
    return id;
  }

  find(id: string): StoredIntent | undefined {
    const row = this.#sql
      .exec<IntentRow>("SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE id = ?", id)
      .toArray()[0];
    return row === undefined ? undefined : this.#toStored(row);
  }

  /** @returns whether there was such an intent */
  remove(id: string): boolean {
    return this.#sql.exec("DELETE FROM intents WHERE id = ?", id).rowsWritten > 0;
  }

  /** Removes an intent that was carried out. @returns false if it is gone, or if a newer intent has replaced it; the newer intent stays */
  settle({ id, intent }: StoredIntent): boolean {
    const payload = JSON.stringify(intent);
    return this.#sql.exec("DELETE FROM intents WHERE id = ? AND payload = ?", id, payload).rowsWritten > 0;
  }

  /** Marks a replay as begun: it will be finished even after a crash. */
  begin(id: string): void {
    this.#sql.exec("UPDATE intents SET due_at = ? WHERE id = ?", BEGUN_AT, id);
  }

  /** Delays the replay, unless it has begun. This writes a row, so slow uploads signal to the leases instead. */
  renew(id: string, dueAt: number, multipartUploadId?: string): void {
    const stored = multipartUploadId === undefined ? undefined : this.find(id);
    if (stored?.intent.kind === "upload") {
      const intent: UploadIntent = { ...stored.intent, multipartUploadId };
      this.#sql.exec("UPDATE intents SET payload = ? WHERE id = ?", JSON.stringify(intent), id);
    }
    const renewed = this.#sql.exec("UPDATE intents SET due_at = ? WHERE id = ? AND due_at > ?", dueAt, id, BEGUN_AT);
    if (renewed.rowsWritten > 0) this.#alarm.bringForward(dueAt);
  }

  /** Lowers an intent's reservation to this size, if it is larger. */
  shrink(id: string, reservedBytes: number): void {
    this.#sql.exec("UPDATE intents SET reserved_bytes = min(reserved_bytes, ?) WHERE id = ?", reservedBytes, id);
  }

  /** Increases an intent's reservation to this total, if it is smaller. */
  grow(id: string, reservedBytes: number): void {
    this.#sql.exec("UPDATE intents SET reserved_bytes = max(reserved_bytes, ?) WHERE id = ?", reservedBytes, id);
  }

  /** Replaces an intent, but not its reservation, due time and attempts. */
  replace(intent: Intent): void {
    this.#sql.exec("UPDATE intents SET payload = ? WHERE id = ?", JSON.stringify(intent), intentId(intent));
  }

  defer(id: string, dueAt: number): void {
    this.#sql.exec("UPDATE intents SET due_at = ?, attempts = attempts + 1 WHERE id = ?", dueAt, id);
    this.#alarm.bringForward(dueAt);
  }

  listDue(now: number, limit: number): StoredIntent[] {
    return this.#sql
      .exec<IntentRow>(
        `SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE due_at <= ? AND ${UNLEASED} ORDER BY due_at LIMIT ?`,
        now,
        JSON.stringify(this.#leases.after(now)),
        limit,
      )
      .toArray()
      .map((row) => this.#toStored(row));
  }

  /** The open intents by id. @param afterId only intents after this one */
  list(limit: number, afterId = ""): StoredIntent[] {
    return this.#sql
      .exec<IntentRow>(
        "SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE id > ? ORDER BY id LIMIT ?",
        afterId,
        limit,
      )
      .toArray()
      .map((row) => this.#toStored(row));
  }

  /** The reservations of a token's uploads in progress, by upload. */
  heldBy(tokenId: string): [uploadId: string, reservedBytes: number][] {
    return this.#sql
      .exec<{ id: string; bytes: number }>(
        "SELECT json_extract(payload, '$.uploadId') AS id, reserved_bytes AS bytes FROM intents WHERE kind = 'upload' AND json_extract(payload, '$.tokenId') = ?",
        tokenId,
      )
      .toArray()
      .map(({ id, bytes }) => [id, bytes]);
  }

  /** The uploads in progress of all upload tokens. */
  countOfTokens(): number {
    return this.#sql
      .exec<{ n: number }>(
        "SELECT count(*) AS n FROM intents WHERE kind = 'upload' AND json_extract(payload, '$.tokenId') IS NOT NULL",
      )
      .one().n;
  }

  /** The uploads in progress of a claimed request. */
  listClaimed(claimant: string): string[] {
    return this.#sql
      .exec<{ id: string }>(
        "SELECT id FROM intents WHERE kind = 'upload' AND json_extract(payload, '$.claim.claimant') = ?",
        claimant,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** The time at which the first intent is due; null if there is none. */
  nextDueAt(): number | null {
    let first: number | null = null;
    for (const row of this.#sql.exec<Pick<IntentRow, "id" | "due_at">>("SELECT id, due_at FROM intents"))
      first = Math.min(first ?? Number.POSITIVE_INFINITY, this.#dueAt(row));
    return first;
  }

  /** The replacements of an upload's bytes, oldest first: those to be carried out, and second passes. */
  listReplacements(uploadId: string): (StoredIntent & { readonly intent: ReplaceIntent })[] {
    const prefix = replacePrefix(uploadId);
    return this.#sql
      .exec<IntentRow>(
        "SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE id >= ? AND id < ? ORDER BY id",
        prefix,
        `${prefix}~`,
      )
      .toArray()
      .map((row) => this.#toStored(row))
      .filter(
        (stored): stored is StoredIntent & { readonly intent: ReplaceIntent } => stored.intent.kind === "replace",
      );
  }

  /** The uploads in progress that will replace the bytes of this upload. */
  listReplacing(uploadId: string): (StoredIntent & { readonly intent: UploadIntent })[] {
    return this.#sql
      .exec<IntentRow>(
        "SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE kind = 'upload' AND json_extract(payload, '$.replaces') = ?",
        uploadId,
      )
      .toArray()
      .map((row) => this.#toStored(row))
      .filter((stored): stored is StoredIntent & { readonly intent: UploadIntent } => stored.intent.kind === "upload");
  }

  /** Every open intent of these kinds. Their number is bounded by the account's parallel requests. */
  listOf(...kinds: Intent["kind"][]): StoredIntent[] {
    return this.#sql
      .exec<IntentRow>(
        "SELECT id, payload, reserved_bytes, due_at, attempts FROM intents WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY id",
        JSON.stringify(kinds),
      )
      .toArray()
      .map((row) => this.#toStored(row));
  }

  /** The reserved bytes of all intents, the number of uploads in progress, and the number of Class A operations in progress. */
  pending(): { reservedBytes: number; uploads: number; classA: number } {
    const row = this.#sql
      .exec<{ bytes: number; uploads: number; class_a: number }>(
        "SELECT coalesce(sum(reserved_bytes), 0) AS bytes, coalesce(sum(kind = 'upload'), 0) AS uploads, coalesce(sum(kind IN ('upload', 'delete') OR (kind = 'replace' AND json_extract(payload, '$.isAgain') IS NULL)), 0) AS class_a FROM intents",
      )
      .one();
    return { reservedBytes: row.bytes, uploads: row.uploads, classA: row.class_a };
  }

  /** Whether no upload may begin, because it would be stored in a library that has moved. */
  get keepsUploadsOut(): boolean {
    const intent = this.find(MOVE_ID)?.intent;
    return intent?.kind === "move" && keepsWritesOut(intent);
  }

  #toStored(row: IntentRow): StoredIntent {
    return {
      id: row.id,
      intent: JSON.parse(row.payload) as Intent,
      reservedBytes: row.reserved_bytes,
      dueAt: this.#dueAt(row),
      attempts: row.attempts,
    };
  }

  #dueAt({ id, due_at }: Pick<IntentRow, "id" | "due_at">): number {
    return due_at <= BEGUN_AT ? due_at : Math.max(due_at, this.#leases.until(id));
  }
}

/** Whether the library is moved without the writes that begin now. */
export function keepsWritesOut({ stage }: MoveIntent): boolean {
  return stage === "begun" || stage === "copying";
}
