import { and, eq } from "drizzle-orm";
import type { Db } from "../client.ts";
import { folders } from "../schema.ts";

export async function folderExists(db: Db, accountId: string, folderId: string): Promise<boolean> {
  const row = await db
    .select({ id: folders.id })
    .from(folders)
    .where(and(eq(folders.accountId, accountId), eq(folders.id, folderId)))
    .get();
  return row !== undefined;
}
