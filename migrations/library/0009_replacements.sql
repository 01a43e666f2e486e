-- New bytes have another key, size and perhaps another type. Folder, status, tags and mark stay.
CREATE TRIGGER `uploads_replace` AFTER UPDATE OF `object_key` ON `uploads` WHEN OLD.`object_key` <> NEW.`object_key` BEGIN
	INSERT INTO `counted_uploads` VALUES (OLD.`account_id`, OLD.`folder_id`, OLD.`status`, OLD.`mime_type`, OLD.`favorite`, OLD.`tags`, OLD.`created_at`, OLD.`size_bytes`, -1);
	INSERT INTO `counted_uploads` VALUES (NEW.`account_id`, NEW.`folder_id`, NEW.`status`, NEW.`mime_type`, NEW.`favorite`, NEW.`tags`, NEW.`created_at`, NEW.`size_bytes`, 1);
END;
