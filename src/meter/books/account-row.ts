import { billingMonth, DAY_MS, dayOf, nextResetAt, type Period, resetDay } from "../../domain/calendar.ts";
import type { Shard } from "../../domain/ids.ts";
import type { TierName } from "../../domain/tiers.ts";
import { addLaterColumns } from "../columns.ts";
import type { OperationDay } from "./operation-days.ts";

/** An account's facts and counts. The row is written again with every change. */
export interface AccountRow extends Record<string, SqlStorageValue> {
  account_id: string;
  tier: TierName;
  billing_anchor_at: number | null;
  /** The beginning of the month's count, a midnight. */
  period_starts_at: number;
  period_ends_at: number;
  used_tenths: number;
  /** The number of views in `used_tenths`. */
  class_b_tenths: number;
  /** Bytes of files that were sent this month. A month that a change of tier moved into the past keeps the count. */
  egress_bytes: number;
  /** The last day with a counted operation, and its counts. `OperationDays` has the earlier days. */
  day: number;
  day_a_tenths: number;
  day_b_tenths: number;
  storage_bytes: number;
  auto_compress: number;
  compression_quality: number;
  /** The position in `METADATA_MODES`, counted from 1; 0: the owner chose none. */
  metadata_mode: number;
  shard: Shard;
  /** The time at which the account is erased unless its address is verified; 0: never. */
  verify_by: number;
}

/** Columns of later versions: the table of an older object lacks them. */
const LATER_COLUMNS = Object.fromEntries(
  ["period_starts_at", "day", "day_a_tenths", "day_b_tenths", "verify_by", "metadata_mode", "egress_bytes"].map(
    (name) => [name, "INTEGER NOT NULL DEFAULT 0"],
  ),
);
const COLUMNS = [
  "account_id",
  "tier",
  "billing_anchor_at",
  "period_ends_at",
  "used_tenths",
  "class_b_tenths",
  "storage_bytes",
  "auto_compress",
  "compression_quality",
  "shard",
  ...Object.keys(LATER_COLUMNS),
];

/** Stores that row. All calls are synchronous. */
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
 * Completes a row that was stored before `period_starts_at` existed. Its month began one month before it ends. The whole count is put on
 * the first day, because the days of its operations are unknown.
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

/** Changes of the month's count in an account's row, as functions of only the row. */

interface Counted {
  readonly classATenths: number;
  readonly classBTenths: number;
}

/**
 * `now`, but never before the last day or the month's beginning, because the clocks of two machines differ. So no operation is counted on a
 * closed day, and no month begins twice.
 */
export function clockOf({ period_starts_at, day }: AccountRow, now: number): number {
  return Math.max(now, period_starts_at, day * DAY_MS);
}

/** The row in the month of `now`. A new month begins with zero. */
export function withPeriod(row: AccountRow, now: number): AccountRow {
  if (now < row.period_ends_at) return row;
  const { startsAt, endsAt } = billingMonth(now, resetDay(row.tier, row.billing_anchor_at));
  return {
    ...row,
    period_starts_at: startsAt,
    period_ends_at: endsAt,
    used_tenths: 0,
    class_b_tenths: 0,
    egress_bytes: 0,
  };
}

/** The row's count of its last day; undefined if it is zero. */
export function lastDay({ day, day_a_tenths, day_b_tenths }: AccountRow): OperationDay | undefined {
  if (day_a_tenths + day_b_tenths === 0) return undefined;
  return { day, classATenths: day_a_tenths, classBTenths: day_b_tenths };
}

/**
 * Adds to the row's counts of the month and the day.
 * @returns `closed`: the day before, which needs a row of its own, if a new day has begun
 */
export function withCounted(
  before: AccountRow,
  { classATenths, classBTenths }: Counted,
  now: number,
): { readonly row: AccountRow; readonly closed: OperationDay | undefined } {
  const row = withPeriod(before, now);
  const day = dayOf(clockOf(row, now));
  const isSameDay = day === row.day;
  return {
    row: {
      ...row,
      used_tenths: row.used_tenths + classATenths + classBTenths,
      class_b_tenths: row.class_b_tenths + classBTenths,
      day,
      day_a_tenths: (isSameDay ? row.day_a_tenths : 0) + classATenths,
      day_b_tenths: (isSameDay ? row.day_b_tenths : 0) + classBTenths,
    },
    closed: isSameDay ? undefined : lastDay(row),
  };
}

/** Takes back a Class A operation of that time. An operation of an earlier month does not change this month's figure. */
export function withTakenBack(
  row: AccountRow,
  { at, weightTenths }: { readonly at: number; readonly weightTenths: number },
): AccountRow {
  const tenthsOfMonth = at >= row.period_starts_at ? weightTenths : 0;
  const tenthsOfDay = dayOf(at) === row.day ? weightTenths : 0;
  return {
    ...row,
    used_tenths: Math.max(0, row.used_tenths - tenthsOfMonth),
    day_a_tenths: Math.max(0, row.day_a_tenths - tenthsOfDay),
  };
}

/**
 * Changes the row to a new tier. The next month begins on the first reset day of the new tier's calendar that is a month or more after the
 * present month's beginning. If that day is past, the count contains the operations since that day. So no change of tier makes a month
 * shorter, and every operation is in the month of its day.
 * @param listDays the counts of each day since the given one
 */
export function withTier(
  before: AccountRow,
  { tier, billingAnchorAt }: { readonly tier: AccountRow["tier"]; readonly billingAnchorAt: number | null },
  now: number,
  listDays: (from: number) => readonly OperationDay[],
): AccountRow {
  const row = { ...withPeriod(before, now), tier, billing_anchor_at: billingAnchorAt };
  const day = resetDay(tier, billingAnchorAt);
  const endsAt = nextResetAt(row.period_starts_at, day);
  if (now < endsAt) return { ...row, period_ends_at: endsAt };
  const period = billingMonth(now, day);
  return { ...row, ...countOf(period, listDays(dayOf(period.startsAt))) };
}

/** The columns of a month that has begun already. */
function countOf({ startsAt, endsAt }: Period, days: readonly OperationDay[]) {
  const classB = days.reduce((sum, { classBTenths }) => sum + classBTenths, 0);
  const used = days.reduce((sum, { classATenths }) => sum + classATenths, classB);
  return { period_starts_at: startsAt, period_ends_at: endsAt, used_tenths: used, class_b_tenths: classB };
}
