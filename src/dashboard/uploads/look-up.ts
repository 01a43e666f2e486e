import type { MediaObject, UploadResult } from "../../client/index.ts";
import type { SoughtFile } from "./ports.ts";

/** A file of a listing. Older services do not return the fields about the upload. */
export type Listed = MediaObject &
  Partial<Pick<UploadResult, "originalFileSize" | "compressed" | "compressionQuality">>;

/** The largest expected difference between two computers' clocks. */
const CLOCKS_MS = 5 * 60_000;

/**
 * Finds the file of an upload whose response was lost, on the newest page of its folder.
 * @param known ids of stored files that belong to another upload
 */
export function findStored(
  newest: readonly Listed[],
  { name, sizeBytes, since }: SoughtFile,
  known: ReadonlySet<string>,
): UploadResult | undefined {
  const found = newest.find(
    ({ _id, prompt, fileSize, originalFileSize = fileSize, createdAt }) =>
      !known.has(_id) &&
      prompt === name &&
      originalFileSize === sizeBytes &&
      Date.parse(createdAt) >= since - CLOCKS_MS,
  );
  return found && toResult(found);
}

function toResult({ thumbnailUrl, compressionQuality, ...media }: Listed): UploadResult {
  const {
    _id,
    url,
    filename,
    prompt,
    fileSize,
    originalFileSize = fileSize,
    compressed = false,
    mimeType,
    size,
  } = media;
  return {
    _id,
    url,
    filename,
    originalFilename: prompt,
    fileSize,
    originalFileSize,
    sha256: media.sha256,
    compressed,
    mimeType,
    size,
    thumbHash: media.thumbHash,
    dominantColor: media.dominantColor,
    folderId: media.folderId,
    tags: media.tags,
    visibility: media.visibility,
    externalId: media.externalId,
    alt: media.alt,
    metadata: media.metadata,
    focalPoint: media.focalPoint,
    expiresAt: media.expiresAt,
    takenAt: media.takenAt,
    camera: media.camera,
    lens: media.lens,
    exposure: media.exposure,
    location: media.location,
    createdAt: media.createdAt,
    type: "upload",
    ...(thumbnailUrl !== null && { thumbnailUrl }),
    ...(compressionQuality !== undefined && { compressionQuality }),
    ...(media.uploadedSha256 !== undefined && { uploadedSha256: media.uploadedSha256 }),
  };
}
