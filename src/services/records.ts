/** The records that services return, for the code that makes response bodies of them. */
export type { Account, Invitation, Key, Passkey, Report, TakedownRow } from "../db/directory/schema.ts";
export type { ListedTakedown } from "../db/directory/takedowns.ts";
export type { FolderWithCount, Upload } from "../db/library/schema.ts";
export type { UploadWithHistory } from "../db/library/walk-uploads.ts";
export type { Erasure } from "../meter/account/outcomes.ts";
export type { ListedAlert } from "../meter/alerts/alert.ts";
export type { Operation } from "../meter/books/operation.ts";
export type { StoredSession } from "../meter/books/session-store.ts";
export type { CountedShare } from "../meter/books/share-store.ts";
export type { Suspension } from "../meter/books/suspension-store.ts";
export type { StoredUploadToken } from "../meter/books/upload-token-store.ts";
export type { ListedDelivery, ListedWebhook } from "../meter/events/event.ts";
export type { StoredItem } from "../meter/imports/import.ts";
export type { StoredImport } from "../meter/imports/stored-import.ts";
export type { Reconciliation } from "../meter/reconcile/reconciler.ts";
export type { ReconcileRun } from "../meter/reconcile/run-store.ts";
