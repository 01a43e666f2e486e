import { billingMonth, dayOf, resetDay } from "../domain/calendar.ts";
import type { Shard } from "../domain/shard.ts";
import type { TierName } from "../domain/tiers.ts";
import { addLaterColumns } from "./columns.ts";

/** What an account's object knows of it in one row, which is written anew with every change. */
export interface AccountRow extends Record<string, SqlStorageValue> {
  account_id: string;
  tier: TierName;
  billing_anchor_at: number | null;
  /** When the month's count began, a midnight. */
  period_starts_at: number;
  period_ends_at: number;
  used_tenths: number;
  /** The part of `used_tenths` that is views. */
  class_b_tenths: number;
  /** The last day on which something was counted, and what: `OperationDays` has the days before. */
  day: number;
  day_a_tenths: number;
  day_b_tenths: number;
  storage_bytes: number;
  auto_compress: number;
  compression_quality: number;
  shard: Shard;
}

/** Columns that came later, so that an object may be older than they are. */
const LATER_COLUMNS = Object.fromEntries(
  ["period_starts_at", "day", "day_a_tenths", "day_b_tenths"].map((name) => [name, "INTEGER NOT NULL DEFAULT 0"]),
);
const COLUMNS = [
  ...["account_id", "tier", "billing_anchor_at", "period_ends_at", "used_tenths", "class_b_tenths", "storage_bytes"],
  ...["auto_compress", "compression_quality", "shard"],
  ...Object.keys(LATER_COLUMNS),
];

/** Where that row is stored. All calls are synchronous. */
export class AccountRowStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS account (
        one INTEGER PRIMARY KEY CHECK (one = 1),
        account_id TEXT NOT NULL,
        tier TEXT NOT NULL,
        billing_anchor_at INTEGER,
        period_ends_at INTEGER NOT NULL,
        used_tenths INTEGER NOT NULL,
        storage_bytes INTEGER NOT NULL,
        class_b_tenths INTEGER NOT NULL DEFAULT 0,
        auto_compress INTEGER NOT NULL,
        compression_quality INTEGER NOT NULL,
        shard TEXT NOT NULL,
        ${Object.entries(LATER_COLUMNS).map((column) => column.join(" "))}
      );
    `);
    addLaterColumns(sql, "account", LATER_COLUMNS);
  }

  read(): AccountRow | undefined {
    const [row] = this.#sql.exec<AccountRow>(`SELECT ${COLUMNS} FROM account`).toArray();
    if (row === undefined || row.period_starts_at > 0) return row;
    return withPeriodStart(row);
  }

  write(row: AccountRow): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO account (one, ${COLUMNS}) VALUES (1, ${COLUMNS.map(() => "?")})`,
      ...COLUMNS.map((name) => row[name] ?? null),
    );
  }
}

/**
 * A row from before the count's beginning was stored. It began where the month did that it ends; what it has counted so far is put on
 * that first day, as nothing says of which days it is.
 */
function withPeriodStart(row: AccountRow): AccountRow {
  const { startsAt } = billingMonth(row.period_ends_at - 1, resetDay(row.tier, row.billing_anchor_at));
  return {
    ...row,
    period_starts_at: startsAt,
    day: dayOf(startsAt),
    day_a_tenths: row.used_tenths - row.class_b_tenths,
    day_b_tenths: row.class_b_tenths,
  };
}
