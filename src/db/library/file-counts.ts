import { and, eq, inArray } from "drizzle-orm";
import type { UploadStatus } from "../../domain/upload-status.ts";
import type { Db } from "../client.ts";
import { uploadCounts } from "../schema.ts";

export interface FileCount {
  readonly facet: string;
  readonly status: UploadStatus;
  /** The MIME type, where the facet is `type`. */
  readonly value: string;
  readonly count: number;
  readonly bytes: number;
}

/** The account's uploads in every folder, by status (facet `all`), and by status and MIME type (facet `type`). */
export async function readFileCounts(db: Db, accountId: string): Promise<FileCount[]> {
  const { facet, status, value, count, bytes } = uploadCounts;
  return db
    .select({ facet, status, value, count, bytes })
    .from(uploadCounts)
    .where(and(eq(uploadCounts.accountId, accountId), eq(uploadCounts.folderId, "*"), inArray(facet, ["all", "type"])));
}
