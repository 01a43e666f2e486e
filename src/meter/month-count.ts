import { billingMonth, DAY_MS, dayOf, nextResetAt, type Period, resetDay } from "../domain/calendar.ts";
import type { AccountRow } from "./account-row.ts";
import type { OperationDay } from "./operation-days.ts";

/** The month's count in an account's row, and how it changes: functions of the row alone. */

interface Counted {
  readonly classATenths: number;
  readonly classBTenths: number;
}

/**
 * `now`, or where that is before the last day or the month's beginning, these: the clocks of two machines differ. So nothing is
 * counted on a day that was closed, and no month begins twice.
 */
export function clockOf({ period_starts_at, day }: AccountRow, now: number): number {
  return Math.max(now, period_starts_at, day * DAY_MS);
}

/** The row in the month of `now`: where a new one has begun, nothing is counted in it yet. */
export function withPeriod(row: AccountRow, now: number): AccountRow {
  if (now < row.period_ends_at) return row;
  const { startsAt, endsAt } = billingMonth(now, resetDay(row.tier, row.billing_anchor_at));
  return { ...row, period_starts_at: startsAt, period_ends_at: endsAt, used_tenths: 0, class_b_tenths: 0 };
}

/** What the row has counted on its last day; undefined where that is nothing. */
export function lastDay({ day, day_a_tenths, day_b_tenths }: AccountRow): OperationDay | undefined {
  if (day_a_tenths + day_b_tenths === 0) return undefined;
  return { day, classATenths: day_a_tenths, classBTenths: day_b_tenths };
}

/**
 * The row with so much more counted, in the month and on the day.
 * @returns `closed`: the day before, where it is over, which the row has no room for any more
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

/** The row without an operation of class A that was counted at that time. The figure of this month does not change for one of another. */
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
 * The row under a new tier. The count starts again on the first reset day of the new tier's calendar that is a month or more
 * after it began; where that day is past, the count is what came since then. So two months never begin within one, however
 * often tiers are switched, and every operation is in the month of its day.
 * @param listDays what was counted on each day since that one
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
