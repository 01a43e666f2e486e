DROP INDEX `takedowns_by_upload`;--> statement-breakpoint
ALTER TABLE `takedowns` ADD `file_name` text;--> statement-breakpoint
ALTER TABLE `takedowns` ADD `actor` text;--> statement-breakpoint
CREATE INDEX `takedowns_of_upload` ON `takedowns` (`upload_id`,`id`);