import { and, eq, ne, sql } from "drizzle-orm";
import type { Library } from "./library.ts";
import { libraries, uploadCounts } from "./schema.ts";

export interface ShardFigures {
  readonly accounts: number;
  readonly uploads: number;
  /** Bytes of the files in R2. */
  readonly storedBytes: number;
  /** Bytes of the database itself. */
  readonly databaseBytes: number;
}

/** Figures of a shard. A few rows of each account are read. */
export async function readShardFigures(db: Library): Promise<ShardFigures> {
  const { meta, results } = await db.idempotent(() =>
    db.run(
      db
        .select({
          accounts: sql`count(DISTINCT ${libraries.id})`.as("accounts"),
          uploads: sql`ifnull(sum(${uploadCounts.count}), 0)`.as("uploads"),
          storedBytes: sql`ifnull(sum(${uploadCounts.bytes}), 0)`.as("stored_bytes"),
        })
        .from(libraries)
        .leftJoin(
          uploadCounts,
          and(eq(uploadCounts.accountId, libraries.id), eq(uploadCounts.folderId, "*"), eq(uploadCounts.facet, "type")),
        )
        .where(ne(libraries.state, "left")),
    ),
  );
  const [row] = results as { accounts: number; uploads: number; stored_bytes: number }[];
  return {
    accounts: row?.accounts ?? 0,
    uploads: row?.uploads ?? 0,
    storedBytes: row?.stored_bytes ?? 0,
    databaseBytes: meta.size_after,
  };
}
