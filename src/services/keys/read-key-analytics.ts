import { keyExists } from "../../db/directory/keys.ts";
import { dayOf } from "../../domain/calendar.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import { TIERS } from "../../domain/tiers.ts";
import { KEY_REQUESTS_DAYS, type KeyRequests } from "../../meter/books/key-requests.ts";
import type { AccountContext } from "../context.ts";

/** Default range if the client gives none. */
const DEFAULT_DAYS = 30;

export type KeyCounts = Pick<KeyRequests, "requests" | "operations" | "errors">;

export interface KeyAnalytics {
  readonly total: KeyCounts;
  readonly days: readonly (KeyCounts & { readonly day: number })[];
  readonly endpoints: readonly (KeyCounts & { readonly endpoint: string })[];
}

/**
 * A key's requests by day without gaps, and by endpoint (AUTH-9). Days after today or more than 90 days ago are left
 * out. Counts that isolates have not flushed yet are missing.
 * @param from,to milliseconds of a moment of the first and of the last day
 * @throws ServiceError 403 on Free and Starter, 404
 */
export async function readKeyAnalytics(
  { meter, directory, accountId, figures, now }: AccountContext,
  keyId: string,
  { from, to }: { readonly from: number | undefined; readonly to: number | undefined },
): Promise<KeyAnalytics> {
  if (TIERS[figures.tier].keyKind !== "api") throw ERRORS.ApiTierRequired();
  if (!isId(keyId) || !(await keyExists(directory, accountId, keyId))) throw ERRORS.KeyNotFound();
  const today = dayOf(now());
  const last = Math.min(today, dayOf(to ?? now()));
  const first = Math.max(today - KEY_REQUESTS_DAYS + 1, from === undefined ? last - DEFAULT_DAYS + 1 : dayOf(from));
  const counted = first > last ? [] : await meter.listKeyRequests(keyId, first, last);
  const byDay = Map.groupBy(counted, ({ day }) => day);
  const byEndpoint = Map.groupBy(counted, ({ endpoint }) => endpoint);
  return {
    total: sum(counted),
    days: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => ({
      day: first + index,
      ...sum(byDay.get(first + index) ?? []),
    })),
    endpoints: Array.from(byEndpoint, ([endpoint, requests]) => ({ endpoint, ...sum(requests) })).sort(
      (a, b) => b.requests - a.requests || (a.endpoint < b.endpoint ? -1 : 1),
    ),
  };
}

function sum(counted: readonly KeyCounts[]): KeyCounts {
  const of = (name: keyof KeyCounts) => counted.reduce((total, counts) => total + counts[name], 0);
  return { requests: of("requests"), operations: of("operations"), errors: of("errors") };
}
