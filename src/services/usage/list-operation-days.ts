import { dayOf } from "../../domain/calendar.ts";
import type { OperationDay } from "../../meter/operation-days.ts";
import type { AccountContext } from "../context.ts";

/** So many days are shown where the client does not say how many. */
const DEFAULT_DAYS = 30;
/** As long as the log keeps operations. */
const KEPT_DAYS = 90;

/**
 * What was counted on each day, without a gap, the oldest first. Days after today, and more than 90 days before it, are left out.
 * @param from,to milliseconds of a moment of the first and of the last day
 */
export async function listOperationDays(
  { meter, now }: AccountContext,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<OperationDay[]> {
  const today = dayOf(now());
  const last = Math.min(today, dayOf(to ?? now()));
  const first = Math.max(today - KEPT_DAYS, from === undefined ? last - DEFAULT_DAYS + 1 : dayOf(from));
  if (first > last) return [];
  const counted = new Map((await meter.listOperationDays(first, last)).map((day) => [day.day, day]));
  return Array.from(
    { length: last - first + 1 },
    (_, index) => counted.get(first + index) ?? { day: first + index, classATenths: 0, classBTenths: 0 },
  );
}
