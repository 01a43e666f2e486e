import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The full-text index. It is a virtual table, which only a migration can make, so it is not in drizzle-kit's schema. */
export const uploadSearch = sqliteTable("upload_search", { rowid: integer(), grams: text() });
