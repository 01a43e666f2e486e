import { dayOf } from "../../domain/calendar.ts";

/** A key's requests to one endpoint on one day. */
export interface KeyRequests {
  readonly keyId: string;
  /** Days since the epoch, UTC. */
  readonly day: number;
  /** Method and route as in the API's description: `GET /images/{id}`. */
  readonly endpoint: string;
  readonly requests: number;
  /** Class A operations. */
  readonly operations: number;
  /** The number of requests that were answered with 4xx or 5xx. */
  readonly errors: number;
}

export const KEY_REQUESTS_DAYS = 90;
/** The number of old rows that a key's first request of a day removes. */
const PRUNED_ROWS = 200;
/** A repeated batch arrives within seconds, so the last batch ids are enough to recognise it. */
const REMEMBERED_BATCHES = 32;
/** The most endpoints. The API has about fifty. */
const MAX_ENDPOINTS = 200;

type Counts = [requests: number, operations: number, errors: number];

interface Row extends Record<string, SqlStorageValue> {
  key_id: string;
  day: number;
  endpoints: string;
  batches: string;
}

/** The requests of an account's keys, one row for each key and day, so that a batch costs one row for each key. All calls are synchronous. */
export class KeyRequestLog {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS key_requests (
        key_id TEXT NOT NULL,
        day INTEGER NOT NULL,
        endpoints TEXT NOT NULL,
        batches TEXT NOT NULL,
        PRIMARY KEY (key_id, day)
      ) WITHOUT ROWID;
    `);
  }

  /** Adds a batch. A repeated call adds nothing. */
  record(batchId: string, added: readonly KeyRequests[], now: number): void {
    for (const ofRow of Map.groupBy(added, ({ keyId, day }) => `${keyId} ${day}`).values()) {
      const [first] = ofRow;
      if (first !== undefined) this.#add(batchId, first.keyId, first.day, ofRow, now);
    }
  }

  /** A key's requests on these days, both included, oldest first. */
  list(keyId: string, fromDay: number, toDay: number): KeyRequests[] {
    return this.#sql
      .exec<Row>(
        "SELECT key_id, day, endpoints, batches FROM key_requests WHERE key_id = ? AND day BETWEEN ? AND ? ORDER BY day",
        keyId,
        fromDay,
        toDay,
      )
      .toArray()
      .flatMap(({ day, endpoints }) =>
        Object.entries(JSON.parse(endpoints) as Record<string, Counts>).map(
          ([endpoint, [requests, operations, errors]]) => ({ keyId, day, endpoint, requests, operations, errors }),
        ),
      );
  }

  #add(batchId: string, keyId: string, day: number, added: readonly KeyRequests[], now: number): void {
    const [row] = this.#sql
      .exec<Row>("SELECT key_id, day, endpoints, batches FROM key_requests WHERE key_id = ? AND day = ?", keyId, day)
      .toArray();
    if (row === undefined) this.#prune(now);
    const batches = row === undefined ? [] : (JSON.parse(row.batches) as string[]);
    if (batches.includes(batchId)) return;
    const endpoints = new Map<string, Counts>(row === undefined ? [] : Object.entries(JSON.parse(row.endpoints)));
    for (const { endpoint, requests, operations, errors } of added) {
      const counted = endpoints.get(endpoint) ?? [0, 0, 0];
      if (!endpoints.has(endpoint) && endpoints.size >= MAX_ENDPOINTS) continue;
      endpoints.set(endpoint, [counted[0] + requests, counted[1] + operations, counted[2] + errors]);
    }
    this.#sql.exec(
      "INSERT OR REPLACE INTO key_requests (key_id, day, endpoints, batches) VALUES (?, ?, ?, ?)",
      keyId,
      day,
      JSON.stringify(Object.fromEntries(endpoints)),
      JSON.stringify([...batches, batchId].slice(-REMEMBERED_BATCHES)),
    );
  }

  #prune(now: number): void {
    this.#sql.exec(
      "DELETE FROM key_requests WHERE (key_id, day) IN (SELECT key_id, day FROM key_requests WHERE day <= ? LIMIT ?)",
      dayOf(now) - KEY_REQUESTS_DAYS,
      PRUNED_ROWS,
    );
  }
}
