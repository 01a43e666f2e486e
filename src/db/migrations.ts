import directory from "../../migrations/directory/0000_directory.sql";
import invitations from "../../migrations/directory/0001_invitations.sql";
import accountChanges from "../../migrations/directory/0002_account_changes.sql";
import library from "../../migrations/library/0000_library.sql";
import libraryMoves from "../../migrations/library/0001_library_moves.sql";
import type { Migration } from "./migrate.ts";

/** The history of the directory's schema, and of each library's: what this version of the Worker needs. */
export const MIGRATIONS: Readonly<Record<"directory" | "library", readonly Migration[]>> = {
  directory: [
    { name: "0000_directory.sql", sql: directory },
    { name: "0001_invitations.sql", sql: invitations },
    { name: "0002_account_changes.sql", sql: accountChanges },
  ],
  library: [
    { name: "0000_library.sql", sql: library },
    { name: "0001_library_moves.sql", sql: libraryMoves },
  ],
};
