import { desc, inArray, sql } from "drizzle-orm";
import type { Library } from "../library/library.ts";
import { uploads } from "../library/schema.ts";
import { uploadColumns } from "../library/uploads.ts";

interface NewestQuery {
  readonly accountId: string;
  readonly folderIds: readonly string[];
  readonly perFolder: number;
}

/** Selects the newest active uploads of each folder, newest first: `perFolder` entries of one index for each folder. */
export function selectNewest(library: Library, { accountId, folderIds, perFolder }: NewestQuery) {
  const newest = sql`
    SELECT u.number FROM uploads AS u INDEXED BY uploads_by_folder
    WHERE u.folder_id = f.value AND u.account_id = ${accountId} AND u.status = 'active'
    ORDER BY u.number DESC LIMIT ${perFolder}`;
  const ids = JSON.stringify(folderIds);
  return library
    .select(uploadColumns)
    .from(uploads)
    .where(
      inArray(
        uploads.number,
        sql`(SELECT n.value FROM json_each(${ids}) AS f CROSS JOIN json_each((SELECT json_group_array(number) FROM (${newest}))) AS n)`,
      ),
    )
    .orderBy(desc(uploads.number));
}
