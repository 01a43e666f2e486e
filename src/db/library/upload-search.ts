import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The full-text index: a virtual table, which only a migration can make, and so not in the schema that drizzle-kit reads. */
export const uploadSearch = sqliteTable("upload_search", { rowid: integer(), grams: text() });
