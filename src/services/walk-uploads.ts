import { type AccountPlace, findAccountByEmail, listAccountPlaces } from "../db/directory/accounts.ts";
import type { Library } from "../db/library/library.ts";
import { ERRORS } from "../domain/errors.ts";
import type { Services } from "./context.ts";
import { readCursor, type Signer, toCursor } from "./paging.ts";

/** The most messages that a queue accepts at once (Cloudflare Queues, "Limits"). */
const MAX_UPLOADS = 100;
/** The most accounts that one call reads, so that it ends in time even if few of them have such uploads. */
const MAX_ACCOUNTS = 50;

/** A position of the walk: after this upload of this account. */
type Place = [accountId: string, uploadId: string];

/** Uploads of one account. */
export interface FoundUploads<Row> {
  readonly accountId: string;
  readonly library: Library;
  readonly uploads: readonly Row[];
}

export interface WalkOptions {
  /** Limits the walk to one account; undefined for every account. */
  readonly email?: string | undefined;
  /** The previous step's `nextCursor`. */
  readonly cursor?: string | undefined;
  /** The most uploads of a step; a hundred by default. */
  readonly limit?: number | undefined;
}

/** Lists some uploads of an account, in the order of their ids. */
export type ListSome<Row> = (
  library: Library,
  accountId: string,
  options: { readonly afterId: string; readonly limit: number },
) => Promise<readonly Row[]>;

/**
 * A step of a walk over some uploads of all accounts: at most a hundred, of the next account that has any.
 * @param name the operation's id: a cursor of another operation is refused
 * @returns `found` is undefined if this step found none; `nextCursor` is null if nothing is left
 * @throws ServiceError 404 for an unknown account, 400 for an invalid cursor
 */
export async function walkUploads<Row extends { readonly id: string }>(
  services: Pick<Services, "directory" | "libraries"> & Signer,
  name: string,
  { email, cursor, limit = MAX_UPLOADS }: WalkOptions,
  listSome: ListSome<Row>,
): Promise<{ readonly found: FoundUploads<Row> | undefined; readonly nextCursor: string | null }> {
  const list = { name, filters: { email } };
  const from = readCursor<Place>(services, list, cursor);
  const accounts = await listAccounts(services, email, from?.[0]);
  let last = from;
  for (const { id: accountId, shard } of accounts) {
    const library = services.libraries.open(shard);
    const afterId = from?.[0] === accountId ? from[1] : "";
    const uploads = await listSome(library, accountId, { afterId, limit });
    last = [accountId, uploads.at(-1)?.id ?? afterId];
    if (uploads.length > 0)
      return { found: { accountId, library, uploads }, nextCursor: toCursor(services, list, last) };
  }
  const isLast = email !== undefined || accounts.length < MAX_ACCOUNTS;
  return { found: undefined, nextCursor: isLast || last === undefined ? null : toCursor(services, list, last) };
}

async function listAccounts(
  { directory }: Pick<Services, "directory">,
  email: string | undefined,
  fromId = "",
): Promise<AccountPlace[]> {
  if (email === undefined) return listAccountPlaces(directory, fromId, MAX_ACCOUNTS);
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return [account];
}
