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
import type { Exposure, Location } from "../../domain/camera-facts.ts";
import type { StoredPlaceholder } from "../../domain/placeholder.ts";
import type { Actor } from "../../domain/principal.ts";
import type { Takedown } from "../../domain/takedown.ts";
import { UPLOAD_STATUSES } from "../../domain/upload-status.ts";
import type { FocalPoint } from "../../domain/variants/focal-point.ts";
import { VISIBILITIES } from "../../domain/visibility.ts";

/** A shard in D1: the libraries of many accounts. Times are milliseconds since the epoch, sizes bytes, ids lower-case ULIDs. */

/** A library whose rows are in this shard. The account itself is in the directory. */
export const libraries = sqliteTable("libraries", {
  id: text().primaryKey(),
  /**
   * `leaving`: the library is being copied to another shard and cannot be written. `left`: the library is in another shard; rows that
   * remain here can only be deleted. Triggers enforce both (migrations/library).
   */
  state: text({ enum: ["here", "leaving", "left"] }).notNull(),
  /** The time of the last step that moved it, on the clock of the account's object. A trigger refuses older steps that arrive later. */
  movedAt: integer("moved_at").notNull().default(0),
});

/** Uploads that were made in this shard and have moved with their library. Their ids still point here (`domain/ids.ts`). WITHOUT ROWID. */
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
    // SQL treats two NULL parents as different, so names in Root need an index of their own.
    uniqueIndex("root_folders_by_name").on(table.accountId, table.name).where(sql`${table.parentId} is null`),
    index("folders_by_parent").on(table.parentId),
    index("listed_folders").on(table.accountId, table.name, table.id),
  ],
);

export const uploads = sqliteTable(
  "uploads",
  {
    /**
     * The position in every listing, newest first: `created_at` shifted left by 20 bits, plus the number of earlier uploads in the same
     * millisecond. It exceeds 2^53, so it never becomes a JavaScript number. Every index ends with it.
     */
    number: integer().primaryKey(),
    id: text().notNull().unique(),
    accountId: text("account_id")
      .notNull()
      .references(() => libraries.id, { onDelete: "cascade" }),
    folderId: text("folder_id").references(() => folders.id),
    status: text({ enum: UPLOAD_STATUSES }).notNull(),
    objectKey: text("object_key").notNull(),
    originalFilename: text("original_filename").notNull(),
    mimeType: text("mime_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    originalSizeBytes: integer("original_size_bytes").notNull(),
    /** The quality used; null if the stored file is the uploaded one. */
    compressionQuality: integer("compression_quality"),
    /** Pixels as displayed; 0 while unknown. */
    width: integer().notNull(),
    height: integer().notNull(),
    favorite: integer({ mode: "boolean" }).notNull(),
    tags: text({ mode: "json" }).$type<string[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** Duration of a video; null while unknown. */
    durationMs: integer("duration_ms"),
    /** Null while there is no thumbnail. */
    thumbnailSizeBytes: integer("thumbnail_size_bytes"),
    /** The reason why there will never be a thumbnail. */
    thumbnailError: text("thumbnail_error"),
    /** Set if the operator took the file down. It is a copy for lists; the account's object decides. */
    takedown: text({ mode: "json" }).$type<Takedown>(),
    /** Of an image, or of a video's thumbnail; null while it is not made. */
    placeholder: text({ mode: "json" }).$type<StoredPlaceholder>(),
    visibility: text({ enum: VISIBILITIES }).notNull().default("public"),
    /** The client's own id of the upload, unique in the account. */
    externalId: text("external_id"),
    /** The client's own facts about the upload, as JSON text. */
    metadata: text(),
    /** A description of the picture for people who do not see it. */
    alt: text(),
    /** The time at which the upload is deleted. The account's object decides. */
    expiresAt: integer("expires_at"),
    /** The time at which the picture was taken. A camera's clock without an offset is read as UTC. */
    takenAt: integer("taken_at"),
    camera: text(),
    lens: text(),
    exposure: text({ mode: "json" }).$type<Exposure>(),
    /** Of the stored bytes, hexadecimal; null while unknown. */
    sha256: text(),
    /** Of the bytes as uploaded, if they differ from the stored ones. */
    uploadedSha256: text("uploaded_sha256"),
    /** How often the bytes were replaced. */
    revision: integer().notNull().default(0),
    /** The point that crops of the picture keep. */
    focalPoint: text("focal_point", { mode: "json" }).$type<FocalPoint>(),
    /** Null for uploads of earlier versions. */
    uploadedBy: text("uploaded_by").$type<Actor>(),
    /** The last changes as JSON text (`KeptChange`), oldest first; null if there were none. It follows the short columns, so that lists need not read it. */
    history: text(),
    /** The place that the stored bytes have. */
    location: text({ mode: "json" }).$type<Location>(),
  },
  (table) => [
    index("uploads_by_folder").on(table.folderId, table.accountId, table.status),
    index("uploads_by_status").on(table.accountId, table.status),
    index("uploads_by_folder_type").on(table.folderId, table.accountId, table.status, table.mimeType),
    index("uploads_by_type").on(table.accountId, table.status, table.mimeType),
    index("favorites_by_folder").on(table.folderId, table.accountId, table.status).where(sql`${table.favorite} = 1`),
    index("favorites_by_status").on(table.accountId, table.status).where(sql`${table.favorite} = 1`),
    // Only taken-down uploads are written to it.
    index("takedowns_by_status").on(table.accountId, table.status).where(sql`${table.takedown} IS NOT NULL`),
    // Orders of listings, for every folder and status: see `list-sorted.ts`.
    index("uploads_by_name").on(table.accountId, sql`${table.originalFilename} COLLATE NOCASE`),
    index("uploads_by_size").on(table.accountId, table.sizeBytes),
    index("uploads_by_time").on(table.accountId, table.takenAt),
    uniqueIndex("uploads_by_external_id")
      .on(table.accountId, table.externalId)
      .where(sql`${table.externalId} is not null`),
    index("uploads_by_sha256").on(table.accountId, table.sha256).where(sql`${table.sha256} IS NOT NULL`),
    index("uploads_by_uploaded_sha256")
      .on(table.accountId, table.uploadedSha256)
      .where(sql`${table.uploadedSha256} IS NOT NULL`),
  ],
);

// Triggers keep the tables below consistent with `uploads` (migrations/library). Only the text of `upload_search`, the full-text index over
// `toGrams`, is written with each upload. The `folderId` of these tables is "" for Root.

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

/**
 * One row for each tag of each upload, by folder. It is a separate table, so that moving an upload between folders does not change
 * `upload_tags`. WITHOUT ROWID.
 */
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

/** Counts of an account's uploads. `facet` is type, day (YYYY-MM-DD), favorite or tag; folder "*" is every folder. WITHOUT ROWID. */
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

/** Tables that triggers fill. A backup leaves them out, because the triggers fill them again. */
export const DERIVED_TABLES: readonly string[] = ["upload_tags", "folder_tags", "upload_counts"];

export type Folder = typeof folders.$inferSelect;
/** A folder with its number of active uploads (without subfolders). */
export type FolderWithCount = Folder & { readonly itemCount: number };
export type Upload = Omit<typeof uploads.$inferSelect, "number" | "history">;
