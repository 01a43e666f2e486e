import { PREVIEW_SECONDS_PER_DAY } from "../../domain/allowance.ts";
import { DAY_MS, dayOf, secondsUntil } from "../../domain/calendar.ts";
import type { MeterContext } from "./context.ts";

const PREVIEWS_KEY = "preview-seconds";

interface StoredPreviews {
  readonly day: number;
  readonly seconds: number;
}

/** Takes the price of a large change after the change. */
export async function chargeAllowance({ tables, allowance, load }: MeterContext, microdollars: number): Promise<void> {
  if (await load()) allowance.charge(microdollars, tables.ledger.tier, Date.now());
}

/**
 * Takes the CPU time of a preview of compression before its work begins.
 * @returns the seconds until the day ends if the day's time is used up; undefined if the preview may be made
 */
export async function takePreview(
  { tables, storage, load }: MeterContext,
  seconds: number,
): Promise<number | undefined> {
  if (!(await load())) return undefined;
  const now = Date.now();
  const day = dayOf(now);
  const stored = storage.kv.get<StoredPreviews>(PREVIEWS_KEY);
  const used = stored?.day === day ? stored.seconds : 0;
  if (used + seconds > PREVIEW_SECONDS_PER_DAY[tables.ledger.tier]) return secondsUntil((day + 1) * DAY_MS, now);
  storage.kv.put(PREVIEWS_KEY, { day, seconds: used + seconds } satisfies StoredPreviews);
  return undefined;
}
