import { DEFAULT_WEBHOOK, type DisabledReason, type EventType } from "../../domain/events.ts";
import type { LastDelivery } from "../alerts/alert.ts";
import type { StoredWebhook } from "./event.ts";

/** Events of one subject that a receiver did not accept while it accepted others. They are sent apart, in order. */
export interface SetAside {
  readonly subject: string;
  /** In the stream's order. */
  readonly places: readonly number[];
  /** Tries of the first one. */
  readonly attempts: number;
  /** The time of the first one's first failure. */
  readonly since: number;
  readonly dueAt: number;
}

/** A webhook and the state of its delivery. */
export interface WebhookRow extends StoredWebhook {
  /** Every event up to this place was sent, is set aside, or is not for this webhook. */
  readonly position: number;
  readonly run: number;
  /** The time at which the present run's message counts as lost; null if no run is due. */
  readonly queuedUntil: number | null;
  /** Tries since its receiver accepts nothing. */
  readonly attempts: number;
  readonly aside: readonly SetAside[];
  readonly lastAlert: LastDelivery | null;
  /** Whether its owner still has to be informed by e-mail that it was disabled. */
  readonly owesMail: boolean;
  /** The start of files' URLs if the installation has no configured one. */
  readonly filesUrl: string;
}

interface Row extends Record<string, SqlStorageValue> {
  name: string;
  id: string;
  url: string;
  events: string;
  created_at: number;
  position: number;
  state: string;
}

/** The part of a row that changes with deliveries, as JSON. */
type Progress = Omit<WebhookRow, "name" | "id" | "url" | "events" | "createdAt" | "position">;

const NO_PROGRESS: Progress = {
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  retryAt: null,
  run: 0,
  queuedUntil: null,
  attempts: 0,
  aside: [],
  lastAlert: null,
  owesMail: false,
  filesUrl: "",
};

/** An account's webhooks, one row each, so that a run writes one row. All calls are synchronous. */
export class WebhookStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS webhooks (
        name TEXT PRIMARY KEY,
        id TEXT NOT NULL,
        url TEXT NOT NULL,
        events TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        position INTEGER NOT NULL,
        state TEXT NOT NULL
      ) WITHOUT ROWID;
    `);
  }

  /** Oldest first: a tier with room for fewer webhooks keeps the oldest. */
  list(): WebhookRow[] {
    return this.#sql
      .exec<Row>("SELECT * FROM webhooks")
      .toArray()
      .map(toWebhook)
      .sort((one, other) => one.createdAt - other.createdAt || (one.name < other.name ? -1 : 1));
  }

  find(name: string): WebhookRow | undefined {
    return this.list().find((webhook) => webhook.name === name);
  }

  /** Adds a webhook. One of the same name keeps its age and the given progress. */
  put({ name, id, url, events, createdAt, position, ...progress }: Partial<Progress> & NewRow): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO webhooks (name, id, url, events, created_at, position, state) VALUES (?, ?, ?, ?, ?, ?, ?)",
      name,
      id,
      url,
      JSON.stringify(events),
      createdAt,
      position,
      JSON.stringify({ ...NO_PROGRESS, ...progress }),
    );
  }

  /** Changes the delivery's state. */
  update(webhook: WebhookRow, change: Partial<Progress & Pick<WebhookRow, "position">>): WebhookRow {
    const changed = { ...webhook, ...change };
    this.put(changed);
    return changed;
  }

  /** @returns whether there was one */
  remove(name: string): boolean {
    return this.#sql.exec("DELETE FROM webhooks WHERE name = ?", name).rowsWritten > 0;
  }
}

type NewRow = Pick<WebhookRow, "name" | "id" | "url" | "events" | "createdAt" | "position">;

/** The table of earlier versions, which had one webhook for alerts. A backup of such a version has it, too. */
export const EARLIER_WEBHOOK = "webhook";

export function makeEarlierTable(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS ${EARLIER_WEBHOOK} (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      id TEXT NOT NULL,
      url TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      disabled_at INTEGER,
      last_alert_id TEXT,
      last_at INTEGER,
      last_status INTEGER,
      last_error TEXT
    );
  `);
}

interface EarlierRow extends Record<string, SqlStorageValue> {
  id: string;
  url: string;
  created_at: number;
  disabled_at: number | null;
  last_alert_id: string | null;
  last_at: number | null;
  last_status: number | null;
  last_error: LastDelivery["error"];
}

/** Makes the webhook of an earlier version the one named `default`. @returns whether there was one */
export function adoptEarlierWebhook(sql: SqlStorage, webhooks: WebhookStore): boolean {
  const isThere =
    sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", EARLIER_WEBHOOK).toArray().length > 0;
  if (!isThere) return false;
  const [row] = sql.exec<EarlierRow>(`SELECT * FROM ${EARLIER_WEBHOOK}`).toArray();
  sql.exec(`DROP TABLE ${EARLIER_WEBHOOK}`);
  if (row === undefined) return false;
  const { id, url, created_at, disabled_at, last_alert_id, last_at, last_status, last_error } = row;
  const disabledReason: DisabledReason | null = disabled_at === null ? null : "gone";
  const events: EventType[] = ["usage.alert"];
  const isKnown = last_alert_id !== null && last_at !== null;
  webhooks.put({
    name: DEFAULT_WEBHOOK,
    id,
    url,
    events,
    createdAt: created_at,
    position: 0,
    disabledAt: disabled_at,
    disabledReason,
    lastAlert: isKnown ? { alertId: last_alert_id, at: last_at, status: last_status, error: last_error } : null,
  });
  return true;
}

function toWebhook({ name, id, url, events, created_at, position, state }: Row): WebhookRow {
  const progress = { ...NO_PROGRESS, ...(JSON.parse(state) as Partial<Progress>) };
  return { name, id, url, events: JSON.parse(events) as EventType[], createdAt: created_at, position, ...progress };
}
