import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Shard } from "../../domain/ids.ts";
import { PROOF_PURPOSES } from "../../domain/mail-proofs.ts";
import type { Scope } from "../../domain/principal.ts";
import { KEY_KINDS, TIER_NAMES } from "../../domain/tiers.ts";

/** The directory in D1: accounts and the shards of their libraries. Times are milliseconds since the epoch, ids are lower-case ULIDs. */

const ACCOUNT_CHANGE_KINDS = [
  "set-tier",
  "set-settings",
  "set-password",
  "set-email",
  "replace-upload-key",
  "move",
] as const;

export const accounts = sqliteTable(
  "accounts",
  {
    id: text().primaryKey(),
    /** Lower case; login finds the account by it. */
    email: text().notNull().unique(),
    name: text(),
    passwordHash: text("password_hash").notNull(),
    tier: text({ enum: TIER_NAMES }).notNull(),
    /** The start of the paid tier: its day of the month is the billing anniversary. Null for Free. */
    billingAnchorAt: integer("billing_anchor_at"),
    autoCompress: integer("auto_compress", { mode: "boolean" }).notNull(),
    compressionQuality: integer("compression_quality").notNull(),
    /** The shard of the account's library. Requests get it from the account's Durable Object. */
    shard: text().$type<Shard>().notNull(),
    createdAt: integer("created_at").notNull(),
    /** The time at which the owner proved to read the mail of this address. Null: not yet. */
    emailVerifiedAt: integer("email_verified_at"),
    /** The time at which the account is erased unless its address is verified. Null: never. */
    verifyBy: integer("verify_by"),
    /** The time since which the account's sessions may use the operator's endpoints. Null: they may not. */
    operatorSince: integer("operator_since"),
  },
  (table) => [index("operators").on(table.operatorSince).where(sql`${table.operatorSince} IS NOT NULL`)],
);

export const keys = sqliteTable(
  "keys",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    kind: text({ enum: KEY_KINDS }).notNull(),
    name: text().notNull(),
    /** SHA-256 of the key, hexadecimal. The key itself is shown once and never stored. */
    hash: text().notNull().unique(),
    /** The last four characters, so that people recognise their keys. */
    lastFour: text("last_four").notNull(),
    scopes: text({ mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    revokedAt: integer("revoked_at"),
    /** Null if the key does not expire. */
    expiresAt: integer("expires_at"),
    /** A folder of the account's library that the key is confined to. If the folder was deleted, the key reaches nothing. */
    folderId: text("folder_id"),
  },
  (table) => [
    index("keys_by_account").on(table.accountId),
    index("active_keys").on(table.accountId, table.id).where(sql`${table.revokedAt} IS NULL`),
  ],
);

/** The time of the last change of each kind by an account's Durable Object. Older changes that arrive later are ignored. */
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

/** Addresses that may register while registration is by invitation. */
export const invitations = sqliteTable(
  "invitations",
  {
    /** Lower case, like in `accounts`. */
    email: text().primaryKey(),
    /** SHA-256 of the code, hexadecimal. Null for invitations of earlier versions, which the migration ended. */
    codeHash: text("code_hash"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** The account that used the invitation. An invitation is valid for one account. */
    accountId: text("account_id"),
    usedAt: integer("used_at"),
  },
  (table) => [index("invitations_by_account").on(table.accountId)],
);

/** Mailed links. Each proves that its user can read the mail of an address. */
export const mailProofs = sqliteTable(
  "mail_proofs",
  {
    /** SHA-256 of the link's token, hexadecimal. The token itself is only in the mail. */
    hash: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    purpose: text({ enum: PROOF_PURPOSES }).notNull(),
    /** The address that the mail went to. */
    email: text().notNull(),
    /** The state that the link is valid for: a digest of the password's hash, or the id of an e-mail change. */
    validFor: text("valid_for").notNull(),
    /** SHA-256 of the code that can be typed instead, hexadecimal. Null: the mail has none. */
    codeHash: text("code_hash"),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [index("mail_proofs_by_account").on(table.accountId, table.purpose)],
);

/** The e-mail change that an account has asked for. A second one replaces the first. */
export const emailChanges = sqliteTable("email_changes", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** Random; links are valid for one change. */
  id: text().notNull(),
  fromEmail: text("from_email").notNull(),
  toEmail: text("to_email").notNull(),
  fromConfirmedAt: integer("from_confirmed_at"),
  toConfirmedAt: integer("to_confirmed_at"),
  expiresAt: integer("expires_at").notNull(),
});

/** Passkeys (WebAuthn). Binary values are base64url. */
export const passkeys = sqliteTable(
  "passkeys",
  {
    id: text().primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    credentialId: text("credential_id").notNull().unique(),
    publicKey: text("public_key").notNull(),
    /** The authenticator's count of uses; 0 if it has none. */
    counter: integer().notNull(),
    transports: text({ mode: "json" }).$type<string[]>().notNull(),
    name: text().notNull(),
    createdAt: integer("created_at").notNull(),
    usedAt: integer("used_at"),
    /** The time at which the last answered challenge was made. Older challenges are refused. */
    challengedAt: integer("challenged_at").notNull(),
  },
  (table) => [index("passkeys_by_account").on(table.accountId)],
);

/** The authenticator app of an account. */
export const secondFactors = sqliteTable("second_factors", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  /** Encrypted with the Worker's `SIGN_IN_SECRET`. */
  secret: text().notNull(),
  createdAt: integer("created_at").notNull(),
  /** Null: log-ins do not need a code yet. */
  confirmedAt: integer("confirmed_at"),
  /** The time step of the last used code. This step and older ones are refused. */
  usedStep: integer("used_step").notNull(),
});

/** Codes for a log-in without the authenticator app, each valid once. */
export const recoveryCodes = sqliteTable(
  "recovery_codes",
  {
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256 of the account's id and the code, hexadecimal. */
    hash: text().notNull(),
    usedAt: integer("used_at"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.hash] })],
);

/** The databases of libraries. */
export const shards = sqliteTable("shards", {
  /** Two digits; the binding is `LIBRARY_<id>`. */
  id: text().primaryKey(),
  /** Whether libraries of new accounts go here. */
  isOpen: integer("is_open", { mode: "boolean" }).notNull(),
  createdAt: integer("created_at").notNull(),
});

/** The operator's actions. Triggers keep entries from being changed or deleted. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: text().primaryKey(),
    at: integer().notNull(),
    /** The operator's name, as the request gave it, or `account:` and the id of the account whose session made it. */
    actor: text().notNull(),
    /** The operation's id in the API's description. */
    action: text().notNull(),
    /** The id of an account or of another subject of the action. It is never an e-mail. */
    subject: text(),
    reason: text(),
    /** The answer's status; null if the Worker ended before the answer. */
    status: integer(),
  },
  (table) => [index("audit_log_by_subject").on(table.subject, table.id)],
);

const TAKEDOWN_STATES = ["kept", "destroyed", "restored"] as const;

/** Files that the operator took down. They outlive their account. */
export const takedowns = sqliteTable(
  "takedowns",
  {
    id: text().primaryKey(),
    accountId: text("account_id").notNull(),
    uploadId: text("upload_id").notNull(),
    objectKey: text("object_key").notNull(),
    mimeType: text("mime_type").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    reason: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** The time at which the kept bytes are destroyed; null if none were kept. */
    keepUntil: integer("keep_until"),
    /** The state of the bytes: in quarantine, destroyed, or back in the upload. */
    state: text({ enum: TAKEDOWN_STATES }).notNull(),
    stateAt: integer("state_at").notNull(),
    /** The file's name at the takedown. Null: an earlier version took it down. */
    fileName: text("file_name"),
    /** The actor, as in the audit log. Null: an earlier version took it down. */
    actor: text(),
  },
  (table) => [
    index("takedowns_of_upload").on(table.uploadId, table.id),
    index("takedowns_by_keep").on(table.keepUntil).where(sql`${table.state} = 'kept'`),
  ],
);

/** The hashes that uploads must not have. WITHOUT ROWID. */
export const blockedHashes = sqliteTable(
  "blocked_hashes",
  {
    /** SHA-256, hexadecimal. */
    hash: text().notNull(),
    takedownId: text("takedown_id").notNull(),
    sizeBytes: integer("size_bytes").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.hash, table.takedownId] }),
    index("blocked_hashes_by_size").on(table.sizeBytes),
    index("blocked_hashes_by_takedown").on(table.takedownId),
  ],
);

const REPORT_SOURCES = ["public", "moderation"] as const;
const REPORT_DECISIONS = ["dismissed", "taken-down", "suspended"] as const;

/** Reports of abuse, on which the operator decides. */
export const reports = sqliteTable(
  "reports",
  {
    id: text().primaryKey(),
    /** The source: a person's form, or the moderation hook. */
    source: text({ enum: REPORT_SOURCES }).notNull(),
    url: text().notNull(),
    /** The account and upload of the URL; null if the URL is not of a file. */
    accountId: text("account_id"),
    uploadId: text("upload_id"),
    reason: text().notNull(),
    /** The reporter's e-mail address, if it was given. */
    email: text(),
    createdAt: integer("created_at").notNull(),
    /** Null while the report is open. */
    decision: text({ enum: REPORT_DECISIONS }),
    note: text(),
    decidedAt: integer("decided_at"),
  },
  (table) => [index("open_reports").on(table.id).where(sql`${table.decision} IS NULL`)],
);

export type AccountChangeKind = (typeof ACCOUNT_CHANGE_KINDS)[number];
export type Account = typeof accounts.$inferSelect;
export type Key = typeof keys.$inferSelect;
export type MailProof = typeof mailProofs.$inferSelect;
export type EmailChange = typeof emailChanges.$inferSelect;
export type Passkey = typeof passkeys.$inferSelect;
export type SecondFactor = typeof secondFactors.$inferSelect;
export type Invitation = typeof invitations.$inferSelect;
export type AuditEntry = typeof auditLog.$inferSelect;
export type TakedownRow = typeof takedowns.$inferSelect;
export type Report = typeof reports.$inferSelect;
