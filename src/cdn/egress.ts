/** Accounts whose bytes an isolate keeps; forgetting the oldest only makes a figure smaller. */
const MAX_ACCOUNTS = 2000;

/**
 * Bytes that this isolate sent and that no view has counted: later ranges and signed URLs. The account's next view here takes them along,
 * so they cost no call of their own. What an isolate holds when it ends is not counted.
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
