CREATE TABLE `account_changes` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `kind`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
