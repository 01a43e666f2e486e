import type { Client, MediaObject, SignedImage } from "../../client/index.ts";

/** A pull's slowest download takes less. */
const VALID_SECONDS = 3600;

/** The URLs at which a file and its thumbnail can be read: signed ones if the file is private. @throws MediaHostError */
export async function readableUrls(
  host: Client,
  { _id, visibility, url, thumbnailUrl }: Pick<MediaObject, "_id" | "visibility" | "url" | "thumbnailUrl">,
  signal: AbortSignal,
): Promise<Pick<SignedImage, "url" | "thumbnailUrl">> {
  return visibility === "private" ? host.signedUrls(_id, VALID_SECONDS, { signal }) : { url, thumbnailUrl };
}
