-- A folder is deleted in steps now, whose rows the trigger follows like any other move.
DROP TRIGGER `uploads_move`;
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
DROP TABLE `leaving_folders`;
