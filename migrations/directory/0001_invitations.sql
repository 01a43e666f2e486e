CREATE TABLE `invitations` (
	`email` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`account_id` text,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `invitations_by_account` ON `invitations` (`account_id`);