import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../domain/principal.ts";
import type { Shard } from "../../domain/shard.ts";
import { KEY_KINDS, TIER_NAMES } from "../../domain/tiers.ts";

/** The directory in D1: who has an account, and where its library is. Times are milliseconds since the epoch, ids lower-case ULIDs. */

export const ACCOUNT_CHANGE_KINDS = ["set-tier", "set-settings", "set-password", "replace-upload-key", "move"] as const;

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
  /** Which database holds its library. The account's Durable Object is what requests ask. */
  shard: text().$type<Shard>().notNull(),
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

/** When an account's Durable Object last made each kind of change here: what it sent before that changes nothing, whenever it arrives. */
export const accountChanges = sqliteTable(
  "account_changes",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text({ enum: ACCOUNT_CHANGE_KINDS }).notNull(),
    changedAt: integer("changed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.kind] })],
);

/** Addresses that may open an account where registration is by invitation. */
export const invitations = sqliteTable(
  "invitations",
  {
    /** Lower case, as accounts have it. */
    email: text().primaryKey(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** The account that was opened by it, and when: each invitation is good for one. */
    accountId: text("account_id"),
    usedAt: integer("used_at"),
  },
  (table) => [index("invitations_by_account").on(table.accountId)],
);

/** The databases that libraries are in. */
export const shards = sqliteTable("shards", {
  /** Two digits: of the binding `LIBRARY_<id>`. */
  id: text().primaryKey(),
  /** Whether new accounts' libraries are put into it. */
  isOpen: integer("is_open", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
});

export type AccountChangeKind = (typeof ACCOUNT_CHANGE_KINDS)[number];
export type Account = typeof accounts.$inferSelect;
export type Key = typeof keys.$inferSelect;
export type Invitation = typeof invitations.$inferSelect;
