ALTER TABLE `uploads` ADD `takedown` text;
