import { secondsUntil } from "../../domain/calendar.ts";
import type { Shard } from "../../domain/ids.ts";
import { MAX_SHARES, SHARE_VISITS_PER_MINUTE } from "../../domain/share.ts";
import type { ShareChange, ShareSlice, StoredShare } from "../books/share-store.ts";
import type { MeterContext } from "./context.ts";

/** Shares live in the account's object alone, so one transaction creates, changes or ends one. */

/** `gone`: the account no longer exists. */
export async function createShare(
  { storage, tables, load }: MeterContext,
  share: StoredShare,
): Promise<"created" | "too-many" | "gone"> {
  if (!(await load()) || tables.erasing) return "gone";
  return storage.transactionSync(() => tables.shares.add(share, MAX_SHARES)) ? "created" : "too-many";
}

/** Newest first. */
export async function listShares({ tables, load }: MeterContext, slice: ShareSlice): Promise<StoredShare[]> {
  return (await load()) ? tables.shares.list(slice) : [];
}

export async function findShare({ tables, load }: MeterContext, id: string): Promise<StoredShare | undefined> {
  return (await load()) ? tables.shares.find(id) : undefined;
}

/** @returns the share after the change; undefined if there is none */
export async function changeShare(
  { storage, tables, load }: MeterContext,
  id: string,
  change: ShareChange,
): Promise<StoredShare | undefined> {
  return (await load()) ? storage.transactionSync(() => tables.shares.change(id, change)) : undefined;
}

/** Its page is gone from the call on. @returns whether there was such a share */
export async function deleteShare({ tables, load }: MeterContext, id: string): Promise<boolean> {
  return (await load()) && tables.shares.remove(id);
}

export type ShareVisit =
  | { readonly outcome: "open"; readonly share: StoredShare; readonly shard: Shard }
  /** Deleted, or never made. */
  | { readonly outcome: "unknown" | "expired" | "suspended" }
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number };

/** Opens a share for a visitor, and counts the visit in the minute (SHARE-6). */
export async function visitShare({ tables, load, shareVisits }: MeterContext, id: string): Promise<ShareVisit> {
  if (!(await load()) || tables.erasing) return { outcome: "unknown" };
  const now = Date.now();
  const { ledger, shares, suspension } = tables;
  if (!shareVisits.take(now, SHARE_VISITS_PER_MINUTE[ledger.tier])) {
    const { resetAt } = shareVisits.figures(now, SHARE_VISITS_PER_MINUTE[ledger.tier]);
    return { outcome: "limited", retryAfterSeconds: secondsUntil(resetAt, now) };
  }
  const share = shares.find(id);
  if (share === undefined) return { outcome: "unknown" };
  if (suspension.current !== undefined) return { outcome: "suspended" };
  if (share.expiresAt !== null && share.expiresAt <= now) return { outcome: "expired" };
  return { outcome: "open", share, shard: ledger.shard };
}
