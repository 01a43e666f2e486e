import directory from "../../migrations/directory/0000_directory.sql";
import invitations from "../../migrations/directory/0001_invitations.sql";
import accountChanges from "../../migrations/directory/0002_account_changes.sql";
import mailProofs from "../../migrations/directory/0003_mail_proofs.sql";
import invitationCodes from "../../migrations/directory/0005_invitation_codes.sql";
import operator from "../../migrations/directory/0006_operator.sql";
import keyLimits from "../../migrations/directory/0007_key_limits.sql";
import signIn from "../../migrations/directory/0008_sign_in.sql";
import activeKeys from "../../migrations/directory/0009_active_keys.sql";
import operators from "../../migrations/directory/0010_operators.sql";
import takedownActors from "../../migrations/directory/0011_takedown_actors.sql";
import library from "../../migrations/library/0000_library.sql";
import libraryMoves from "../../migrations/library/0001_library_moves.sql";
import takedowns from "../../migrations/library/0002_takedowns.sql";
import placeholders from "../../migrations/library/0003_placeholders.sql";
import listedFolders from "../../migrations/library/0004_listed_folders.sql";
import fileFields from "../../migrations/library/0005_file_fields.sql";
import externalIds from "../../migrations/library/0006_external_ids.sql";
import fileHashes from "../../migrations/library/0007_file_hashes.sql";
import orders from "../../migrations/library/0008_orders.sql";
import replacements from "../../migrations/library/0009_replacements.sql";
import focalPoints from "../../migrations/library/0010_focal_points.sql";
import exposure from "../../migrations/library/0011_exposure.sql";
import fileHistory from "../../migrations/library/0012_file_history.sql";
import takenDownIndex from "../../migrations/library/0013_taken_down_index.sql";
import location from "../../migrations/library/0014_location.sql";
import type { Migration } from "./migrate.ts";

/** The migrations that this version of the Worker needs, for the directory and for each library. */
export const MIGRATIONS: Readonly<Record<"directory" | "library", readonly Migration[]>> = {
  directory: [
    { name: "0000_directory.sql", sql: directory },
    { name: "0001_invitations.sql", sql: invitations },
    { name: "0002_account_changes.sql", sql: accountChanges },
    { name: "0003_mail_proofs.sql", sql: mailProofs },
    { name: "0005_invitation_codes.sql", sql: invitationCodes },
    { name: "0006_operator.sql", sql: operator },
    { name: "0007_key_limits.sql", sql: keyLimits },
    { name: "0008_sign_in.sql", sql: signIn },
    { name: "0009_active_keys.sql", sql: activeKeys },
    { name: "0010_operators.sql", sql: operators },
    { name: "0011_takedown_actors.sql", sql: takedownActors },
  ],
  library: [
    { name: "0000_library.sql", sql: library },
    { name: "0001_library_moves.sql", sql: libraryMoves },
    { name: "0002_takedowns.sql", sql: takedowns },
    { name: "0003_placeholders.sql", sql: placeholders },
    { name: "0004_listed_folders.sql", sql: listedFolders },
    { name: "0005_file_fields.sql", sql: fileFields },
    { name: "0006_external_ids.sql", sql: externalIds },
    { name: "0007_file_hashes.sql", sql: fileHashes },
    { name: "0008_orders.sql", sql: orders },
    { name: "0009_replacements.sql", sql: replacements },
    { name: "0010_focal_points.sql", sql: focalPoints },
    { name: "0011_exposure.sql", sql: exposure },
    { name: "0012_file_history.sql", sql: fileHistory },
    { name: "0013_taken_down_index.sql", sql: takenDownIndex },
    { name: "0014_location.sql", sql: location },
  ],
};
