import { and, eq } from "drizzle-orm";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Library } from "./library.ts";
import { uploadCounts } from "./schema.ts";

export interface FileCount {
  readonly status: UploadStatus;
  readonly mimeType: string;
  readonly count: number;
  readonly bytes: number;
}

/** The account's uploads of all folders, by status and MIME type. */
export async function readFileCounts(db: Library, accountId: string): Promise<FileCount[]> {
  const { facet, status, value, count, bytes } = uploadCounts;
  return db
    .select({ status, mimeType: value, count, bytes })
    .from(uploadCounts)
    .where(and(eq(uploadCounts.accountId, accountId), eq(uploadCounts.folderId, "*"), eq(facet, "type")));
}
