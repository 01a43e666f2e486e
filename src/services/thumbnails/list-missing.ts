import { listVideosWithoutThumbnail, type VideoWithoutThumbnail } from "../../db/library/thumbnails.ts";
import { isVideo, MEDIA_TYPES } from "../../domain/media-types.ts";
import type { ListSome } from "../walk-uploads.ts";

const types = MEDIA_TYPES.filter(isVideo);

/** Lists videos without a thumbnail. @param failedOnly only those with a recorded reason */
export function listMissing({ failedOnly }: { readonly failedOnly: boolean }): ListSome<VideoWithoutThumbnail> {
  return (library, accountId, options) =>
    listVideosWithoutThumbnail(library, accountId, { ...options, types, failedOnly });
}
