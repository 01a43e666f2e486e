import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The local R2's real objects of uploads: it keeps its index in SQLite below the state folder. `keys` are all keys, also of variants and
 * previews.
 */
export async function storedObjects(
  stateDir: string,
): Promise<{ objects: string[]; keys: string[]; openMultipartUploads: number }> {
  const all: string[] = [];
  let openMultipartUploads = 0;
  for (const path of await findDatabases(join(stateDir, "v3", "r2"))) {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
      if (!tables.some(({ name }) => name === "_mf_objects")) continue;
      const keys = database.prepare("SELECT key FROM _mf_objects ORDER BY key").all();
      all.push(...keys.map(({ key }) => String(key)));
      // State 0 is a multipart upload that was neither completed nor aborted.
      const open = database.prepare("SELECT count(*) AS count FROM _mf_multipart_uploads WHERE state = 0").get();
      openMultipartUploads += Number(open?.count ?? 0);
    } finally {
      database.close();
    }
  }
  return { objects: all.filter((key) => key.startsWith("uploads/")), keys: all, openMultipartUploads };
}

async function findDatabases(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  return entries.filter((name) => name.endsWith(".sqlite")).map((name) => join(folder, name));
}
