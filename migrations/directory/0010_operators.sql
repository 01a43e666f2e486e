ALTER TABLE `accounts` ADD `operator_since` integer;--> statement-breakpoint
CREATE INDEX `operators` ON `accounts` (`operator_since`) WHERE "accounts"."operator_since" IS NOT NULL;