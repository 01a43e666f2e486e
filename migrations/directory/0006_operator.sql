CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text,
	`reason` text,
	`status` integer
);
--> statement-breakpoint
CREATE INDEX `audit_log_by_subject` ON `audit_log` (`subject`,`id`);
--> statement-breakpoint
CREATE TRIGGER `audit_log_is_kept` BEFORE DELETE ON `audit_log` BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
-- An entry changes once: it gets the answer's status when its action has ended.
CREATE TRIGGER `audit_log_is_unchanged` BEFORE UPDATE ON `audit_log`
WHEN OLD.`status` IS NOT NULL OR NEW.`id` IS NOT OLD.`id` OR NEW.`at` IS NOT OLD.`at` OR NEW.`actor` IS NOT OLD.`actor`
	OR NEW.`action` IS NOT OLD.`action` OR NEW.`subject` IS NOT OLD.`subject` OR NEW.`reason` IS NOT OLD.`reason` BEGIN
	SELECT RAISE(ABORT, 'the audit log is append-only');
END;
--> statement-breakpoint
CREATE TABLE `takedowns` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`upload_id` text NOT NULL,
	`object_key` text NOT NULL,
	`mime_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`keep_until` integer,
	`state` text NOT NULL,
	`state_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `takedowns_by_upload` ON `takedowns` (`upload_id`);
--> statement-breakpoint
CREATE INDEX `takedowns_by_keep` ON `takedowns` (`keep_until`) WHERE "takedowns"."state" = 'kept';
--> statement-breakpoint
CREATE TABLE `blocked_hashes` (
	`hash` text NOT NULL,
	`takedown_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	PRIMARY KEY(`hash`, `takedown_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `blocked_hashes_by_size` ON `blocked_hashes` (`size_bytes`);
--> statement-breakpoint
CREATE INDEX `blocked_hashes_by_takedown` ON `blocked_hashes` (`takedown_id`);
--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`url` text NOT NULL,
	`account_id` text,
	`upload_id` text,
	`reason` text NOT NULL,
	`email` text,
	`created_at` integer NOT NULL,
	`decision` text,
	`note` text,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `open_reports` ON `reports` (`id`) WHERE "reports"."decision" IS NULL;
