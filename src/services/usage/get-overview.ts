import { readFileCounts } from "../../db/library/file-counts.ts";
import { countFolders } from "../../db/library/folders.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { isVideo } from "../../domain/media-types.ts";
import type { MadeVariants, VariantRecord } from "../../domain/variants/made-variants.ts";
import { within } from "../../isolate/calls.ts";
import type { AccountFigures } from "../../meter/books/figures.ts";
import type { AccountContext } from "../context.ts";

/** The most that an overview waits for the record of variants. */
const RECORD_MS = 2000;

export interface Overview {
  readonly figures: AccountFigures;
  /** Active and trashed files; `trashedBytes` is the stored size of the trashed ones. */
  readonly files: Readonly<Record<"total" | "images" | "videos" | "trashed" | "trashedBytes", number>>;
  readonly folders: number;
  /** The stored variants. Null if their record cannot be read now. */
  readonly variants: MadeVariants | null;
  /** Stored bytes; their sum is `figures.storageUsedBytes` without thumbnails. */
  readonly storedBytes: Readonly<Record<"images" | "videos" | "trash", number>>;
}

/** An account's storage and usage. The figures are the meter's at the request's admission. */
export async function getOverview({ library, accountId, figures, variantsOf }: AccountContext): Promise<Overview> {
  const [counts, folders, variants] = await Promise.all([
    readFileCounts(library, accountId),
    countFolders(library, accountId),
    readVariants(variantsOf(accountId)),
  ]);
  const files = { total: 0, images: 0, videos: 0, trashed: 0, trashedBytes: 0 };
  const storedBytes = { images: 0, videos: 0, trash: 0 };
  for (const { status, mimeType, count, bytes } of counts) {
    files.total += count;
    if (isVideo(mimeType)) files.videos += count;
    else files.images += count;
    if (status === "trash") {
      files.trashed += count;
      files.trashedBytes += bytes;
    }
    storedBytes[status === "trash" ? "trash" : isVideo(mimeType) ? "videos" : "images"] += bytes;
  }
  return { figures, files, folders, variants, storedBytes };
}

/** The CDN Worker keeps the record. All other figures are answered without it. */
async function readVariants(record: VariantRecord): Promise<MadeVariants | null> {
  try {
    const { count, bytes } = await within(RECORD_MS, record.read());
    return { count, bytes };
  } catch (error) {
    console.error(toLogLine("variants.not-counted", {}, error));
    return null;
  }
}
