import { type AccountPlace, findAccountByEmail, listAccountPlaces } from "../../db/directory/accounts.ts";
import type { Library } from "../../db/library/library.ts";
import { listVideosWithoutThumbnail, type VideoWithoutThumbnail } from "../../db/library/thumbnails.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isVideo, MEDIA_TYPES } from "../../domain/media-types.ts";
import type { Services } from "../context.ts";

/** The most messages that a queue accepts at once (Cloudflare Queues, "Limits"). */
const MAX_VIDEOS = 100;
/** The most accounts that one call reads, so that it ends in time even if few of them have videos. */
const MAX_ACCOUNTS = 50;
const VIDEO_TYPES = MEDIA_TYPES.filter(isVideo);

/** A position of the walk: after this upload of this account. */
interface Place {
  readonly accountId: string;
  readonly uploadId: string;
}

/** Videos of one account. */
export interface FoundVideos {
  readonly accountId: string;
  readonly library: Library;
  readonly videos: readonly VideoWithoutThumbnail[];
}

export interface WalkOptions {
  /** Limits the walk to one account; undefined for every account. */
  readonly email?: string | undefined;
  /** The previous step's `next`. */
  readonly after?: string | undefined;
  /** Only videos with a recorded reason. */
  readonly failedOnly?: boolean;
}

/**
 * A step of a walk over the videos without a thumbnail: at most a hundred, of the next account that has any.
 * @returns `found` is undefined if this step found none; `next` is the start of the next step, null if nothing is left
 * @throws ServiceError 404 for an unknown account, 400 for an invalid `after`
 */
export async function walkMissing(
  services: Pick<Services, "directory" | "libraries">,
  { email, after, failedOnly = false }: WalkOptions,
): Promise<{ readonly found: FoundVideos | undefined; readonly next: string | null }> {
  const from = after === undefined ? undefined : parsePlace(after);
  const accounts = await listAccounts(services, email, from);
  let last = from;
  for (const { id: accountId, shard } of accounts) {
    const library = services.libraries.open(shard);
    const afterId = from?.accountId === accountId ? from.uploadId : "";
    const options = { afterId, types: VIDEO_TYPES, limit: MAX_VIDEOS, failedOnly };
    const videos = await listVideosWithoutThumbnail(library, accountId, options);
    last = { accountId, uploadId: videos.at(-1)?.id ?? afterId };
    if (videos.length > 0) return { found: { accountId, library, videos }, next: toText(last) };
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
