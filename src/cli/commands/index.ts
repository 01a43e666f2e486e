import type { Command } from "../command-line/command.ts";
import { configCommand } from "./config.ts";
import { duplicatesCommand } from "./duplicates.ts";
import { foldersCommand } from "./folders.ts";
import { importCommand } from "./import.ts";
import { listenCommand } from "./listen.ts";
import { loginCommand } from "./login.ts";
import { logoutCommand } from "./logout.ts";
import { lsCommand } from "./ls.ts";
import { mcpCommand } from "./mcp.ts";
import { mvCommand } from "./mv.ts";
import { pullCommand } from "./pull.ts";
import { removeLocationCommand } from "./remove-location.ts";
import { replaceCommand } from "./replace.ts";
import { restoreCommand } from "./restore.ts";
import { rmCommand } from "./rm.ts";
import { shareCommand } from "./share.ts";
import { sharesCommand } from "./shares.ts";
import { statsCommand } from "./stats.ts";
import { syncCommand } from "./sync.ts";
import { tagCommand } from "./tag.ts";
import { unshareCommand } from "./unshare.ts";
import { uploadCommand } from "./upload.ts";

/** Commands in the order of the help. */
export const COMMANDS: readonly Command[] = [
  uploadCommand,
  importCommand,
  lsCommand,
  duplicatesCommand,
  pullCommand,
  syncCommand,
  replaceCommand,
  removeLocationCommand,
  rmCommand,
  restoreCommand,
  mvCommand,
  tagCommand,
  foldersCommand,
  shareCommand,
  sharesCommand,
  unshareCommand,
  statsCommand,
  listenCommand,
  configCommand,
  mcpCommand,
  loginCommand,
  logoutCommand,
];
