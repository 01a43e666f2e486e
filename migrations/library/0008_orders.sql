CREATE INDEX `uploads_by_name` ON `uploads` (`account_id`,"original_filename" COLLATE NOCASE);--> statement-breakpoint
CREATE INDEX `uploads_by_size` ON `uploads` (`account_id`,`size_bytes`);--> statement-breakpoint
CREATE INDEX `uploads_by_time` ON `uploads` (`account_id`,`taken_at`);