CREATE TABLE `folder_tags` (
	`account_id` text NOT NULL,
	`folder_id` text NOT NULL,
	`status` text NOT NULL,
	`tag` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`account_id`, `folder_id`, `status`, `tag`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `folders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`parent_id` text,
	`name` text NOT NULL,
	`icon` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`parent_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `folders_by_name` ON `folders` (`account_id`,`parent_id`,`name`);
--> statement-breakpoint
CREATE UNIQUE INDEX `root_folders_by_name` ON `folders` (`account_id`,`name`) WHERE "folders"."parent_id" is null;
--> statement-breakpoint
CREATE INDEX `folders_by_parent` ON `folders` (`parent_id`);
--> statement-breakpoint
CREATE TABLE `libraries` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `moved_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `moved_uploads_by_account` ON `moved_uploads` (`account_id`);
--> statement-breakpoint
CREATE TABLE `upload_counts` (
	`account_id` text NOT NULL,
	`folder_id` text NOT NULL,
	`facet` text NOT NULL,
	`status` text NOT NULL,
	`value` text NOT NULL,
	`count` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`account_id`, `folder_id`, `facet`, `status`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `upload_tags` (
	`account_id` text NOT NULL,
	`status` text NOT NULL,
	`tag` text NOT NULL,
	`number` integer NOT NULL,
	PRIMARY KEY(`account_id`, `status`, `tag`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `uploads` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
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
	`duration_ms` integer,
	`thumbnail_size_bytes` integer,
	`thumbnail_error` text,
	FOREIGN KEY (`account_id`) REFERENCES `libraries`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_id_unique` ON `uploads` (`id`);
--> statement-breakpoint
CREATE INDEX `uploads_by_folder` ON `uploads` (`folder_id`,`account_id`,`status`);
--> statement-breakpoint
CREATE INDEX `uploads_by_status` ON `uploads` (`account_id`,`status`);
--> statement-breakpoint
CREATE INDEX `uploads_by_folder_type` ON `uploads` (`folder_id`,`account_id`,`status`,`mime_type`);
--> statement-breakpoint
CREATE INDEX `uploads_by_type` ON `uploads` (`account_id`,`status`,`mime_type`);
--> statement-breakpoint
CREATE INDEX `favorites_by_folder` ON `uploads` (`folder_id`,`account_id`,`status`) WHERE "uploads"."favorite" = 1;
--> statement-breakpoint
CREATE INDEX `favorites_by_status` ON `uploads` (`account_id`,`status`) WHERE "uploads"."favorite" = 1;
--> statement-breakpoint
-- Its tokens are made by src/db/listing/search-grams.ts, one a line: every printable ASCII character belongs to one.
CREATE VIRTUAL TABLE `upload_search` USING fts5(`grams`, content='', contentless_delete=1, tokenize="ascii tokenchars '!""#$%&''()*+,-./:;<=>?@[\]^_`{|}~ '");
--> statement-breakpoint
-- What is counted of an upload, said once: a row inserted here is counted `sign` times.
CREATE VIEW `counted_uploads` AS SELECT `account_id`, `folder_id`, `status`, `mime_type`, `favorite`, `tags`, `created_at`, `size_bytes`, 1 AS `sign` FROM `uploads`;
--> statement-breakpoint
CREATE TRIGGER `counted_uploads_insert` INSTEAD OF INSERT ON `counted_uploads` BEGIN
	INSERT INTO `upload_counts` (`account_id`, `folder_id`, `facet`, `status`, `value`, `count`, `bytes`)
	SELECT NEW.`account_id`, `place`.`value`, `counted`.`facet`, NEW.`status`, `counted`.`value`, NEW.`sign`, NEW.`sign` * NEW.`size_bytes`
	FROM json_each(json_array(ifnull(NEW.`folder_id`, ''), '*')) AS `place`
	CROSS JOIN (
		SELECT 'type' AS `facet`, NEW.`mime_type` AS `value`
		UNION ALL SELECT 'day', strftime('%Y-%m-%d', NEW.`created_at` / 1000, 'unixepoch')
		UNION ALL SELECT 'favorite', '' WHERE NEW.`favorite`
		UNION ALL SELECT 'tag', `value` FROM json_each(NEW.`tags`)
	) AS `counted`
	WHERE true
	ON CONFLICT DO UPDATE SET `count` = `count` + excluded.`count`, `bytes` = `bytes` + excluded.`bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `upload_counts_zero` AFTER UPDATE OF `count` ON `upload_counts` WHEN NEW.`count` = 0 BEGIN
	DELETE FROM `upload_counts`
	WHERE `account_id` = NEW.`account_id` AND `folder_id` = NEW.`folder_id` AND `facet` = NEW.`facet` AND `status` = NEW.`status` AND `value` = NEW.`value`;
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_insert` AFTER INSERT ON `uploads` BEGIN
	INSERT INTO `upload_tags` (`account_id`, `status`, `tag`, `number`)
	SELECT NEW.`account_id`, NEW.`status`, `tag`.`value`, NEW.`number`
	FROM json_each(NEW.`tags`) AS `tag`;
	INSERT INTO `folder_tags` (`account_id`, `folder_id`, `status`, `tag`, `number`)
	SELECT NEW.`account_id`, ifnull(NEW.`folder_id`, ''), NEW.`status`, `tag`.`value`, NEW.`number`
	FROM json_each(NEW.`tags`) AS `tag`;
	INSERT INTO `counted_uploads` VALUES (NEW.`account_id`, NEW.`folder_id`, NEW.`status`, NEW.`mime_type`, NEW.`favorite`, NEW.`tags`, NEW.`created_at`, NEW.`size_bytes`, 1);
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_delete` AFTER DELETE ON `uploads` BEGIN
	DELETE FROM `upload_search` WHERE `rowid` = OLD.`number`;
	DELETE FROM `upload_tags`
	WHERE `account_id` = OLD.`account_id` AND `status` = OLD.`status` AND `tag` IN (SELECT `value` FROM json_each(OLD.`tags`)) AND `number` = OLD.`number`;
	DELETE FROM `folder_tags`
	WHERE `account_id` = OLD.`account_id` AND `folder_id` = ifnull(OLD.`folder_id`, '') AND `status` = OLD.`status` AND `tag` IN (SELECT `value` FROM json_each(OLD.`tags`)) AND `number` = OLD.`number`;
	INSERT INTO `counted_uploads` VALUES (OLD.`account_id`, OLD.`folder_id`, OLD.`status`, OLD.`mime_type`, OLD.`favorite`, OLD.`tags`, OLD.`created_at`, OLD.`size_bytes`, -1);
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_move` AFTER UPDATE OF `folder_id`, `status` ON `uploads`
WHEN OLD.`folder_id` IS NOT NEW.`folder_id` OR OLD.`status` <> NEW.`status` BEGIN
	DELETE FROM `folder_tags`
	WHERE `account_id` = OLD.`account_id` AND `folder_id` = ifnull(OLD.`folder_id`, '') AND `status` = OLD.`status` AND `tag` IN (SELECT `value` FROM json_each(OLD.`tags`)) AND `number` = OLD.`number`;
	INSERT INTO `folder_tags` (`account_id`, `folder_id`, `status`, `tag`, `number`)
	SELECT NEW.`account_id`, ifnull(NEW.`folder_id`, ''), NEW.`status`, `tag`.`value`, NEW.`number` FROM json_each(NEW.`tags`) AS `tag`;
	INSERT INTO `counted_uploads` VALUES (OLD.`account_id`, OLD.`folder_id`, OLD.`status`, OLD.`mime_type`, OLD.`favorite`, OLD.`tags`, OLD.`created_at`, OLD.`size_bytes`, -1);
	INSERT INTO `counted_uploads` VALUES (NEW.`account_id`, NEW.`folder_id`, NEW.`status`, NEW.`mime_type`, NEW.`favorite`, NEW.`tags`, NEW.`created_at`, NEW.`size_bytes`, 1);
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_trash` AFTER UPDATE OF `status` ON `uploads` WHEN OLD.`status` <> NEW.`status` BEGIN
	DELETE FROM `upload_tags`
	WHERE `account_id` = OLD.`account_id` AND `status` = OLD.`status` AND `tag` IN (SELECT `value` FROM json_each(OLD.`tags`)) AND `number` = OLD.`number`;
	INSERT INTO `upload_tags` (`account_id`, `status`, `tag`, `number`)
	SELECT NEW.`account_id`, NEW.`status`, `tag`.`value`, NEW.`number` FROM json_each(NEW.`tags`) AS `tag`;
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_favor` AFTER UPDATE OF `favorite` ON `uploads`
WHEN OLD.`favorite` <> NEW.`favorite` AND OLD.`folder_id` IS NEW.`folder_id` AND OLD.`status` = NEW.`status` BEGIN
	INSERT INTO `upload_counts` (`account_id`, `folder_id`, `facet`, `status`, `value`, `count`, `bytes`)
	SELECT NEW.`account_id`, `place`.`value`, 'favorite', NEW.`status`, '', NEW.`favorite` - OLD.`favorite`, (NEW.`favorite` - OLD.`favorite`) * NEW.`size_bytes`
	FROM json_each(json_array(ifnull(NEW.`folder_id`, ''), '*')) AS `place`
	WHERE true
	ON CONFLICT DO UPDATE SET `count` = `count` + excluded.`count`, `bytes` = `bytes` + excluded.`bytes`;
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_retag` AFTER UPDATE OF `tags` ON `uploads` WHEN OLD.`tags` <> NEW.`tags` AND OLD.`status` = NEW.`status` BEGIN
	DELETE FROM `upload_tags`
	WHERE `account_id` = OLD.`account_id` AND `status` = OLD.`status` AND `number` = OLD.`number`
	AND `tag` IN (SELECT `value` FROM json_each(OLD.`tags`) EXCEPT SELECT `value` FROM json_each(NEW.`tags`));
	INSERT INTO `upload_tags` (`account_id`, `status`, `tag`, `number`)
	SELECT NEW.`account_id`, NEW.`status`, `value`, NEW.`number`
	FROM (SELECT `value` FROM json_each(NEW.`tags`) EXCEPT SELECT `value` FROM json_each(OLD.`tags`));
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_retag_in_place` AFTER UPDATE OF `tags` ON `uploads`
WHEN OLD.`tags` <> NEW.`tags` AND OLD.`folder_id` IS NEW.`folder_id` AND OLD.`status` = NEW.`status` BEGIN
	DELETE FROM `folder_tags`
	WHERE `account_id` = OLD.`account_id` AND `folder_id` = ifnull(OLD.`folder_id`, '') AND `status` = OLD.`status` AND `number` = OLD.`number`
	AND `tag` IN (SELECT `value` FROM json_each(OLD.`tags`) EXCEPT SELECT `value` FROM json_each(NEW.`tags`));
	INSERT INTO `folder_tags` (`account_id`, `folder_id`, `status`, `tag`, `number`)
	SELECT NEW.`account_id`, ifnull(NEW.`folder_id`, ''), NEW.`status`, `value`, NEW.`number`
	FROM (SELECT `value` FROM json_each(NEW.`tags`) EXCEPT SELECT `value` FROM json_each(OLD.`tags`));
	INSERT INTO `upload_counts` (`account_id`, `folder_id`, `facet`, `status`, `value`, `count`, `bytes`)
	SELECT NEW.`account_id`, `place`.`value`, 'tag', NEW.`status`, `changed`.`tag`, `changed`.`sign`, `changed`.`sign` * NEW.`size_bytes`
	FROM json_each(json_array(ifnull(NEW.`folder_id`, ''), '*')) AS `place`
	CROSS JOIN (
		SELECT `value` AS `tag`, -1 AS `sign` FROM json_each(OLD.`tags`) WHERE `value` NOT IN (SELECT `value` FROM json_each(NEW.`tags`))
		UNION ALL SELECT `value`, 1 FROM json_each(NEW.`tags`) WHERE `value` NOT IN (SELECT `value` FROM json_each(OLD.`tags`))
	) AS `changed`
	WHERE true
	ON CONFLICT DO UPDATE SET `count` = `count` + excluded.`count`, `bytes` = `bytes` + excluded.`bytes`;
END;
--> statement-breakpoint
-- A library that moves to another shard is not written to meanwhile, and what still comes here afterwards is refused, whoever sends it.
CREATE TRIGGER `uploads_insert_while_leaving` BEFORE INSERT ON `uploads`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = NEW.`account_id`) = 'leaving' BEGIN
	SELECT RAISE(ABORT, 'library is leaving');
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_update_while_leaving` BEFORE UPDATE ON `uploads`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = OLD.`account_id`) = 'leaving' BEGIN
	SELECT RAISE(ABORT, 'library is leaving');
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_delete_while_leaving` BEFORE DELETE ON `uploads`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = OLD.`account_id`) = 'leaving' BEGIN
	SELECT RAISE(ABORT, 'library is leaving');
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_insert_when_left` BEFORE INSERT ON `uploads`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = NEW.`account_id`) = 'left' BEGIN
	SELECT RAISE(ABORT, 'library has left');
END;
--> statement-breakpoint
CREATE TRIGGER `uploads_update_when_left` BEFORE UPDATE ON `uploads`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = OLD.`account_id`) = 'left' BEGIN
	SELECT RAISE(ABORT, 'library has left');
END;
--> statement-breakpoint
CREATE TRIGGER `folders_insert_while_leaving` BEFORE INSERT ON `folders`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = NEW.`account_id`) = 'leaving' BEGIN
	SELECT RAISE(ABORT, 'library is leaving');
END;
--> statement-breakpoint
CREATE TRIGGER `folders_update_while_leaving` BEFORE UPDATE ON `folders`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = OLD.`account_id`) = 'leaving' BEGIN
	SELECT RAISE(ABORT, 'library is leaving');
END;
--> statement-breakpoint
CREATE TRIGGER `folders_delete_while_leaving` BEFORE DELETE ON `folders`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = OLD.`account_id`) = 'leaving' BEGIN
	SELECT RAISE(ABORT, 'library is leaving');
END;
--> statement-breakpoint
CREATE TRIGGER `folders_insert_when_left` BEFORE INSERT ON `folders`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = NEW.`account_id`) = 'left' BEGIN
	SELECT RAISE(ABORT, 'library has left');
END;
--> statement-breakpoint
CREATE TRIGGER `folders_update_when_left` BEFORE UPDATE ON `folders`
WHEN (SELECT `state` FROM `libraries` WHERE `id` = OLD.`account_id`) = 'left' BEGIN
	SELECT RAISE(ABORT, 'library has left');
END;
