import { secondsUntil } from "../../domain/calendar.ts";
import type { Shard } from "../../domain/ids.ts";
import { MAX_SHARES, SHARE_VISITS_PER_MINUTE } from "../../domain/share.ts";
import type { CountedShare, Guests, ShareChange, ShareSlice, StoredShare } from "../books/share-store.ts";
import type { AccountTables } from "./account-tables.ts";
import type { MeterContext } from "./context.ts";

/**
 * Shares live only in the account's object, so one transaction creates, changes or ends one. The upload token of its guests begins, changes
 * and ends in the same transaction.
 */

/** A fresh upload token for guests, which is used if the share needs one. */
export interface GuestToken {
  readonly id: string;
  readonly random: string;
  /** SHA-256 of the secret. */
  readonly hash: string;
}

/** `gone`: the account no longer exists. */
export async function createShare(
  { storage, tables, load }: MeterContext,
  share: StoredShare,
  { hash }: GuestToken,
): Promise<"created" | "too-many" | "gone"> {
  if (!(await load()) || tables.erasing) return "gone";
  return storage.transactionSync(() => {
    if (!tables.shares.add(share, MAX_SHARES)) return "too-many";
    putGuestToken(tables, share, hash);
    return "created";
  });
}

/** Newest first. */
export async function listShares({ tables, load }: MeterContext, slice: ShareSlice): Promise<CountedShare[]> {
  return (await load()) ? tables.shares.list(slice).map((share) => withCounts(tables, share)) : [];
}

export async function findShare({ tables, load }: MeterContext, id: string): Promise<CountedShare | undefined> {
  const share = (await load()) ? tables.shares.find(id) : undefined;
  return share && withCounts(tables, share);
}

/** @returns the share after the change; `no-folder` if guests cannot upload because it is no folder's */
export async function changeShare(
  { storage, tables, load }: MeterContext,
  id: string,
  { guests: limits, ...terms }: ShareChange,
  fresh: GuestToken,
): Promise<CountedShare | "unknown" | "no-folder"> {
  if (!(await load())) return "unknown";
  return storage.transactionSync(() => {
    const found = tables.shares.find(id);
    if (found === undefined) return "unknown";
    if (limits && found.files.kind !== "folder") return "no-folder";
    const guests = changeGuests(found, { limits, hasNewPassword: terms.passwordHash !== undefined }, fresh);
    const changed = { ...found, ...terms, guests };
    tables.shares.replace(changed);
    if (guests === null && found.guests !== null) tables.uploadTokens.removeOfShare(found.guests.tokenId);
    const hash = guests?.random === fresh.random ? fresh.hash : guests && tables.uploadTokens.hashOf(guests.tokenId);
    if (hash) putGuestToken(tables, changed, hash);
    return withCounts(tables, changed);
  });
}

/**
 * Guests who have not given a new password lose the token. After the share's end, too, it is made again, because isolates remember that it
 * expired.
 */
function changeGuests(
  { guests: former, expiresAt }: StoredShare,
  { limits = former, hasNewPassword }: { readonly limits?: ShareChange["guests"]; readonly hasNewPassword: boolean },
  fresh: GuestToken,
): Guests | null {
  if (limits === null) return null;
  const { maxFiles, maxBytes, types } = limits;
  const hasEnded = expiresAt !== null && expiresAt <= Date.now();
  const random = former === null || hasNewPassword || hasEnded ? fresh.random : former.random;
  return { maxFiles, maxBytes, types, tokenId: former?.tokenId ?? fresh.id, random };
}

/** Its page and the token of its guests are gone from the call on. @returns whether there was such a share */
export async function deleteShare({ storage, tables, load }: MeterContext, id: string): Promise<boolean> {
  if (!(await load())) return false;
  return storage.transactionSync(() => {
    const { guests } = tables.shares.find(id) ?? {};
    if (guests) tables.uploadTokens.removeOfShare(guests.tokenId);
    return tables.shares.remove(id);
  });
}

/**
 * Stores the hash of a share's token again: JWT_SECRET, which signs it, was changed, or a backup was restored, which has no tokens.
 * @param random a token that was replaced since is not stored
 */
export async function renewGuestToken(
  { storage, tables, load }: MeterContext,
  id: string,
  { random, hash }: Omit<GuestToken, "id">,
): Promise<void> {
  if (!(await load())) return;
  storage.transactionSync(() => {
    const share = tables.shares.find(id);
    if (share?.guests?.random === random) putGuestToken(tables, share, hash);
  });
}

function putGuestToken(
  { uploadTokens }: AccountTables,
  { id, files, guests, createdAt, expiresAt }: StoredShare,
  hash: string,
): void {
  if (guests === null || files.kind !== "folder") return;
  const { tokenId, maxFiles, maxBytes, types } = guests;
  uploadTokens.putOfShare({
    id: tokenId,
    hash,
    maker: { kind: "share", id },
    createdAt,
    expiresAt: expiresAt ?? Number.MAX_SAFE_INTEGER,
    limits: { maxFiles, maxBytes, types, folderId: files.folderId, isFolderFixed: true, tags: [], origins: [] },
  });
}

function withCounts({ shares, uploadTokens }: AccountTables, share: StoredShare): CountedShare {
  const { files = 0, bytes = 0 } = (share.guests && uploadTokens.find(share.guests.tokenId)) ?? {};
  return { ...share, guestFiles: files, guestBytes: bytes, views: shares.viewsOf(share.id) };
}

export type ShareVisit =
  | {
      readonly outcome: "open";
      readonly share: StoredShare;
      readonly shard: Shard;
      /** The stored hash of the guests' token, if they have one. */
      readonly tokenHash: string | undefined;
    }
  /** Deleted, or never made. */
  | { readonly outcome: "unknown" | "expired" | "suspended" }
  | { readonly outcome: "limited"; readonly retryAfterSeconds: number };

/** The part of a visit that its request knows. */
export interface VisitKind {
  /** Whether it opens the page. Later pages of a list do not count as views. */
  readonly isView: boolean;
  /** Whether the visitor has given a password before. The caller compares it. */
  readonly hasPass: boolean;
}

/** Opens a share for a visitor, and counts the visit in the minute (SHARE-6) and as a view. */
export async function visitShare(
  { tables, load, shareVisits }: MeterContext,
  id: string,
  { isView, hasPass }: VisitKind,
): Promise<ShareVisit> {
  if (!(await load()) || tables.erasing) return { outcome: "unknown" };
  const now = Date.now();
  const { ledger, shares, suspension, uploadTokens } = tables;
  if (!shareVisits.take(now, SHARE_VISITS_PER_MINUTE[ledger.tier])) {
    const { resetAt } = shareVisits.figures(now, SHARE_VISITS_PER_MINUTE[ledger.tier]);
    return { outcome: "limited", retryAfterSeconds: secondsUntil(resetAt, now) };
  }
  const share = shares.find(id);
  if (share === undefined) return { outcome: "unknown" };
  if (suspension.current !== undefined) return { outcome: "suspended" };
  if (share.expiresAt !== null && share.expiresAt <= now) return { outcome: "expired" };
  if (isView && (share.passwordHash === null || hasPass)) shares.countView(id, now);
  const tokenHash = share.guests === null ? undefined : uploadTokens.hashOf(share.guests.tokenId);
  return { outcome: "open", share, shard: ledger.shard, tokenHash };
}
