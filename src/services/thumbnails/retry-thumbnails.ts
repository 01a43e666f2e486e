import { type AccountPlace, findAccountByEmail, listAccountPlaces } from "../../db/directory/accounts.ts";
import type { Library } from "../../db/library/library.ts";
import {
  clearThumbnailErrors,
  listVideosWithoutThumbnail,
  type VideoWithoutThumbnail,
} from "../../db/library/thumbnails.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isVideo, MEDIA_TYPES } from "../../domain/media-types.ts";
import type { Services } from "../context.ts";

/** As many messages as a queue takes at once (Cloudflare Queues, "Limits"). */
const MAX_VIDEOS = 100;
/** One call looks into so many accounts at most, so that it ends in time however few of them have videos. */
const MAX_ACCOUNTS = 50;
const VIDEO_TYPES = MEDIA_TYPES.filter(isVideo);

/** Where a retry goes on: after this upload of this account. */
interface Place {
  readonly accountId: string;
  readonly uploadId: string;
}

export interface RetriedThumbnails {
  /** How many videos were announced. */
  readonly announced: number;
  /** Where the next call goes on; null where there is nothing left. */
  readonly next: string | null;
}

/**
 * Announces videos that have no thumbnail once more, whether that was recorded as a failure or never came about, up to a hundred a call.
 * Videos that get one meanwhile are not made twice, so that this may be called at any time and again.
 * @param email of one account; undefined for every account
 * @param after the `next` of the call before
 * @throws ServiceError 404 for an unknown account, 400 for an `after` that is not one of ours
 */
export async function retryThumbnails(
  services: Pick<Services, "directory" | "libraries" | "uploadEvents">,
  { email, after }: { readonly email?: string | undefined; readonly after?: string | undefined },
): Promise<RetriedThumbnails> {
  const from = after === undefined ? undefined : parsePlace(after);
  const accounts = await listAccounts(services, email, from);
  let last = from;
  for (const { id: accountId, shard } of accounts) {
    const library = services.libraries.open(shard);
    const afterId = from?.accountId === accountId ? from.uploadId : "";
    const videos = await listVideosWithoutThumbnail(library, accountId, {
      afterId,
      types: VIDEO_TYPES,
      limit: MAX_VIDEOS,
    });
    last = { accountId, uploadId: videos.at(-1)?.id ?? afterId };
    if (videos.length === 0) continue;
    await announce({ library, ...services }, accountId, videos);
    return { announced: videos.length, next: toText(last) };
  }
  const isLast = email !== undefined || accounts.length < MAX_ACCOUNTS;
  return { announced: 0, next: isLast || last === undefined ? null : toText(last) };
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

/** The reasons go first: a crash in between leaves videos that are undecided, which the next call finds as well. */
async function announce(
  { library, uploadEvents }: Pick<Services, "uploadEvents"> & { readonly library: Library },
  accountId: string,
  videos: readonly VideoWithoutThumbnail[],
): Promise<void> {
  const failed = videos.filter(({ thumbnailError }) => thumbnailError !== null);
  if (failed.length > 0) {
    await clearThumbnailErrors(
      library,
      accountId,
      failed.map(({ id }) => id),
    );
  }
  await uploadEvents.sendBatch(
    videos.map(({ id: uploadId, objectKey, mimeType }) => ({
      body: { type: "upload.stored" as const, accountId, uploadId, objectKey, mimeType },
    })),
  );
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
