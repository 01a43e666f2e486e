import { DAY_MS, dayOf } from "../../domain/calendar.ts";
import { CLASS_A_TENTHS, toOperations } from "../../domain/operations.ts";
import { letOthersIn } from "../intent-stores.ts";
import { LOG_DAYS } from "../operation-log.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding } from "./finding.ts";

/** Operations that are counted in one go, from an index: some milliseconds. */
const COUNTED_AT_ONCE = 10_000;
/** An account whose operations are taken back each time, or whose month ends each time, is left for another night. */
const ATTEMPTS = 3;

/**
 * Compares the month's uploads and deletions, and those of its days, with the log. Days that are over are counted one by one, and change
 * only where an operation is taken back; the last day is counted and compared without a pause. Views are not compared: they are of
 * the month in which they were counted, and the log has the times at which they were made.
 * @returns undefined where the account was never still
 */
export async function compareOperations({ books, repair }: Comparison): Promise<Finding[] | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = books.ledger.month(Date.now());
    const today = dayOf(Date.now());
    const first = dayOf(before.startsAt);
    // The log may have forgotten the month's beginning.
    if (today - first >= LOG_DAYS - 1) return [];
    const tenths = new Map<number, number>();
    const count = (day: number, until: number): number => {
      const operations = books.ledger.log.count(Number.MAX_SAFE_INTEGER, { class: "A", from: day * DAY_MS, until });
      tenths.set(day, operations * CLASS_A_TENTHS);
      return operations;
    };
    for (let day = first; day < today; day++) {
      if (count(day, (day + 1) * DAY_MS) > COUNTED_AT_ONCE) await letOthersIn();
    }
    const month = books.ledger.month(Date.now());
    const isStill = month.startsAt === before.startsAt && month.takenBack === before.takenBack;
    if (!isStill || dayOf(Date.now()) !== today) continue;
    count(today, Number.MAX_SAFE_INTEGER);
    const expected = [...tenths.values()].reduce((sum, ofDay) => sum + ofDay, 0);
    const days = books.ledger.listDays(first, Number.MAX_SAFE_INTEGER);
    const ofDays = days.reduce((sum, { classATenths }) => sum + classATenths, 0);
    if (expected === month.classATenths && expected === ofDays) return [];
    if (repair) books.recount(tenths);
    const detail = `${toOperations(month.classATenths)} of the month, ${toOperations(ofDays)} of its days, not ${toOperations(expected)}`;
    return [{ kind: "operations-differ", detail, repaired: repair }];
  }
  return undefined;
}
