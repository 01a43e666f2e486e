CREATE TABLE `email_changes` (
	`account_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`from_email` text NOT NULL,
	`to_email` text NOT NULL,
	`from_confirmed_at` integer,
	`to_confirmed_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mail_proofs` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`purpose` text NOT NULL,
	`email` text NOT NULL,
	`valid_for` text NOT NULL,
	`code_hash` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mail_proofs_by_account` ON `mail_proofs` (`account_id`,`purpose`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `email_verified_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `verify_by` integer;