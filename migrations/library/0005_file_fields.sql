ALTER TABLE `uploads` ADD `visibility` text DEFAULT 'public' NOT NULL;--> statement-breakpoint
ALTER TABLE `uploads` ADD `external_id` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `metadata` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `alt` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `taken_at` integer;--> statement-breakpoint
ALTER TABLE `uploads` ADD `camera` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `lens` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `sha256` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `uploaded_sha256` text;--> statement-breakpoint
ALTER TABLE `uploads` ADD `revision` integer DEFAULT 0 NOT NULL;