/** The number of accounts whose bytes an isolate keeps. Without the oldest, a figure is only too small. */
const MAX_ACCOUNTS = 2000;

/**
 * Bytes that this isolate sent without counting a view: later ranges and signed URLs. They are added to the account's next view here, so
 * they cost no call of their own. An isolate that ends loses its bytes.
 */
const uncounted = new Map<string, number>();

export function addUncounted(accountId: string, bytes: number): void {
  const sum = (uncounted.get(accountId) ?? 0) + bytes;
  uncounted.delete(accountId);
  uncounted.set(accountId, sum);
  const oldest = uncounted.keys().next().value;
  if (uncounted.size > MAX_ACCOUNTS && oldest !== undefined) uncounted.delete(oldest);
}

export function takeUncounted(accountId: string): number {
  const bytes = uncounted.get(accountId) ?? 0;
  uncounted.delete(accountId);
  return bytes;
}
