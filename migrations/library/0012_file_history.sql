ALTER TABLE `uploads` ADD `uploaded_by` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `history` text;