import type { QueueMessage, QueueName } from "../../domain/queue-messages.ts";

/** A message of a dead-letter queue whose delivery failed. Times are milliseconds since the epoch. */
export interface FailedLetter {
  /** The message's id. */
  readonly id: string;
  readonly queue: QueueName;
  /** Deliveries of that queue. */
  readonly attempts: number;
  /** The time of its next delivery; null if its queue gave it up and it exists only here. */
  readonly nextAt: number | null;
  readonly reason: string;
  readonly body: QueueMessage;
}

/** `dropped`: the operator has dropped or resent the message, and its next delivery is acknowledged without handling. */
export type LetterState = "retrying" | "given-up" | "dropped";

export interface DeadLetter extends Omit<FailedLetter, "body"> {
  /** Increasing sequence number; also the page cursor. */
  readonly number: number;
  readonly state: LetterState;
  readonly type: QueueMessage["type"];
  readonly failedAt: number;
}

/**
 * The most letters, which limits the object's size: a message has at most 128 KB. Further letters stay in their queue, and are lost when
 * the queue gives them up.
 */
const MAX_LETTERS = 2000;
/** A queue keeps a message for four days, so a delivery that was due this long ago will never happen. */
const GONE_AFTER_MS = 5 * 24 * 60 * 60_000;

interface Row extends Record<string, SqlStorageValue> {
  number: number;
  id: string;
  queue: QueueName;
  type: QueueMessage["type"];
  state: LetterState;
  attempts: number;
  next_at: number | null;
  failed_at: number;
  reason: string;
}

const COLUMNS = "number, id, queue, type, state, attempts, next_at, failed_at, reason";

/** Messages that their dead-letter queues could not deliver either, kept for the operator. All calls are synchronous. */
export class DeadLetters {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS dead_letters (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        queue TEXT NOT NULL,
        type TEXT NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        next_at INTEGER,
        failed_at INTEGER NOT NULL,
        reason TEXT NOT NULL
      );
    `);
  }

  /** Records a failed delivery. @returns false if the table is full: the queue must keep the message */
  note(letter: FailedLetter, now: number): boolean {
    const { id, queue, attempts, nextAt, reason, body } = letter;
    const known = this.#find(id);
    const state: LetterState = nextAt === null ? "given-up" : "retrying";
    if (known !== undefined) {
      this.#sql.exec(
        "UPDATE dead_letters SET state = ?, attempts = ?, next_at = ?, reason = ? WHERE id = ?",
        state,
        attempts,
        nextAt,
        reason,
        id,
      );
      return true;
    }
    this.#forgetGone(now);
    if (this.#sql.exec<{ count: number }>("SELECT count(*) AS count FROM dead_letters").one().count >= MAX_LETTERS)
      return false;
    this.#sql.exec(
      "INSERT INTO dead_letters (id, queue, type, state, attempts, next_at, failed_at, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      queue,
      body.type,
      state,
      attempts,
      nextAt,
      now,
      reason,
    );
    this.#storage.kv.put(bodyKey(id), body);
    return true;
  }

  /** Returns the messages that have to be acknowledged without handling. */
  dropped(ids: readonly string[]): string[] {
    return ids.filter((id) => this.#find(id)?.state === "dropped");
  }

  /** Removes letters that were delivered or acknowledged. */
  remove(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#sql.exec("DELETE FROM dead_letters WHERE id = ?", id).rowsWritten > 0)
        this.#storage.kv.delete(bodyKey(id));
    }
  }

  /**
   * Drops letters for the operator. If a queue still has such a message, it is acknowledged when it arrives.
   * @returns the number of dropped letters
   */
  drop(ids: readonly string[]): number {
    let count = 0;
    for (const id of ids) {
      const found = this.#find(id);
      if (found === undefined || found.state === "dropped") continue;
      count += 1;
      if (found.state === "given-up") this.remove([id]);
      else this.#sql.exec("UPDATE dead_letters SET state = 'dropped' WHERE id = ?", id);
    }
    return count;
  }

  /** The bodies of the letters that exist. */
  read(ids: readonly string[]): Pick<FailedLetter, "id" | "queue" | "body">[] {
    return ids.flatMap((id) => {
      const found = this.#find(id);
      const body = this.#storage.kv.get<QueueMessage>(bodyKey(id));
      return found === undefined || found.state === "dropped" || body === undefined
        ? []
        : [{ id, queue: found.queue, body }];
    });
  }

  /** The letters, oldest first. @param after the `number` of the last letter of the previous page */
  list(after: number, limit: number): DeadLetter[] {
    return this.#sql
      .exec<Row>(
        `SELECT ${COLUMNS} FROM dead_letters WHERE number > ? AND state <> 'dropped' ORDER BY number LIMIT ?`,
        after,
        limit,
      )
      .toArray()
      .map(({ next_at: nextAt, failed_at: failedAt, ...letter }) => ({ ...letter, nextAt, failedAt }));
  }

  figures(): { readonly retrying: number; readonly givenUp: number } {
    return this.#sql
      .exec<{ retrying: number; givenUp: number }>(
        "SELECT count(*) FILTER (WHERE state = 'retrying') AS retrying, count(*) FILTER (WHERE state = 'given-up') AS givenUp FROM dead_letters",
      )
      .one();
  }

  /** Removes letters that their queue has lost or purged. */
  #forgetGone(now: number): void {
    const gone = this.#sql
      .exec<{ id: string }>("SELECT id FROM dead_letters WHERE next_at < ? LIMIT 100", now - GONE_AFTER_MS)
      .toArray();
    this.remove(gone.map(({ id }) => id));
  }

  #find(id: string): Row | undefined {
    return this.#sql.exec<Row>(`SELECT ${COLUMNS} FROM dead_letters WHERE id = ?`, id).toArray()[0];
  }

  get #sql(): SqlStorage {
    return this.#storage.sql;
  }
}

function bodyKey(id: string): string {
  return `dead-letter:${id}`;
}
