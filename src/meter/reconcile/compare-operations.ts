import { CLASS_A_TENTHS, toOperations } from "../../domain/allowance.ts";
import { DAY_MS, dayOf } from "../../domain/calendar.ts";
import { LOG_DAYS } from "../books/operation-log.ts";
import { letOthersIn } from "../intents/steps.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding } from "./finding.ts";

/** The number of operations that are counted without a pause, from an index: some milliseconds. */
const COUNTED_AT_ONCE = 10_000;
/** An account is postponed to another night if operations are taken back, or its month ends, in all of these attempts. */
const ATTEMPTS = 3;

/**
 * Compares the counts of the month's uploads and deletions, and of its days, with the log. Past days are counted one by one, because they
 * change only if an operation is taken back. The last day is counted and compared without a pause. Views are not compared: they belong to
 * the month in which they were counted, while the log has the times at which they were made.
 * @returns undefined if the account changed in every attempt
 */
export async function compareOperations({ tables, repair }: Comparison): Promise<Finding[] | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = tables.ledger.month(Date.now());
    const today = dayOf(Date.now());
    const first = dayOf(before.startsAt);
    // The log may have forgotten the month's beginning.
    if (today - first >= LOG_DAYS - 1) return [];
    const tenths = new Map<number, number>();
    const count = (day: number, until: number): number => {
      const operations = tables.ledger.log.count(Number.MAX_SAFE_INTEGER, { class: "A", from: day * DAY_MS, until });
      tenths.set(day, operations * CLASS_A_TENTHS);
      return operations;
    };
    for (let day = first; day < today; day++) {
      if (count(day, (day + 1) * DAY_MS) > COUNTED_AT_ONCE) await letOthersIn();
    }
    const month = tables.ledger.month(Date.now());
    const isStill = month.startsAt === before.startsAt && month.takenBack === before.takenBack;
    if (!isStill || dayOf(Date.now()) !== today) continue;
    count(today, Number.MAX_SAFE_INTEGER);
    const expected = [...tenths.values()].reduce((sum, ofDay) => sum + ofDay, 0);
    const days = tables.ledger.listDays(first, Number.MAX_SAFE_INTEGER);
    const ofDays = days.reduce((sum, { classATenths }) => sum + classATenths, 0);
    if (expected === month.classATenths && expected === ofDays) return [];
    if (repair) tables.recount(tenths);
    const detail = `${toOperations(month.classATenths)} of the month, ${toOperations(ofDays)} of its days, not ${toOperations(expected)}`;
    return [{ kind: "operations-differ", detail, repaired: repair }];
  }
  return undefined;
}
