/** The log's filters: the search parameters of its page. */
export interface LogFilters {
  readonly type: "upload" | "delete" | "view" | undefined;
  readonly keyId: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly page: number;
}

export const LOG_PAGE_ITEMS = 50;
/** The service counts at most this number of operations. A filter by day shows older operations. */
const MAX_COUNTED = 10_000;
export const LAST_LOG_PAGE = MAX_COUNTED / LOG_PAGE_ITEMS;

const TYPES = ["upload", "delete", "view"] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Parses the URL's search and ignores unknown or malformed values. */
export function parseLogFilters(search: string): LogFilters {
  const given = new URLSearchParams(search);
  const day = (name: string) => {
    const text = given.get(name) ?? "";
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
  };
  const page = Number(given.get("page") ?? 1);
  const from = day("from");
  const to = day("to");
  return {
    type: TYPES.find((type) => type === given.get("type")),
    keyId: given.get("key")?.slice(0, 64) || undefined,
    from,
    // The service rejects days in the wrong order, so `to` is dropped.
    to: from !== undefined && to !== undefined && to < from ? undefined : to,
    page: Number.isInteger(page) && page >= 1 && page <= LAST_LOG_PAGE ? page : 1,
  };
}

/** @returns the search with its `?`, or an empty text without filters */
export function writeLogFilters({ type, keyId, from, to, page }: LogFilters): string {
  const given = new URLSearchParams();
  if (type !== undefined) given.set("type", type);
  if (keyId !== undefined) given.set("key", keyId);
  if (from !== undefined) given.set("from", from);
  if (to !== undefined) given.set("to", to);
  if (page > 1) given.set("page", String(page));
  const text = given.toString();
  return text === "" ? "" : `?${text}`;
}
