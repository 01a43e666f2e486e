import { listWithoutPlaceholder, type UploadWithoutPlaceholder } from "../../db/library/placeholders.ts";
import { isVideo, MEDIA_TYPES } from "../../domain/media-types.ts";
import type { Services } from "../context.ts";
import type { Signer } from "../paging.ts";
import { type ListSome, type WalkOptions, walkUploads } from "../walk-uploads.ts";

export interface OrderedPlaceholders {
  /** Uploads that were announced. */
  readonly announced: number;
  /** Start of the next call; null if nothing is left. */
  readonly nextCursor: string | null;
}

const videoTypes = MEDIA_TYPES.filter(isVideo);

const listMissing: ListSome<UploadWithoutPlaceholder> = (library, accountId, options) =>
  listWithoutPlaceholder(library, accountId, { ...options, videoTypes });

/**
 * Announces images, and videos with a thumbnail, whose placeholder was not made yet, up to a hundred a call. A placeholder that exists is
 * not made again, so a call is safe at any time.
 * @param email limits it to one account; undefined for every account
 * @throws ServiceError 404 for an unknown account, 400 for an invalid cursor
 */
export async function orderPlaceholders(
  services: Pick<Services, "directory" | "libraries" | "uploadEvents"> & Signer,
  options: WalkOptions,
): Promise<OrderedPlaceholders> {
  const { found, nextCursor } = await walkUploads(services, "orderPlaceholders", options, listMissing);
  if (found === undefined) return { announced: 0, nextCursor };
  const { accountId, uploads } = found;
  await services.uploadEvents.sendBatch(
    uploads.map(({ id: uploadId, objectKey, mimeType }) => ({
      body: { type: "upload.stored" as const, accountId, uploadId, objectKey, mimeType },
    })),
  );
  return { announced: uploads.length, nextCursor };
}
