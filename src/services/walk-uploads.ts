import { type AccountPlace, findAccountByEmail, listAccountPlaces } from "../db/directory/accounts.ts";
import type { Library } from "../db/library/library.ts";
import { ERRORS } from "../domain/errors.ts";
import type { Services } from "./context.ts";

/** The most messages that a queue accepts at once (Cloudflare Queues, "Limits"). */
const MAX_UPLOADS = 100;
/** The most accounts that one call reads, so that it ends in time even if few of them have such uploads. */
const MAX_ACCOUNTS = 50;

/** A position of the walk: after this upload of this account. */
interface Place {
  readonly accountId: string;
  readonly uploadId: string;
}

/** Uploads of one account. */
export interface FoundUploads<Row> {
  readonly accountId: string;
  readonly library: Library;
  readonly uploads: readonly Row[];
}

export interface WalkOptions {
  /** Limits the walk to one account; undefined for every account. */
  readonly email?: string | undefined;
  /** The previous step's `next`. */
  readonly after?: string | undefined;
}

/** Lists some uploads of an account, in the order of their ids. */
export type ListSome<Row> = (
  library: Library,
  accountId: string,
  options: { readonly afterId: string; readonly limit: number },
) => Promise<readonly Row[]>;

/**
 * A step of a walk over some uploads of all accounts: at most a hundred, of the next account that has any.
 * @returns `found` is undefined if this step found none; `next` is the start of the next step, null if nothing is left
 * @throws ServiceError 404 for an unknown account, 400 for an invalid `after`
 */
export async function walkUploads<Row extends { readonly id: string }>(
  services: Pick<Services, "directory" | "libraries">,
  { email, after }: WalkOptions,
  list: ListSome<Row>,
): Promise<{ readonly found: FoundUploads<Row> | undefined; readonly next: string | null }> {
  const from = after === undefined ? undefined : parsePlace(after);
  const accounts = await listAccounts(services, email, from);
  let last = from;
  for (const { id: accountId, shard } of accounts) {
    const library = services.libraries.open(shard);
    const afterId = from?.accountId === accountId ? from.uploadId : "";
    const uploads = await list(library, accountId, { afterId, limit: MAX_UPLOADS });
    last = { accountId, uploadId: uploads.at(-1)?.id ?? afterId };
    if (uploads.length > 0) return { found: { accountId, library, uploads }, next: toText(last) };
  }
  const isLast = email !== undefined || accounts.length < MAX_ACCOUNTS;
  return { found: undefined, next: isLast || last === undefined ? null : toText(last) };
}

async function listAccounts(
  { directory }: Pick<Services, "directory">,
  email: string | undefined,
  from: Place | undefined,
): Promise<AccountPlace[]> {
  if (email === undefined) return listAccountPlaces(directory, from?.accountId ?? "", MAX_ACCOUNTS);
  const account = await findAccountByEmail(directory, email);
  if (account === undefined) throw ERRORS.AccountNotFound();
  return [account];
}

function toText({ accountId, uploadId }: Place): string {
  return `${accountId}.${uploadId}`;
}

/** @throws ServiceError 400 */
function parsePlace(text: string): Place {
  const [, accountId, uploadId] = /^([0-9a-z]{26})\.([0-9a-z]{26}|)$/.exec(text) ?? [];
  if (accountId === undefined || uploadId === undefined)
    throw ERRORS.InvalidRequest({ after: "must be the `next` of an answer" });
  return { accountId, uploadId };
}
