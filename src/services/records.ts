/** The records that services answer with, for those who turn them into bodies. */
export type { Account, Invitation, Key } from "../db/directory/schema.ts";
export type { FolderWithCount, Upload } from "../db/library/schema.ts";
export type { ListedAlert } from "../meter/alert.ts";
export type { Erasure } from "../meter/answers.ts";
export type { AccountFigures, RateFigures } from "../meter/figures.ts";
export type { Operation } from "../meter/operation-log.ts";
export type { Run } from "../meter/reconcile/run-store.ts";
export type { Reconciliation } from "../meter/reconciler.ts";
