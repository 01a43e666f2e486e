import { findUploads } from "../../db/library/uploads.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isId, newId } from "../../domain/ids.ts";
import { type GuestLimits, MAX_SHARES, type SharedFiles } from "../../domain/share.ts";
import type { CountedShare, ShareChange, StoredShare } from "../../meter/books/share-store.ts";
import { hashPassword } from "../auth/passwords.ts";
import type { AccountContext } from "../context.ts";
import { resolveFolder } from "../folders/resolve-folder.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";
import { newGuestToken } from "./guest-token.ts";
import { toShareToken } from "./share-secrets.ts";

/** The terms that an owner sets for a share. `password`: null for none. */
interface ShareTerms {
  readonly title: string | null;
  readonly password: string | null;
  /** Milliseconds; null for never. */
  readonly expiresAt: number | null;
  readonly allowDownload: boolean;
  readonly indexed: boolean;
  /** Null: guests upload nothing. */
  readonly guests: GuestLimits | null;
}

/**
 * Makes a page of files for everyone who has its URL (SHARE-1).
 * @throws ServiceError 400 for a time that is over or too many shares, 404 for an unknown folder or file
 */
export async function createShare(
  account: AccountContext,
  files: SharedFiles,
  { password, guests, ...terms }: ShareTerms,
): Promise<CountedShare> {
  const createdAt = account.now();
  refusePast(terms.expiresAt, createdAt);
  const token = await newGuestToken(account);
  const share: StoredShare = {
    id: newId(createdAt),
    files: await findShared(account, files),
    title: terms.title,
    passwordHash: password === null ? null : await hashPassword(password),
    createdAt,
    expiresAt: terms.expiresAt,
    allowDownload: terms.allowDownload,
    indexed: terms.indexed,
    guests: guests && { ...guests, tokenId: token.id, random: token.random },
  };
  const outcome = await account.meter.createShare(share, token);
  if (outcome === "too-many") throw ERRORS.TooManyOf("shares", MAX_SHARES);
  if (outcome === "gone") throw ERRORS.AccountNotFound();
  return { ...share, guestFiles: 0, guestBytes: 0, views: 0 };
}

/** Newest first. */
export function listShares(account: AccountContext, query: PageQuery): Promise<Page<CountedShare>> {
  const { accountId, meter } = account;
  return readPage(account, query, {
    list: { name: "listShares", accountId },
    read: (after: [id: string] | undefined, limit) => meter.listShares({ before: after?.[0], limit }),
    positionOf: ({ id }) => [id],
  });
}

/** @throws ServiceError 404 */
export async function getShare({ meter }: AccountContext, id: string): Promise<CountedShare> {
  return found(isId(id) ? await meter.findShare(id) : undefined);
}

/**
 * Changes a share's terms. A visitor's right, and the token of the guests, end at once with the password that gave it.
 * @throws ServiceError 400 for a time that is over, or uploads into a share of no folder; 404
 */
export async function changeShare(
  account: AccountContext,
  id: string,
  { password, ...terms }: { readonly [Term in keyof ShareTerms]?: ShareTerms[Term] | undefined },
): Promise<CountedShare> {
  refusePast(terms.expiresAt ?? null, account.now());
  const given = Object.entries(terms).filter(([, value]) => value !== undefined);
  const change: ShareChange = Object.fromEntries(given);
  if (!isId(id)) throw ERRORS.ShareNotFound();
  const passwordHash = password ? await hashPassword(password) : password;
  const changed = await account.meter.changeShare(
    id,
    { ...change, ...(passwordHash !== undefined && { passwordHash }) },
    await newGuestToken(account),
  );
  if (changed === "no-folder") throw ERRORS.InvalidRequest({ allowUpload: "Only for a share of a folder" });
  return found(changed === "unknown" ? undefined : changed);
}

/** Deletes a share. Its page is gone at once. @throws ServiceError 404 */
export async function deleteShare({ meter }: AccountContext, id: string): Promise<void> {
  if (!isId(id) || !(await meter.deleteShare(id))) throw ERRORS.ShareNotFound();
}

/** The address of a share's page. */
export function shareUrl({ accountId, config }: Pick<AccountContext, "accountId" | "config">, id: string): string {
  return `${config.apiOrigin}/s/${toShareToken({ accountId, id }, config.urlSigningSecret)}`;
}

function found(share: CountedShare | undefined): CountedShare {
  if (share === undefined) throw ERRORS.ShareNotFound();
  return share;
}

function refusePast(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && expiresAt <= now) throw ERRORS.InvalidRequest({ expiresAt: "Must be in the future" });
}

/** The files as the share keeps them. @throws ServiceError 404 for an unknown folder or file */
async function findShared(account: AccountContext, files: SharedFiles): Promise<SharedFiles> {
  switch (files.kind) {
    case "folder":
      return { kind: "folder", folderId: await resolveFolder(account, files.folderId) };
    case "ids": {
      const ids = [...new Set(files.ids)];
      const known = ids.every(isId) ? await findUploads(account.library, account.accountId, ids) : [];
      if (known.length < ids.length) throw ERRORS.ImageNotFound();
      return { kind: "ids", ids };
    }
    case "filter": {
      const { folderId = null } = files.filter;
      if (folderId !== "all" && folderId !== "root") await resolveFolder(account, folderId);
      return files;
    }
  }
}
