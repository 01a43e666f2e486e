ALTER TABLE `uploads` ADD `duration_ms` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `thumbnail_size_bytes` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `thumbnail_error` text;