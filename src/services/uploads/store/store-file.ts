import type { MediaType } from "../../../domain/media-types.ts";
import { isCompressible } from "../../../processor/compression.ts";
import type { AccountContext } from "../../context.ts";
import type { IncomingFile } from "../receive/incoming-file.ts";
import type { UploadRun } from "../upload-run.ts";
import { compressStored } from "./compress-stored.ts";
import { identifyFile, requireMediaType } from "./identify-file.ts";
import { storeHeld } from "./store-held.ts";
import { storeStream } from "./store-stream.ts";
import type { StoredFile } from "./stored-file.ts";

/** Enough to tell every type by. */
export const SNIFFED_BYTES = 64 * 1024;

export interface Storing {
  /** What it holds in memory until it is stored. */
  readonly heldBytes: number;
  readonly stored: Promise<StoredFile>;
}

/**
 * Puts one file of a request into R2. A file of up to one part is held, compressed if it is an image and the account wants
 * that, and put at once. A larger file streams to R2 in parts; an image among those is compressed from there afterwards.
 * @returns once the file was read to its end; what is left to do goes on in `stored`
 * @throws ServiceError 400, 413, 415, 429, 503 for this file alone; nothing of it is left then
 */
export async function storeFile(run: UploadRun, incoming: IncomingFile): Promise<Storing> {
  const part = incoming.openPart();
  let isHandedOver = false;
  try {
    await incoming.fill(part, SNIFFED_BYTES);
    const mimeType = requireMediaType(part);
    await incoming.fill(part);
    const isWhole = !(await incoming.more());
    const file = identifyFile(run.account, incoming.uploadedName, { mimeType, part, isWhole });
    const quality = qualityFor(run.account, mimeType);
    isHandedOver = true;
    if (isWhole) return { heldBytes: part.length, stored: storeHeld(run, file, part, quality) };
    const streamed = await storeStream(run, { file, first: part, incoming, quality });
    return { heldBytes: 0, stored: compressStored(run, streamed) };
  } finally {
    if (!isHandedOver) part.release({ wasStored: false });
  }
}

/** The quality that a file of this type is to be compressed with; null if it is to be stored as it is. */
export function qualityFor({ settings }: AccountContext, mimeType: MediaType): number | null {
  return settings.autoCompress && isCompressible(mimeType) ? settings.compressionQuality : null;
}
