ALTER TABLE `libraries` ADD `moved_at` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- A step of a move that comes after a newer one changes nothing, nor does the rest of its transaction.
CREATE TRIGGER `libraries_moved_later` BEFORE UPDATE OF `moved_at` ON `libraries`
WHEN NEW.`moved_at` < OLD.`moved_at` BEGIN
	SELECT RAISE(ABORT, 'library was moved later');
END;
