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
import type { Scope } from "../domain/principal.ts";
import { KEY_KINDS, TIER_NAMES } from "../domain/tiers.ts";
import { UPLOAD_STATUSES } from "../domain/upload-status.ts";

/** The catalogue in D1. Times are milliseconds since the epoch, sizes bytes, ids lower-case ULIDs. */

export const accounts = sqliteTable("accounts", {
  id: text().primaryKey(),
  /** Lower case; the way an account is found at login. */
  email: text().notNull().unique(),
  name: text(),
  passwordHash: text("password_hash").notNull(),
  tier: text({ enum: TIER_NAMES }).notNull(),
  /** When the paid tier began: its day of the month is the billing anniversary. Null for Free. */
  billingAnchorAt: integer("billing_anchor_at"),
  autoCompress: integer("auto_compress", { mode: "boolean" }).notNull(),
  compressionQuality: integer("compression_quality").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const keys = sqliteTable(
  "keys",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text({ enum: KEY_KINDS }).notNull(),
    name: text().notNull(),
    /** SHA-256 of the key, hexadecimal; the key itself is shown once and never stored. */
    hash: text().notNull().unique(),
    /** The last four characters, so that people tell their keys apart. */
    lastFour: text("last_four").notNull(),
    scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("keys_by_account").on(table.accountId)],
);

export const folders = sqliteTable(
  "folders",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
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
      .references(() => accounts.id, { onDelete: "cascade" }),
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

// The tables below follow `uploads` by triggers (migrations/0002_library.sql), except for the text of `upload_search`, the
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

/** What an account has, counted: `facet` is all, type, day (YYYY-MM-DD), favorite or tag; folder "*" is every folder. WITHOUT ROWID. */
export const uploadCounts = sqliteTable(
  "upload_counts",
  {
    accountId: text("account_id").notNull(),
    folderId: text("folder_id").notNull(),
    facet: text({ enum: ["all", "type", "day", "favorite", "tag"] }).notNull(),
    status: text({ enum: UPLOAD_STATUSES }).notNull(),
    value: text().notNull(),
    count: integer().notNull(),
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.folderId, table.facet, table.status, table.value] })],
);

export type Account = typeof accounts.$inferSelect;
export type Key = typeof keys.$inferSelect;
export type Folder = typeof folders.$inferSelect;
/** With the number of active uploads directly in it. */
export type FolderWithCount = Folder & { readonly itemCount: number };
export type Upload = Omit<typeof uploads.$inferSelect, "number">;
