import { dayOf } from "../../domain/calendar.ts";
import type { OperationDay } from "../../meter/books/operation-days.ts";
import type { AccountContext } from "../context.ts";

/** Default range if the client gives none. */
const DEFAULT_DAYS = 30;
/** The log's retention (LIM-8). */
const KEPT_DAYS = 90;

/**
 * The operations of each day, without gaps, oldest first. Days after today, or more than 90 days ago, are left out.
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
