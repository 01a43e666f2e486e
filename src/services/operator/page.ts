/** Entries on a page of the operator's listings. */
const PAGE_ENTRIES = 100;

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** The start of the next page; null on the last page. */
  readonly next: number | null;
}

/** @param list reads up to `limit` entries in the order of their numbers */
export async function toPage<Entry extends { readonly number: number }>(
  list: (limit: number) => Promise<readonly Entry[]>,
): Promise<Page<Entry>> {
  const entries = await list(PAGE_ENTRIES);
  return { entries, next: entries.length < PAGE_ENTRIES ? null : (entries.at(-1)?.number ?? null) };
}
