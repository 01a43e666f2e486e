import { CHANGE_MICRODOLLARS, HOST_MICRODOLLARS, PART_MICRODOLLARS } from "../../domain/allowance.ts";
import { ERRORS } from "../../domain/errors.ts";
import { newUploadId } from "../../domain/ids.ts";
import { type Importer, itemDelayMs, MAX_IMPORTING, MAX_ITEM_ATTEMPTS } from "../../domain/imports.ts";
import { PART_BYTES } from "../../domain/parts.ts";
import type { MeterContext } from "../account/context.ts";
import { uploadIntentId } from "../intents/intent.ts";
import type { AttemptOutcome, AttemptRef, BegunItem, VainWork } from "./import.ts";
import type { OpenItem } from "./import-store.ts";

/**
 * Begins an attempt of the account's next item. An item that has waited comes first, then the items of the oldest import.
 * @returns undefined if nothing is to be done now, or the account has as many attempts in progress as it may have
 */
export async function takeItem(context: MeterContext): Promise<BegunItem | undefined> {
  const { storage, tables, load } = context;
  if (!(await load()) || tables.erasing || tables.suspension.current !== undefined) return undefined;
  return storage.transactionSync(() => beginNext(context, Date.now()));
}

function beginNext(context: MeterContext, now: number): BegunItem | undefined {
  const { imports, ledger } = context.tables;
  const most = MAX_IMPORTING[ledger.tier];
  if (imports.countRunning(now) >= most) return undefined;
  for (const item of imports.listDue(now, most)) {
    const begun = beginDue(context, item, now);
    if (begun !== undefined) return begun;
  }
  for (const importId of imports.listOpen()) {
    const item = imports.findUntouched(importId);
    const begun = item && begin(context, item, now);
    if (begun !== undefined) return begun;
  }
  return undefined;
}

/** An item whose attempt is over: its runner put it off, or died. */
function beginDue(context: MeterContext, item: OpenItem, now: number): BegunItem | undefined {
  const { imports } = context.tables;
  if (isUnsettled(context, item)) {
    // The dead attempt may have stored its file. The alarm decides, and settles the item with its upload.
    imports.renew(item, now + context.timeoutMs());
    return undefined;
  }
  if (imports.find(item.importId)?.stoppedAt !== null) {
    imports.end(item, "cancelled", null, now);
    return undefined;
  }
  if (item.attempts >= MAX_ITEM_ATTEMPTS) {
    imports.end(item, "failed", item.error ?? ERRORS.SourceFailed("interrupted").toBody(), now);
    return undefined;
  }
  return begin(context, item, now);
}

function begin(context: MeterContext, item: OpenItem, now: number): BegunItem | undefined {
  const { tables, allowance } = context;
  const { imports, ledger, resumables } = tables;
  const { importId, number, facts } = item;
  const importer = imports.importerOf(importId);
  if (importer === undefined) return undefined;
  if (!importerLives(context, importer, now)) {
    // The rights of the import have ended, and so have its other items.
    const error = ERRORS.InvalidKey().toBody();
    imports.end(item, "failed", error, now);
    imports.endWaiting(importId, "failed", error, now);
    return undefined;
  }
  const isContinued = item.uploadId !== null && resumables.find(item.uploadId)?.state === "receiving";
  // The import's request has paid for the first attempt. A further attempt waits for the account's allowance.
  if (item.uploadId !== null && allowance.take(CHANGE_MICRODOLLARS, ledger.tier, now) !== undefined) return undefined;
  // Each attempt from the beginning has an id of its own, so nothing that an earlier attempt still does belongs to this one.
  const uploadId = isContinued && item.uploadId !== null ? item.uploadId : newUploadId(now, ledger.shard);
  // An attempt that gives no sign of life for an intent's timeout is taken for dead.
  imports.begin(item, uploadId, item.attempts + 1, now + context.timeoutMs());
  const account = { figures: ledger.figures(now), settings: ledger.settings, shard: ledger.shard };
  return { importId, number, facts, importer, uploadId, isContinued, account };
}

/** An import of a session continues when the session has ended. One of a key stops with the key. */
function importerLives({ tables }: MeterContext, importer: Importer, now: number): boolean {
  if (importer.kind === "session") return true;
  const { keyId, kind } = importer;
  const expiresAt = tables.credentials.expiryOf(keyId);
  const keyKind = kind === "upload-key" ? "upload" : "api";
  return (expiresAt === null || expiresAt > now) && tables.lives({ kind: "key", keyId, keyKind }, now);
}

function isUnsettled({ tables }: MeterContext, { uploadId }: Pick<OpenItem, "uploadId">): boolean {
  return uploadId !== null && tables.intents.find(uploadIntentId(uploadId)) !== undefined;
}

/** A sign of life. @returns false if the runner must stop: another attempt has begun, or the import was stopped */
export function renewItem({ tables, timeoutMs }: MeterContext, ref: AttemptRef): boolean {
  const { imports } = tables;
  if (tables.erasing || !imports.isBegun(ref, ref.uploadId)) return false;
  imports.renew(ref, Date.now() + timeoutMs());
  return imports.find(ref.importId)?.stoppedAt === null;
}

/**
 * Ends an attempt. The outcome of an attempt that is not the last one is ignored.
 * @returns the runner's next item, if it wants one
 */
export async function endItem(
  context: MeterContext,
  ref: AttemptRef,
  outcome: AttemptOutcome,
  wantsMore: boolean,
): Promise<BegunItem | undefined> {
  const { storage, tables, resumable, allowance, load } = context;
  if (!(await load()) || tables.erasing) return undefined;
  const isOver = storage.transactionSync(() => {
    const now = Date.now();
    const price = outcome.outcome === "stored" ? 0 : priceOf(outcome.vain);
    if (price > 0) allowance.charge(price, tables.ledger.tier, now);
    return end(context, ref, outcome, now);
  });
  const begun = resumable.find(ref.uploadId);
  // The bytes of an item that ended without its upload.
  if (isOver && begun?.state === "receiving") await resumable.ends.drop(begun);
  return wantsMore ? takeItem(context) : undefined;
}

/** @returns millionths of a dollar */
function priceOf({ fetchedBytes, furtherHosts }: VainWork): number {
  return Math.floor(fetchedBytes / PART_BYTES) * PART_MICRODOLLARS + furtherHosts * HOST_MICRODOLLARS;
}

/** @returns whether the item has ended without an upload */
function end(context: MeterContext, ref: AttemptRef, outcome: AttemptOutcome, now: number): boolean {
  const { imports } = context.tables;
  const item = imports.findItem(ref);
  if (item === undefined || !imports.isBegun(ref, ref.uploadId)) return false;
  if (isUnsettled(context, item)) {
    imports.renew(item, now + context.timeoutMs());
    return false;
  }
  if (imports.find(ref.importId)?.stoppedAt !== null) {
    imports.end(item, "cancelled", null, now);
    return true;
  }
  if (outcome.outcome === "put-off") {
    imports.putOff({ ...item, attempts: item.attempts - 1 }, now + outcome.delayMs);
    return false;
  }
  const error = "error" in outcome ? outcome.error : ERRORS.SourceFailed("interrupted").toBody();
  if (outcome.outcome === "failed" || item.attempts >= MAX_ITEM_ATTEMPTS) {
    imports.end(item, "failed", error, now);
    return true;
  }
  imports.putOff({ ...item, error }, now + itemDelayMs(item.attempts));
  return false;
}
