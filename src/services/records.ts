/** The records that services answer with, for those who turn them into bodies. */
export type { Account, FolderWithCount, Key, Upload } from "../db/schema.ts";
export type { AccountFigures, RateFigures } from "../meter/figures.ts";
