import { ConstraintError } from "../../db/constraint-error.ts";
import { findUploads } from "../../db/library/compare/list-rows.ts";
import { addToSearch, addToTags, replaceInSearch, setSize } from "../../db/library/compare/repair-rows.ts";
import { findWrongEntries } from "../../db/library/compare/tend-search.ts";
import type { Library } from "../../db/library/library.ts";
import type { Upload } from "../../db/library/schema.ts";
import { deleteUpload, insertUploads, NEW_UPLOAD, recordExpiry } from "../../db/library/uploads.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { idTime, type Shard } from "../../domain/ids.ts";
import {
  isReplaced,
  keyAs,
  previewKey,
  storedKey,
  thumbnailKey,
  toPath,
  variantsPrefix,
  versionOf,
} from "../../domain/object-key.ts";
import { isTakenDown } from "../../domain/takedown.ts";
import type { AccountTables } from "../account/account-tables.ts";
import type { LoggedUpload } from "../books/operation.ts";
import { LOG_DAYS } from "../books/operation-log.ts";
import { removeUpload } from "../intents/perform-intent.ts";
import { readPointer } from "../intents/perform-replacement.ts";
import { removeMade, removeVariants } from "../intents/remove-made.ts";
import { STEP_UPLOADS } from "../intents/steps.ts";
import { comparePointer, isPointerRight } from "./compare-pointers.ts";
import { compareVariants } from "./compare-variants.ts";
import { type Comparison, isDue } from "./comparison.ts";
import { type Difference, done, toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";
import { findPresent, type Present, renewRow } from "./outdated-row.ts";
import type { UploadPage, UploadTraces } from "./read-upload-page.ts";
import { findUnknownAtHome, tellHome } from "./unknown-at-home.ts";

/** Parallel HEAD calls: a Worker has six connections. */
const HEADS_AT_ONCE = 6;
/** The log is trusted for a day less than its length, because it may be pruned during the comparison. */
const LOG_REACH_MS = (LOG_DAYS - 1) * DAY_MS;

/** An upload when it is read for the second time. */
interface SeenUpload {
  readonly uploadId: string;
  readonly row: Upload | undefined;
  readonly isSearchable: boolean;
  readonly isTagged: boolean;
  /** The upload's home shard, if the library has left it and it has no record of the upload. */
  readonly unknownAt: Shard | undefined;
  readonly files: readonly R2Object[];
  readonly thumbnailBytes: number;
  readonly countedThumbnailBytes: number;
  /** The versions whose preview or variants no file has: the upload is gone, or its bytes were replaced. */
  readonly leftPreviews: readonly string[];
  readonly leftVariants: readonly string[];
  /** Whether the upload is private and has public variants. */
  readonly hasPublicVariants: boolean;
  /** The path to which the upload's earlier URLs lead. */
  readonly pointer: string | undefined;
  readonly logged: LoggedUpload;
}

/**
 * Compares a page of uploads. A suspected difference is read a second time, between two reads of the account's own tables. An upload that
 * is in progress, or was settled between these reads, is skipped until another night. So no change in progress is taken for damage.
 */
export async function compareUploads(comparison: Comparison, page: UploadPage): Promise<Finding[]> {
  const suspects = page.uploads.filter((facts) => isSuspect(facts, comparison));
  const findings: Finding[] = page.foreign.map((subject) => ({ kind: "foreign-object", subject, repaired: false }));
  for (let at = 0; at < suspects.length; at += STEP_UPLOADS) {
    for (const seen of await lookAgain(comparison, suspects.slice(at, at + STEP_UPLOADS))) {
      for (const difference of differencesOf(comparison, seen))
        findings.push(await toFinding(difference, comparison.repair));
    }
  }
  return [...findings, ...(await compareEntries(comparison, page)), ...(await compareVariants(comparison, page))];
}

function isSuspect(
  { uploadId, files, thumbnails, previews, variants, pointer, row, unknownAt }: UploadTraces,
  { tables }: Comparison,
): boolean {
  const [file] = files;
  if ((row?.takedown ?? null) !== null || tables.takedowns.has(uploadId)) return true;
  if (row === undefined || file === undefined || files.length > 1 || unknownAt !== undefined) return true;
  // The variants of private files are listed one file after the other.
  if (variants.length > 0 && row.visibility === "private") return true;
  if (!isPointerRight(pointer, row)) return true;
  if ([...previews, ...variants].some((version) => version !== versionOf(row.objectKey))) return true;
  if (row.expiresAt !== (tables.expiries.find(uploadId) ?? null)) return true;
  const [thumbnail, ...others] = thumbnails;
  const isElsewhere = thumbnail !== undefined && toPath(thumbnail.key).visibility !== row.visibility;
  if (others.length > 0 || isElsewhere) return true;
  if (file.key !== storedKey(row) || file.size !== row.sizeBytes || !row.isSearchable || !row.isTagged) return true;
  const thumbnailBytes = thumbnail?.size ?? 0;
  if (thumbnailBytes !== (row.thumbnailSizeBytes ?? 0) || thumbnailBytes !== tables.thumbnails.sizeOf(uploadId))
    return true;
  return tables.ledger.log.judge(uploadId) === "deleted";
}

/** @returns the uploads that are not in progress, and were not settled between the two looks */
async function lookAgain(comparison: Comparison, suspects: readonly UploadTraces[]): Promise<SeenUpload[]> {
  const { stores, tables } = comparison;
  const { accountId, library, files } = stores;
  const before = new Map(suspects.map(({ uploadId }) => [uploadId, stateOf(tables, uploadId)]));
  const ids = suspects.map(({ uploadId }) => uploadId);
  const rows = new Map((await findUploads(library, accountId, ids)).map((row) => [row.id, row]));
  const unknown = await findUnknownAtHome(
    stores,
    suspects.filter(({ unknownAt }) => unknownAt !== undefined).map(({ uploadId }) => uploadId),
  );
  const left = suspects.values();
  const seen: SeenUpload[] = [];
  const work = async () => {
    for (const { uploadId, files: found, thumbnails, previews, variants, pointer, row: listed } of left) {
      const row = rows.get(uploadId);
      const present = row && versionOf(row.objectKey);
      const path = thumbnailKey(accountId, present ?? uploadId);
      const [known = path] = [...found, ...thumbnails].map(({ key }) => key);
      const thumbnailAt = keyAs(path, row?.visibility ?? toPath(known).visibility);
      // A thumbnail at another key than its row says is an object too many, like a file.
      const strays = row === undefined ? [] : thumbnails.map(({ key }) => key).filter((key) => key !== thumbnailAt);
      const keys = new Set([...found.map(({ key }) => key), ...strays, ...(row === undefined ? [] : [storedKey(row)])]);
      const heads: R2Object[] = [];
      for (const key of keys) {
        const object = await files.head(key);
        if (object !== null) heads.push(object);
      }
      const thumbnail = await files.head(thumbnailAt);
      const hasPublicVariants =
        variants.length > 0 && row?.visibility === "private" && (await hasPublic(row, comparison.stores));
      const isLeft = (version: string) => (present === undefined ? heads.length === 0 : version !== present);
      const mayHavePointer = pointer !== undefined || (row !== undefined && isReplaced(row.objectKey));
      const { logged, countedThumbnailBytes } = stateOf(tables, uploadId);
      seen.push({
        uploadId,
        row,
        isSearchable: listed?.isSearchable ?? true,
        isTagged: listed?.isTagged ?? true,
        unknownAt: unknown.get(uploadId),
        files: heads,
        thumbnailBytes: thumbnail?.size ?? 0,
        countedThumbnailBytes,
        leftPreviews: previews.filter(isLeft),
        leftVariants: variants.filter(isLeft),
        hasPublicVariants,
        pointer: mayHavePointer ? await readPointer(uploadId, stores) : undefined,
        logged,
      });
    }
  };
  await Promise.all(Array.from({ length: HEADS_AT_ONCE }, work));
  return seen.filter(({ uploadId }) => {
    const [first, now] = [before.get(uploadId), stateOf(tables, uploadId)];
    return !now.isUnderWay && JSON.stringify(first) === JSON.stringify(now);
  });
}

function stateOf({ intents, ledger, thumbnails }: AccountTables, uploadId: string) {
  return {
    isUnderWay:
      intents.listReplacements(uploadId).length > 0 ||
      ["upload", "delete", "thumbnail", "takedown", "set-visibility", "set-expiry"].some(
        (kind) => intents.find(`${kind}:${uploadId}`) !== undefined,
      ),
    logged: ledger.log.judge(uploadId),
    countedThumbnailBytes: thumbnails.sizeOf(uploadId),
  };
}

async function hasPublic({ objectKey }: Upload, { accountId, files }: Comparison["stores"]): Promise<boolean> {
  const prefix = variantsPrefix(accountId, versionOf(objectKey));
  const { objects } = await files.list({ prefix });
  return objects.some(({ key }) => toPath(key.slice(prefix.length)).visibility === "public");
}

function* differencesOf(comparison: Comparison, seen: SeenUpload): Generator<Difference> {
  const { stores, runner } = comparison;
  const { uploadId, row, logged } = seen;
  const file = row && seen.files.find(({ key }) => key === storedKey(row));
  let present: Present | undefined;
  if (logged === "deleted") {
    const remove = async () => {
      await removeUpload(
        uploadId,
        seen.files.map(({ key }) => toPath(key).path),
        stores,
      );
      return true;
    };
    if (row !== undefined) yield { kind: "row-of-deleted", subject: uploadId, repair: remove };
    else if (seen.files.length > 0) yield { kind: "object-of-deleted", subject: uploadId, repair: remove };
  } else if (row === undefined) {
    yield* withoutRow(comparison, seen);
  } else {
    const takedown = comparison.tables.takedowns.find(uploadId);
    const isMarked = file !== undefined && isTakenDown(file);
    if (takedown !== undefined) {
      if (!isMarked || row.takedown === null) {
        const repair = () => runner.takeDownAgain(takedown);
        yield { kind: "takedown-undone", subject: uploadId, repair };
      }
    } else if (isMarked || row.takedown !== null) yield { kind: "takedown-stray", subject: uploadId };
    else if (file === undefined) {
      present = findPresent(comparison, row, seen);
      yield present === undefined
        ? { kind: "file-lost", subject: uploadId, detail: row.objectKey }
        : { kind: "row-outdated", subject: uploadId, detail: present.key, repair: renewRow(stores, row, present) };
    } else if (file.size !== row.sizeBytes) {
      const repair = async () => {
        await setSize(stores.library, row, file.size);
        return true;
      };
      yield { kind: "size-differs", subject: uploadId, detail: `${row.sizeBytes}, not ${file.size}`, repair };
    }
    const kept = present?.key ?? storedKey(row);
    for (const { key, uploaded } of seen.files) {
      if (key === kept) continue;
      // It may be all that is left of the upload.
      if (file === undefined && present === undefined) yield { kind: "unexplained-object", subject: key };
      else yield* orphan(comparison, key, uploaded);
    }
    if (!seen.isSearchable)
      yield { kind: "search-missing", subject: uploadId, repair: () => done(addToSearch(stores.library, row)) };
    if (!seen.isTagged)
      yield { kind: "tags-missing", subject: uploadId, repair: () => done(addToTags(stores.library, row)) };
    if (seen.hasPublicVariants) {
      const repair = () => done(removeVariants(versionOf(row.objectKey), "public", stores));
      yield { kind: "variants-public", subject: uploadId, repair };
    }
    const expiresAt = comparison.tables.expiries.find(uploadId) ?? null;
    if (row.expiresAt !== expiresAt) {
      const repair = () => done(recordExpiry(stores.library, row, expiresAt));
      yield { kind: "expiry-differs", subject: uploadId, detail: `${row.expiresAt}, not ${expiresAt}`, repair };
    }
    const { unknownAt } = seen;
    if (unknownAt !== undefined) {
      const repair = () => tellHome(comparison, uploadId, unknownAt);
      yield { kind: "moved-missing", subject: uploadId, detail: unknownAt, repair };
    }
  }
  yield* comparePointer(comparison, seen, present);
  // A preview that was made while its file was deleted or replaced, by an isolate that died before it checked the file.
  for (const version of seen.leftPreviews) {
    const { accountId, files } = stores;
    yield {
      kind: "preview-left",
      subject: version,
      repair: () => done(files.delete(previewKey(accountId, version))),
    };
  }
  for (const version of seen.leftVariants)
    yield { kind: "variants-left", subject: version, repair: () => done(removeMade(version, stores)) };
  const { thumbnailBytes, countedThumbnailBytes } = seen;
  const isRestored = row === undefined && logged === "stored";
  const rowBytes = logged === "deleted" ? 0 : (row?.thumbnailSizeBytes ?? 0);
  if (thumbnailBytes !== countedThumbnailBytes || (thumbnailBytes !== rowBytes && !isRestored)) {
    const detail = `${thumbnailBytes} in R2, ${rowBytes} in the row, ${countedThumbnailBytes} counted`;
    yield {
      kind: "thumbnail-differs",
      subject: uploadId,
      detail,
      repair: () => done(runner.settleThumbnail(uploadId, row?.objectKey)),
    };
  }
}

function* withoutRow(comparison: Comparison, { uploadId, files, logged }: SeenUpload): Generator<Difference> {
  const { tables, stores } = comparison;
  if (logged === "stored") {
    const known = tables.ledger.log.findRow(uploadId);
    const file = files.find(({ key }) => toPath(key).path === known?.objectKey) ?? files[0];
    if (file === undefined) {
      yield {
        kind: "upload-lost",
        subject: uploadId,
        ...(known === undefined ? {} : { detail: known.originalFilename }),
      };
    } else if (known === undefined) yield { kind: "row-lost", subject: uploadId, detail: file.key };
    else {
      const sizeBytes = isTakenDown(file) ? known.sizeBytes : file.size;
      const { visibility } = toPath(file.key);
      const row: Upload = { ...known, visibility, accountId: stores.accountId, sizeBytes };
      yield { kind: "row-lost", subject: uploadId, detail: file.key, repair: () => restoreRow(comparison, row) };
    }
    return;
  }
  // The log would have an answered upload.
  const isWithinLog = stores.now - idTime(uploadId) < LOG_REACH_MS;
  for (const { key, uploaded } of files) {
    if (isWithinLog) yield* orphan(comparison, key, uploaded);
    else yield { kind: "unexplained-object", subject: key };
  }
}

function* orphan(comparison: Comparison, key: string, uploadedAt: Date): Generator<Difference> {
  const { stores, orphanAgeMs, orphans, repair } = comparison;
  if (stores.now - uploadedAt.getTime() < orphanAgeMs) return;
  if (repair && orphans.left <= 0) {
    yield { kind: "orphan-object", subject: key, detail: "left for another night: this one has deleted enough" };
    return;
  }
  const remove = () => {
    orphans.left -= 1;
    return done(stores.files.delete(key));
  };
  yield { kind: "orphan-object", subject: key, repair: remove };
}

/** @returns false if the upload was deleted since */
async function restoreRow({ stores, tables, runner }: Comparison, row: Upload): Promise<boolean> {
  const { library, accountId } = stores;
  const expiresAt = tables.expiries.find(row.id) ?? null;
  await insertAgain(library, { ...NEW_UPLOAD, ...row, expiresAt, thumbnailSizeBytes: null });
  if (tables.isDeleted(row.id) || tables.intents.find(`delete:${row.id}`) !== undefined) {
    await deleteUpload(library, accountId, row.id);
    return false;
  }
  const takedown = tables.takedowns.find(row.id);
  if (takedown !== undefined) await runner.takeDownAgain(takedown);
  else await runner.settleThumbnail(row.id, row.objectKey);
  return true;
}

/** Inserts a row without its folder if that is gone, and without its external id if another upload has that now. */
async function insertAgain(library: Library, row: Upload): Promise<void> {
  try {
    await insertUploads(library, [row]);
  } catch (error) {
    const constraint = error instanceof ConstraintError ? error.constraint : undefined;
    if (constraint === "foreign-key" && row.folderId !== null) await insertAgain(library, { ...row, folderId: null });
    else if (constraint === "unique" && row.externalId !== null)
      await insertAgain(library, { ...row, externalId: null });
    else throw error;
  }
}

/**
 * Compares some search entries of a page with the names, other entries each day. A statement reads an upload's row and entry at one moment,
 * so every difference is real.
 */
async function compareEntries(comparison: Comparison, page: UploadPage): Promise<Finding[]> {
  const { stores, repair } = comparison;
  const { library, accountId } = stores;
  const ids = page.uploads.flatMap(({ uploadId, row }) =>
    row?.isSearchable && isDue(uploadId, comparison) ? [uploadId] : [],
  );
  const findings: Finding[] = [];
  for (let at = 0; at < ids.length; at += STEP_UPLOADS) {
    const rows = await findUploads(library, accountId, ids.slice(at, at + STEP_UPLOADS));
    for (const row of await findWrongEntries(library, rows)) {
      const mend = () => done(replaceInSearch(library, row));
      findings.push(await toFinding({ kind: "search-wrong", subject: row.id, repair: mend }, repair));
    }
  }
  return findings;
}
