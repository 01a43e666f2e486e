import { sql } from "drizzle-orm";
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { UPLOAD_STATUSES } from "../../domain/upload-status.ts";

/** A shard in D1: the libraries of many accounts. Times are milliseconds since the epoch, sizes bytes, ids lower-case ULIDs. */

/** An account's library is here. The account itself is in the directory. */
export const libraries = sqliteTable("libraries", {
  id: text().primaryKey(),
  /**
   * `leaving`: it is being copied to another shard, and nothing of it can be written. `left`: it is there; rows that are
   * still here can only be deleted. Triggers see to both (migrations/library).
   */
  state: text({ enum: ["here", "leaving", "left"] }).notNull(),
  /** Of the last step that moved it, on the clock of the account's object: a trigger refuses an older step, whenever it arrives. */
  movedAt: integer("moved_at").notNull().default(0),
});

/** Uploads that were made here and whose library has left: their ids say that they are here (`domain/ids.ts`). WITHOUT ROWID. */
export const movedUploads = sqliteTable(
  "moved_uploads",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => libraries.id, { onDelete: "cascade" }),
  },
  (table) => [index("moved_uploads_by_account").on(table.accountId)],
);

export const folders = sqliteTable(
  "folders",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => libraries.id, { onDelete: "cascade" }),
    parentId: text("parent_id").references((): AnySQLiteColumn => folders.id),
    name: text().notNull(),
    icon: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    uniqueIndex("folders_by_name").on(table.accountId, table.parentId, table.name),
    // SQL holds two NULL parents for different, so names in Root need an index of their own.
    uniqueIndex("root_folders_by_name").on(table.accountId, table.name).where(sql`${table.parentId} is null`),
    index("folders_by_parent").on(table.parentId),
  ],
);

export const uploads = sqliteTable(
  "uploads",
  {
    /**
     * The place in every listing, newest first: `created_at` shifted left by 20 bits, plus how many uploads of that
     * millisecond came before. Over 2^53, so it never becomes a JavaScript number. Every index ends with it.
     */
    number: integer().primaryKey(),
    id: text().notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => libraries.id, { onDelete: "cascade" }),
    /** Null is Root. */
    folderId: text("folder_id").references(() => folders.id),
    status: text({ enum: UPLOAD_STATUSES }).notNull(),
    objectKey: text("object_key").notNull(),
    originalFilename: text("original_filename").notNull(),
    mimeType: text("mime_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    originalSizeBytes: integer("original_size_bytes").notNull(),
    /** The quality used; null where the stored file is the uploaded one. */
    compressionQuality: integer("compression_quality"),
    /** Pixels as displayed; 0 while not known. */
    width: integer().notNull(),
    height: integer().notNull(),
    favorite: integer({ mode: "boolean" }).notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Of a video; null while not known. */
    durationMs: integer("duration_ms"),
    /** Null while there is no thumbnail. */
    thumbnailSizeBytes: integer("thumbnail_size_bytes"),
    /** Why there never will be one. */
    thumbnailError: text("thumbnail_error"),
  },
  (table) => [
    index("uploads_by_folder").on(table.folderId, table.accountId, table.status),
    index("uploads_by_status").on(table.accountId, table.status),
    index("uploads_by_folder_type").on(table.folderId, table.accountId, table.status, table.mimeType),
    index("uploads_by_type").on(table.accountId, table.status, table.mimeType),
    index("favorites_by_folder").on(table.folderId, table.accountId, table.status).where(sql`${table.favorite} = 1`),
    index("favorites_by_status").on(table.accountId, table.status).where(sql`${table.favorite} = 1`),
  ],
);

// The tables below follow `uploads` by triggers (migrations/library), except for the text of `upload_search`, the
// full-text index over `toGrams`, which is written with each upload. Their `folderId` is "" for Root.

/** One row for each tag of each upload. WITHOUT ROWID. */
export const uploadTags = sqliteTable(
  "upload_tags",
  {
    accountId: text("account_id").notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull(),
    tag: text().notNull(),
    number: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.status, table.tag, table.number] })],
);

/** The same by folder: a table of its own, so that what leaves a folder changes no other. WITHOUT ROWID. */
export const folderTags = sqliteTable(
  "folder_tags",
  {
    accountId: text("account_id").notNull(),
    folderId: text("folder_id").notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull(),
    tag: text().notNull(),
    number: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.folderId, table.status, table.tag, table.number] })],
);

/** What an account has, counted: `facet` is type, day (YYYY-MM-DD), favorite or tag; folder "*" is every folder. WITHOUT ROWID. */
export const uploadCounts = sqliteTable(
  "upload_counts",
  {
    accountId: text("account_id").notNull(),
    folderId: text("folder_id").notNull(),
    facet: text({ enum: ["type", "day", "favorite", "tag"] }).notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull(),
    value: text().notNull(),
    count: integer().notNull(),
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.folderId, table.facet, table.status, table.value] })],
);

export type Folder = typeof folders.$inferSelect;
/** With the number of active uploads directly in it. */
export type FolderWithCount = Folder & { readonly itemCount: number };
export type Upload = Omit<typeof uploads.$inferSelect, "number">;
