import catalogue from "../../migrations/0000_catalogue.sql";
import thumbnails from "../../migrations/0001_thumbnails.sql";
import library from "../../migrations/0002_library.sql";
import searchFolding from "../../migrations/0003_search_folding.sql";
import folderSteps from "../../migrations/0004_folder_steps.sql";
import type { Migration } from "./migrate.ts";

/** The schema's history: what this version of the Worker needs. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0000_catalogue.sql", sql: catalogue },
  { name: "0001_thumbnails.sql", sql: thumbnails },
  { name: "0002_library.sql", sql: library },
  { name: "0003_search_folding.sql", sql: searchFolding },
  { name: "0004_folder_steps.sql", sql: folderSteps },
];
