import type { Upload } from "../../../src/db/library/schema.ts";
import type { Shard } from "../../../src/domain/ids.ts";
import { everyKey, fileKey, keyAs, versionOf } from "../../../src/domain/object-key.ts";
import { isTakenDown } from "../../../src/domain/takedown.ts";
import { TIERS } from "../../../src/domain/tiers.ts";
import { otherThan, type Visibility } from "../../../src/domain/visibility.ts";
import type { AccountRecord, DeletionAttempt, UploadAttempt } from "./history.ts";
import { isPast, lastValue, must } from "./history.ts";
import { compressedForm } from "./processor.ts";
import type { SqlDatabase } from "./sql.ts";
import type { World } from "./world.ts";

/** Checks that an answer agrees with the stores at the moment at which it is given. */

export interface UploadRow {
  readonly id: string;
  readonly status: string;
  readonly object_key: string;
  readonly visibility: Visibility;
  readonly original_filename: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly folder_id: string | null;
  readonly thumbnail_size_bytes: number | null;
  readonly thumbnail_error: string | null;
  /** JSON; null if the file is served. */
  readonly takedown: string | null;
  readonly expires_at: number | null;
  /** How often the bytes were replaced. */
  readonly revision: number;
  readonly uploaded_by: string | null;
  /** JSON; null if there were no changes. */
  readonly history: string | null;
}

/** The rows of an account's library in its present shard. */
export function readRows(world: World, accountId: string): UploadRow[] {
  return readLibrary(world, accountId).run(
    "SELECT * FROM (SELECT id, account_id, status, object_key, visibility, original_filename, mime_type, size_bytes, folder_id, thumbnail_size_bytes, thumbnail_error, takedown, expires_at, revision, uploaded_by, history FROM uploads) WHERE account_id = ?",
    [accountId],
  ).rows as unknown as UploadRow[];
}

/** The shard that an account's library is in now. */
export function readLibrary(world: World, accountId: string): SqlDatabase {
  const [ledger] = world.host(accountId).storage.query<{ shard: Shard }>("SELECT shard FROM account");
  const library = ledger && world.libraries.get(ledger.shard);
  must(library !== undefined, () => "the account's object does not know where its library is");
  return library;
}

/** Whether these are bytes that the file may have now, or their compressed form. An answered replacement leaves none of the bytes before it. */
export function isOfFile(bytes: Uint8Array | undefined, { contents }: UploadAttempt): boolean {
  if (bytes === undefined) return false;
  const forms = contents
    .filter((content) => !(content.isAnswered && isPast(content, contents)))
    .flatMap(({ value }) => [value.bytes, compressedForm(value.bytes)]);
  return forms.some((form) => form !== undefined && Buffer.compare(form, bytes) === 0);
}

/** A replacement that was just answered: the file has its bytes, unless there are others at the same time. @throws Violation */
export function checkReplaced(world: World, account: AccountRecord, attempt: UploadAttempt): void {
  const isChanging = account.eraseBegunAt < Number.POSITIVE_INFINITY || attempt.deletions.length > 0;
  if (isChanging || attempt.takedowns.length > 0) return;
  const { name } = attempt.file;
  const row = readRows(world, account.id).find(({ id }) => id === attempt.id);
  must(row !== undefined, () => `${name} was answered as replaced, and has no row`);
  const bytes = world.files.objects.get(keyAs(row.object_key, row.visibility))?.bytes;
  must(isOfFile(bytes, attempt), () => `${name} was answered as replaced, and has earlier bytes, or none`);
  if (lastValue(attempt.contents) === undefined) return;
  must(row.object_key === attempt.objectKey, () => `${name} was answered as ${attempt.objectKey}, and is elsewhere`);
}

/** An upload that was just answered 201. @throws Violation */
export function checkStored(world: World, account: AccountRecord, attempt: UploadAttempt): void {
  if (account.eraseBegunAt < Number.POSITIVE_INFINITY || attempt.deletions.length > 0) return;
  const row = readRows(world, account.id).find(({ id }) => id === attempt.id);
  must(row !== undefined, () => `${attempt.file.name} was answered 201 without a row`);
  const bytes = world.files.objects.get(keyAs(row.object_key, row.visibility))?.bytes;
  must(
    isOfFile(bytes, attempt),
    () => `${attempt.file.name} (${attempt.file.bytes.length} bytes) was answered 201, R2 has ${bytes?.length} others`,
  );
  must(bytes?.length === attempt.sizeBytes, () => `${attempt.file.name} has another size than its answer said`);
  must(
    isCounted(world, account, `upload:${attempt.id}`),
    () => `${attempt.file.name} was answered 201 and is not counted`,
  );
}

/**
 * An upload that was just answered with another file, because that has the same bytes: it has the visibility that the request wanted, and it
 * can no longer be undone. @throws Violation
 */
export function checkDuplicate(world: World, account: AccountRecord, attempt: UploadAttempt, found: Upload): void {
  const { name } = attempt.file;
  const [wanted] = attempt.visibilities;
  must(
    found.visibility === wanted?.value,
    () => `${name} is sent as ${wanted?.value}, and answered with a ${found.visibility} file`,
  );
  const same = account.uploads.find((other) => toStem(other.file.name) === toStem(found.originalFilename));
  must(
    same?.contents.some(({ value }) => Buffer.compare(value.bytes, attempt.file.bytes) === 0) === true,
    () => `${name} is answered with ${found.originalFilename}, which has other bytes`,
  );
  const isErasing = account.eraseBegunAt < Number.POSITIVE_INFINITY;
  must(
    isErasing || isCounted(world, account, `upload:${found.id}`),
    () => `${name} is answered with ${found.originalFilename}, which is not settled`,
  );
}

/** An upload that was just answered 201, and asked for no second file with the same bytes. @throws Violation */
export function checkUnique(account: AccountRecord, attempt: UploadAttempt): void {
  const isUntouched = ({ deletions, takedowns, visibilities, contents, mayBeTrashed }: UploadAttempt) =>
    deletions.length + takedowns.length === 0 && visibilities.length + contents.length === 2 && mayBeTrashed !== true;
  const other = account.uploads.find(
    (each) =>
      each !== attempt &&
      each.outcome === "stored" &&
      each.dedupes === true &&
      each.visibilities[0]?.value === attempt.visibilities[0]?.value &&
      isUntouched(each) &&
      Buffer.compare(each.file.bytes, attempt.file.bytes) === 0,
  );
  must(
    other === undefined || !isUntouched(attempt),
    () => `${attempt.file.name} has the bytes of ${other?.file.name}, and both are stored`,
  );
}

function toStem(name: string): string {
  return name.replace(/\.\w+$/, "");
}

/** A takedown that was just answered. @throws Violation */
export function checkTakenDown(world: World, account: AccountRecord, attempt: UploadAttempt): void {
  const isChanging = account.eraseBegunAt < Number.POSITIVE_INFINITY || attempt.deletions.length > 0;
  // A late write may replace the mark until the second pass.
  if (isChanging || world.scheduler.harms > 0 || lastValue(attempt.takedowns) !== true) return;
  const row = readRows(world, account.id).find(({ id }) => id === attempt.id);
  const object = row && world.files.objects.get(keyAs(row.object_key, row.visibility));
  must(
    object === undefined || isTakenDown(object),
    () => `${attempt.file.name} was answered as taken down, and its bytes are there`,
  );
}

/** An expiry that was just answered: the row has what the account's object has. @throws Violation */
export function checkExpirySet(world: World, account: AccountRecord, attempt: UploadAttempt): void {
  const { scheduler } = world;
  const isChanging = attempt.expiries.some(({ endedAt }) => endedAt === Number.POSITIVE_INFINITY);
  // A late write may bring an earlier time back until the second pass.
  if (isChanging || account.eraseBegunAt < Number.POSITIVE_INFINITY || scheduler.harms > 0) return;
  const row = readRows(world, account.id).find(({ id }) => id === attempt.id);
  const [own] = world
    .host(account.id)
    .storage.query<{ at: number }>("SELECT at FROM expiries WHERE upload_id = ?", attempt.id);
  // A due deletion has removed the object's time, and not yet the row.
  if (row === undefined || (row.expires_at !== null && row.expires_at <= scheduler.now)) return;
  must(
    row.expires_at === (own?.at ?? null),
    () => `${attempt.file.name} was answered as expiring at ${own?.at}, its row says ${row.expires_at}`,
  );
}

/** A change of visibility that was just answered: the file has left the key of the other visibility. @throws Violation */
export function checkVisibility(world: World, account: AccountRecord, attempt: UploadAttempt): void {
  const isChanging = account.eraseBegunAt < Number.POSITIVE_INFINITY || attempt.deletions.length > 0;
  const visibility = lastValue(attempt.visibilities);
  // A late write may bring an object back until the second pass.
  if (isChanging || world.scheduler.harms > 0 || visibility === undefined) return;
  const other = keyAs(attempt.objectKey, otherThan(visibility));
  must(
    !world.files.objects.has(other),
    () => `${attempt.file.name} was answered as ${visibility}, and ${other} is there`,
  );
}

/** A deletion that was just answered. @throws Violation */
export function checkDeleted(
  world: World,
  account: AccountRecord,
  attempt: UploadAttempt,
  deletion: DeletionAttempt,
): void {
  if (account.eraseBegunAt < Number.POSITIVE_INFINITY) return;
  const { name } = attempt.file;
  const others = attempt.deletions.filter((other) => other !== deletion);
  if (deletion.outcome === "gone")
    must(others.length > 0, () => `${name} is answered 404, and nobody else has deleted it`);
  if (deletion.outcome !== "deleted") return;
  const both = others.find(({ outcome, party }) => outcome === "deleted" && party().disturbances === 0);
  must(both === undefined || deletion.party().disturbances > 0, () => `${name} was deleted by two requests`);
  const row = readRows(world, account.id).find(({ id }) => id === attempt.id);
  must(row === undefined, () => `${name} was answered as deleted, and has a row`);
  // A thumbnail or a takedown's mark that is written at the same time may appear, and is removed again.
  // Bytes that are about to replace the file's may be there for a moment.
  const prefixes = everyKey(fileKey(account.id, versionOf(attempt.objectKey), ""));
  const key = [...world.files.objects.keys()].find((known) => prefixes.some((prefix) => known.startsWith(prefix)));
  const isMark = key !== undefined && isTakenDown(world.files.objects.get(key) ?? {});
  must(key === undefined || isMark, () => `${name} was answered as deleted, and there is ${key}`);
  must(
    isCounted(world, account, `delete:${attempt.id}`),
    () => `${name} was answered as deleted, which is not counted`,
  );
}

/** The most that is reserved beyond stored bytes: at most the next part, and no thumbnail is larger than this. */
const SPARE_BYTES = 2048;
const MAX_THUMBNAIL_BYTES = 220;

/** An upload that was just answered 413: all stored or reserved bytes together must leave no space for it. @throws Violation */
export function checkFull({ uploads, tiers }: AccountRecord, attempt: UploadAttempt): void {
  const othersBytes = uploads.map((other) => {
    const isGone = other.outcome === "refused" && other.endedAt < attempt.begunAt;
    const isDeleted = other.deletions.some(
      ({ outcome, endedAt }) => outcome === "deleted" && endedAt < attempt.begunAt,
    );
    if (other === attempt || isGone || isDeleted) return 0;
    const bytes = other.contents.reduce((sum, { value }) => sum + value.bytes.length + SPARE_BYTES, 0);
    return bytes + other.file.bytes.length + MAX_THUMBNAIL_BYTES;
  });
  const wantedBytes = attempt.file.bytes.length + othersBytes.reduce((sum, bytes) => sum + bytes, 0);
  const limitBytes = Math.min(...tiers.map(({ value }) => TIERS[value].storageBytes));
  must(wantedBytes > limitBytes, () => `${attempt.file.name} is answered 413, and there is room for it`);
}

function isCounted(world: World, account: AccountRecord, operationId: string): boolean {
  return world.host(account.id).storage.query("SELECT 1 FROM class_a_operations WHERE id = ?", operationId).length > 0;
}
