CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text,
	`password_hash` text NOT NULL,
	`tier` text NOT NULL,
	`billing_anchor_at` integer,
	`auto_compress` integer NOT NULL,
	`compression_quality` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_unique` ON `accounts` (`email`);--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`parent_id` text,
	`name` text NOT NULL,
	`icon` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `folders_by_name` ON `folders` (`account_id`,`parent_id`,`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `root_folders_by_name` ON `folders` (`account_id`,`name`) WHERE "folders"."parent_id" is null;--> statement-breakpoint
CREATE INDEX `folders_by_parent` ON `folders` (`parent_id`);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last_four` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash_unique` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_by_account` ON `keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`folder_id` text,
	`status` text NOT NULL,
	`object_key` text NOT NULL,
	`original_filename` text NOT NULL,
	`mime_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`original_size_bytes` integer NOT NULL,
	`compression_quality` integer,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`favorite` integer NOT NULL,
	`tags` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `uploads_by_folder` ON `uploads` (`account_id`,`status`,`folder_id`,`id`);--> statement-breakpoint
CREATE INDEX `uploads_by_status` ON `uploads` (`account_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `uploads_by_account` ON `uploads` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `uploads_of_folder` ON `uploads` (`folder_id`);