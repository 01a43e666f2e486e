ALTER TABLE `invitations` ADD `code_hash` text;--> statement-breakpoint
UPDATE `invitations` SET `expires_at` = `created_at` WHERE `account_id` IS NULL;
