import { ConstraintError } from "../../db/constraint-error.ts";
import { findUploads } from "../../db/library/compare/list-rows.ts";
import { addToSearch, addToTags, setSize } from "../../db/library/compare/repair-rows.ts";
import type { Upload } from "../../db/library/schema.ts";
import { deleteUpload, insertUploads } from "../../db/library/uploads.ts";
import { DAY_MS } from "../../domain/calendar.ts";
import { idTime } from "../../domain/ids.ts";
import { previewKey, thumbnailKey } from "../../domain/object-key.ts";
import type { AccountBooks } from "../account-books.ts";
import type { IntentRunner } from "../intent-runner.ts";
import { type IntentStores, STEP_UPLOADS } from "../intent-stores.ts";
import { LOG_DAYS, type LoggedUpload } from "../operation-log.ts";
import { removeUpload } from "../perform-intent.ts";
import { type Difference, done, toFinding } from "./difference.ts";
import type { Finding } from "./finding.ts";
import type { UploadFacts, UploadPage } from "./read-upload-page.ts";

/** Heads that are asked for at once: a Worker has six connections. */
const HEADS_AT_ONCE = 6;
/** The log forgets an operation of which it says nothing a day earlier than it must: it may be pruned while we look. */
const LOG_REACH_MS = (LOG_DAYS - 1) * DAY_MS;

export interface Comparison {
  readonly stores: IntentStores;
  readonly books: AccountBooks;
  readonly runner: IntentRunner;
  readonly repair: boolean;
  readonly orphanAgeMs: number;
}

/** An upload as it was seen the second time. */
interface SeenUpload {
  readonly uploadId: string;
  readonly row: Upload | undefined;
  readonly isSearchable: boolean;
  readonly isTagged: boolean;
  readonly files: readonly R2Object[];
  readonly thumbnailBytes: number;
  readonly countedThumbnailBytes: number;
  readonly hasPreview: boolean;
  readonly logged: LoggedUpload;
}

/**
 * Compares a page of uploads. What seems to differ is looked at a second time, between two looks at the account's own tables: where an
 * upload is under way, or anything of it was settled in between, it is left alone until another night. So whatever happens meanwhile
 * is never taken for damage.
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
  return findings;
}

function isSuspect({ uploadId, files, thumbnail, row }: UploadFacts, { books }: Comparison): boolean {
  const [file] = files;
  if (row === undefined || file === undefined || files.length > 1) return true;
  if (file.key !== row.objectKey || file.size !== row.sizeBytes || !row.isSearchable || !row.isTagged) return true;
  const thumbnailBytes = thumbnail?.size ?? 0;
  if (thumbnailBytes !== (row.thumbnailSizeBytes ?? 0) || thumbnailBytes !== books.thumbnails.sizeOf(uploadId))
    return true;
  return books.ledger.log.judge(uploadId) === "deleted";
}

/** @returns those of which nothing is under way, and nothing was settled between a look before and one after */
async function lookAgain(comparison: Comparison, suspects: readonly UploadFacts[]): Promise<SeenUpload[]> {
  const { stores, books } = comparison;
  const { accountId, library, files } = stores;
  const before = new Map(suspects.map(({ uploadId }) => [uploadId, stateOf(books, uploadId)]));
  const ids = suspects.map(({ uploadId }) => uploadId);
  const rows = new Map((await findUploads(library, accountId, ids)).map((row) => [row.id, row]));
  const left = suspects.values();
  const seen: SeenUpload[] = [];
  const work = async () => {
    for (const { uploadId, files: found, row: listed, hasPreview = false } of left) {
      const row = rows.get(uploadId);
      const keys = new Set([...found.map(({ key }) => key), ...(row === undefined ? [] : [row.objectKey])]);
      const heads: R2Object[] = [];
      for (const key of keys) {
        const object = await files.head(key);
        if (object !== null) heads.push(object);
      }
      const thumbnail = await files.head(thumbnailKey(accountId, uploadId));
      const { logged, countedThumbnailBytes } = stateOf(books, uploadId);
      seen.push({
        uploadId,
        row,
        isSearchable: listed?.isSearchable ?? true,
        isTagged: listed?.isTagged ?? true,
        files: heads,
        thumbnailBytes: thumbnail?.size ?? 0,
        countedThumbnailBytes,
        hasPreview,
        logged,
      });
    }
  };
  await Promise.all(Array.from({ length: HEADS_AT_ONCE }, work));
  return seen.filter(({ uploadId }) => {
    const [first, now] = [before.get(uploadId), stateOf(books, uploadId)];
    return !now.isUnderWay && JSON.stringify(first) === JSON.stringify(now);
  });
}

function stateOf({ intents, ledger, thumbnails }: AccountBooks, uploadId: string) {
  return {
    isUnderWay: ["upload", "delete", "thumbnail"].some((kind) => intents.find(`${kind}:${uploadId}`) !== undefined),
    logged: ledger.log.judge(uploadId),
    countedThumbnailBytes: thumbnails.sizeOf(uploadId),
  };
}

function* differencesOf(comparison: Comparison, seen: SeenUpload): Generator<Difference> {
  const { stores, runner } = comparison;
  const { uploadId, row, logged } = seen;
  const file = seen.files.find(({ key }) => key === row?.objectKey);
  if (logged === "deleted") {
    const remove = async () => {
      await removeUpload(
        uploadId,
        seen.files.map(({ key }) => key),
        stores,
      );
      return true;
    };
    if (row !== undefined) yield { kind: "row-of-deleted", subject: uploadId, repair: remove };
    else if (seen.files.length > 0) yield { kind: "object-of-deleted", subject: uploadId, repair: remove };
  } else if (row === undefined) {
    yield* withoutRow(comparison, seen);
  } else {
    if (file === undefined) yield { kind: "file-lost", subject: uploadId, detail: row.objectKey };
    else if (file.size !== row.sizeBytes) {
      const repair = async () => {
        await setSize(stores.library, row, file.size);
        return true;
      };
      yield { kind: "size-differs", subject: uploadId, detail: `${row.sizeBytes}, not ${file.size}`, repair };
    }
    for (const { key, uploaded } of seen.files) if (key !== row.objectKey) yield* orphan(comparison, key, uploaded);
    if (!seen.isSearchable)
      yield { kind: "search-missing", subject: uploadId, repair: () => done(addToSearch(stores.library, row)) };
    if (!seen.isTagged)
      yield { kind: "tags-missing", subject: uploadId, repair: () => done(addToTags(stores.library, row)) };
  }
  // One that is made while its file is deleted, by an isolate that ends before it looks for the file.
  if (seen.hasPreview && row === undefined && seen.files.length === 0) {
    const { accountId, files } = stores;
    yield {
      kind: "preview-left",
      subject: uploadId,
      repair: () => done(files.delete(previewKey(accountId, uploadId))),
    };
  }
  const { thumbnailBytes, countedThumbnailBytes } = seen;
  const isRestored = row === undefined && logged === "stored";
  const rowBytes = logged === "deleted" ? 0 : (row?.thumbnailSizeBytes ?? 0);
  if (thumbnailBytes !== countedThumbnailBytes || (thumbnailBytes !== rowBytes && !isRestored)) {
    const detail = `${thumbnailBytes} in R2, ${rowBytes} in the row, ${countedThumbnailBytes} counted`;
    yield {
      kind: "thumbnail-differs",
      subject: uploadId,
      detail,
      repair: () => done(runner.settleThumbnail(uploadId)),
    };
  }
}

function* withoutRow(comparison: Comparison, { uploadId, files, logged }: SeenUpload): Generator<Difference> {
  const { books, stores } = comparison;
  if (logged === "stored") {
    const [file] = files;
    const known = books.ledger.log.findRow(uploadId);
    if (file === undefined) {
      yield {
        kind: "upload-lost",
        subject: uploadId,
        ...(known === undefined ? {} : { detail: known.originalFilename }),
      };
    } else if (known === undefined) yield { kind: "row-lost", subject: uploadId, detail: file.key };
    else {
      const row: Upload = { ...known, accountId: stores.accountId, sizeBytes: file.size };
      yield { kind: "row-lost", subject: uploadId, detail: file.key, repair: () => restoreRow(comparison, row) };
    }
    return;
  }
  // The log would know of it, had it ever been answered.
  const isWithinLog = stores.now - idTime(uploadId) < LOG_REACH_MS;
  for (const { key, uploaded } of files) {
    if (isWithinLog) yield* orphan(comparison, key, uploaded);
    else yield { kind: "unexplained-object", subject: key };
  }
}

function* orphan({ stores, orphanAgeMs }: Comparison, key: string, uploadedAt: Date): Generator<Difference> {
  if (stores.now - uploadedAt.getTime() < orphanAgeMs) return;
  yield { kind: "orphan-object", subject: key, repair: () => done(stores.files.delete(key)) };
}

/** In Root, where its folder is no more. @returns false where it was deleted meanwhile */
async function restoreRow({ stores, books, runner }: Comparison, row: Upload): Promise<boolean> {
  const { library, accountId } = stores;
  const insert = async (folderId: string | null) =>
    insertUploads(library, [{ ...row, folderId, thumbnailSizeBytes: null }]);
  try {
    await insert(row.folderId);
  } catch (error) {
    if (!(error instanceof ConstraintError && error.constraint === "foreign-key") || row.folderId === null) throw error;
    await insert(null);
  }
  if (books.isDeleted(row.id) || books.intents.find(`delete:${row.id}`) !== undefined) {
    await deleteUpload(library, accountId, row.id);
    return false;
  }
  await runner.settleThumbnail(row.id);
  return true;
}
