import type { KeyRequests } from "../../meter/key-requests.ts";

/** What one isolate holds, at most: some megabytes. */
const MAX_ENTRIES = 5000;

/** What this isolate has counted of keys since it last handed it on, by account and by key, day and endpoint. */
let accounts = new Map<string, Map<string, KeyRequests>>();
let entries = 0;

/** Adds a key's request to its account's. */
export function countKeyRequest(accountId: string, { keyId, day, endpoint, ...added }: KeyRequests): void {
  const account = accounts.get(accountId) ?? new Map<string, KeyRequests>();
  accounts.set(accountId, account);
  const name = `${keyId} ${day} ${endpoint}`;
  const counted = account.get(name);
  if (counted === undefined) entries += 1;
  account.set(name, {
    ...{ keyId, day, endpoint },
    requests: (counted?.requests ?? 0) + added.requests,
    operations: (counted?.operations ?? 0) + added.operations,
    errors: (counted?.errors ?? 0) + added.errors,
  });
}

/** Whether they are to be handed on at once. */
export function isFull(): boolean {
  return entries >= MAX_ENTRIES;
}

/** What was counted, by account; from here on it is the caller's to hand on. */
export function takeKeyCounts(): Map<string, KeyRequests[]> {
  const taken = new Map(Array.from(accounts, ([accountId, account]) => [accountId, [...account.values()]]));
  accounts = new Map();
  entries = 0;
  return taken;
}
