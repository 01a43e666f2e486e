import { recordPlaceholder } from "../../db/library/placeholders.ts";
import { findUpload } from "../../db/library/uploads.ts";
import { isVideo } from "../../domain/media-types.ts";
import { likelyKeys, thumbnailKey, versionOf } from "../../domain/object-key.ts";
import { StoredImage } from "../../processor/source-image.ts";
import type { Services } from "../context.ts";
import { openLibrary } from "../context.ts";

type PlaceholderContext = Pick<Services, "libraries" | "files" | "processor" | "meterOf">;

/**
 * Makes and records the placeholder of a stored image, or of a video's thumbnail, unless it has one. An upload that was deleted or taken
 * down, and a video without a thumbnail, get none. Without a media processor an image that is too large for the Codec Worker stays
 * without a verdict.
 * @throws Error if a retry may succeed
 */
export async function makePlaceholder(
  context: PlaceholderContext,
  { accountId, uploadId }: { readonly accountId: string; readonly uploadId: string },
): Promise<void> {
  const library = await openLibrary(context, accountId);
  if (library === undefined) return;
  const row = await findUpload(library, accountId, uploadId);
  if (row === undefined || row.placeholder !== null || row.takedown !== null) return;
  const path = isVideo(row.mimeType) ? thumbnailKey(accountId, versionOf(row.objectKey)) : row.objectKey;
  const image = await findImage(context, likelyKeys(path, row.visibility));
  if (image === undefined) return;
  const answer = await context.processor.placeholder(image);
  if (answer.outcome === "busy") throw new Error("The Codec Worker has no memory to spare");
  if (answer.outcome === "too-large") return;
  await recordPlaceholder(library, row, answer.outcome === "made" ? answer.placeholder : "none");
}

async function findImage({ files }: PlaceholderContext, keys: readonly string[]): Promise<StoredImage | undefined> {
  for (const key of keys) {
    const image = await StoredImage.find(files, key);
    if (image !== undefined) return image;
  }
  return undefined;
}
