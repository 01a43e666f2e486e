import { type KeptChange, MAX_KEPT_CHANGES } from "../../../src/domain/file-history.ts";
import { fileRulesKey, isIndexed, RULES_INDEX_KEY, type StoredFileRules } from "../../../src/domain/file-rules.ts";
import { homeShard } from "../../../src/domain/ids.ts";
import { isVideo } from "../../../src/domain/media-types.ts";
import {
  accountMarker,
  accountVariantsPrefix,
  everyKey,
  isReplaced,
  keyAs,
  movedKey,
  movedPrefix,
  thumbnailKey,
  toPath,
  variantsPrefix,
  versionOf,
} from "../../../src/domain/object-key.ts";
import { isTakenDown, quarantineKey } from "../../../src/domain/takedown.ts";
import { TIERS, type TierName } from "../../../src/domain/tiers.ts";
import type { UploadTokenLimits } from "../../../src/domain/upload-token.ts";
import type { StoredTakedown } from "../../../src/meter/books/takedown-store.ts";
import { replacedBy } from "../../../src/meter/intents/intent.ts";
import { isOfFile, readLibrary, readRows, type UploadRow } from "./check-answers.ts";
import { checkEvents } from "./check-events.ts";
import { type AccountRecord, isPast, lastValue, must, type UploadAttempt } from "./history.ts";
import type { SqlDatabase } from "./sql.ts";
import { SHARDS, type World } from "./world.ts";

interface Ledger {
  readonly tier: TierName;
  readonly billing_anchor_at: number | null;
  readonly used_tenths: number;
  readonly class_b_tenths: number;
  readonly storage_bytes: number;
  readonly auto_compress: number;
  readonly compression_quality: number;
  readonly shard: string;
}

/**
 * Checks the final state: no answered upload is lost, no byte is leaked, all figures are exact, and no two answers contradict each other.
 * @throws Violation
 */
export function checkStores(world: World, accounts: readonly AccountRecord[]): void {
  must(world.queue.open.size === 0, () => `${world.queue.open.size} messages were never acknowledged`);
  // R2 itself aborts multipart uploads that no object knows.
  for (const { announced } of world.hosts.values())
    for (const id of announced) must(world.files.multiparts.get(id)?.state !== "open", () => `${id} was never ended`);
  const living = new Set<string>();
  for (const account of accounts) {
    const [column, value] = account.id === "" ? ["email", account.email] : ["id", account.id];
    const row = world.directory.run(`SELECT * FROM accounts WHERE ${column} = ?`, [value]).rows[0];
    const mustBeGone = account.erasedAt < Number.POSITIVE_INFINITY || account.outcome === "refused";
    const mustBeThere = account.outcome === "registered" && account.eraseBegunAt === Number.POSITIVE_INFINITY;
    must(!(row !== undefined && mustBeGone), () => `${account.email} is there, and must not`);
    must(!(row === undefined && mustBeThere), () => `${account.email} is not there`);
    if (row === undefined) continue;
    living.add(String(row.id));
    checkAccount(world, { ...account, id: String(row.id) }, row);
  }
  checkNothingElse(world, living);
}

function checkAccount(world: World, account: AccountRecord, row: Record<string, unknown>): void {
  const { storage } = world.host(account.id);
  const [ledger] = storage.query<Ledger>("SELECT * FROM account");
  must(ledger !== undefined, () => `${account.email} has no ledger`);
  const intents = storage.query<{ id: string }>("SELECT id FROM intents");
  must(intents.length === 0, () => `intents are left: ${intents.map(({ id }) => id).join()}`);
  const rows = readRows(world, account.id);
  const operations = new Set(storage.query<{ id: string }>("SELECT id FROM class_a_operations").map(({ id }) => id));
  for (const attempt of account.uploads) checkUpload(world, account, attempt, { rows, operations });
  checkFigures(world, account, { ledger, rows, operations });
  checkTokens(world, account);
  checkEvents(world, account, { rows, operations });
  checkImports(world, account, rows);
  checkFolders(world, account, rows);
  checkDirectory(world, account, { ledger, row });
  must(world.files.objects.has(accountMarker(account.id)), () => `${account.email} has no marker in R2`);
  checkFileRules(world, account);
  checkMoved(world, account, rows);
  for (const database of world.libraries.values()) checkCounts(database, account.id);
}

/** R2 has the rules that the account's object has. */
function checkFileRules(world: World, account: AccountRecord): void {
  const [own] = world.host(account.id).storage.query<{ rules: string }>("SELECT rules FROM file_rules");
  const copy = world.files.objects.get(fileRulesKey(account.id))?.bytes;
  const { changedAt: _, ...rules } =
    copy === undefined ? { changedAt: 0 } : (JSON.parse(new TextDecoder().decode(copy)) as StoredFileRules);
  must(JSON.stringify(rules) === (own?.rules ?? "{}"), () => `${account.email} has other rules in R2`);
  const index = world.files.objects.get(RULES_INDEX_KEY)?.bytes ?? new Uint8Array(0);
  must(own === undefined || isIndexed(index, account.id), () => `${account.email} is not in the index of rules`);
}

function checkUpload(
  world: World,
  account: AccountRecord,
  attempt: UploadAttempt,
  { rows, operations }: { readonly rows: readonly UploadRow[]; readonly operations: ReadonlySet<string> },
): void {
  const { name } = attempt.file;
  const found = rows.filter(
    ({ original_filename }) => original_filename.replace(/\.\w+$/, "") === name.replace(/\.\w+$/, ""),
  );
  must(found.length <= 1, () => `${name} is there ${found.length} times`);
  const [row] = found;
  const isDeleted = attempt.deletions.some(({ outcome }) => outcome === "deleted");
  const mayBeDeleted = attempt.deletions.some(({ outcome }) => outcome !== "refused");
  if (attempt.outcome === "refused") must(row === undefined, () => `${name} was refused, and is there`);
  if (attempt.outcome === "stored" && !mayBeDeleted)
    must(row !== undefined, () => `${name} was answered 201, and is lost`);
  if (isDeleted) must(row === undefined, () => `${name} was deleted, and is there`);
  checkExpiry(world, account, attempt, row);
  const id = row?.id ?? attempt.id;
  const isUploadCounted = operations.has(`upload:${id}`);
  const isDeleteCounted = operations.has(`delete:${id}`);
  if (attempt.outcome === "stored" || row !== undefined)
    must(isUploadCounted, () => `the upload of ${name} is not counted`);
  if (row !== undefined) must(!isDeleteCounted, () => `${name} is there, and its deletion is counted`);
  if (attempt.outcome === "stored" && row === undefined)
    must(isDeleteCounted, () => `${name} is gone, and its deletion is not counted`);
  if (id !== "") checkReplacements(attempt, id, operations);
  if (row === undefined) return;
  if (checkTakedown(world, account, attempt, row)) return;
  if (world.isModerated) checkModeration(world, attempt, row);
  checkPlace(world, account, attempt, row);
  checkHistory(attempt, row);
  const object = world.files.objects.get(keyAs(row.object_key, row.visibility));
  must(isOfFile(object?.bytes, attempt), () => `${name} has a row, and not its bytes`);
  must(
    object?.bytes.length === row.size_bytes,
    () => `${name} has ${object?.bytes.length} bytes, its row says ${row.size_bytes}`,
  );
  const thumbnail = world.files.objects.get(keyAs(thumbnailKey(account.id, versionOf(row.object_key)), row.visibility));
  must(
    (thumbnail?.bytes.length ?? null) === row.thumbnail_size_bytes,
    () => `${name} has another thumbnail than its row says`,
  );
  if (isVideo(row.mime_type))
    must(
      row.thumbnail_size_bytes !== null || row.thumbnail_error !== null,
      () => `${name} has no thumbnail, and nothing says why`,
    );
}

/** The object and the row have the same expiry, and it was kept to. */
function checkExpiry(
  world: World,
  account: AccountRecord,
  { id, file: { name }, expiries, deletions }: UploadAttempt,
  row: UploadRow | undefined,
): void {
  const { storage } = world.host(account.id);
  const [deleted] = storage.query<{ at: number }>("SELECT at FROM class_a_operations WHERE id = ?", `delete:${id}`);
  if (deleted !== undefined && deletions.every(({ isExpiry }) => isExpiry))
    must(
      expiries.some((change) => change.value !== null && change.value <= deleted.at && !isPast(change, expiries)),
      () => `${name} was deleted at ${deleted.at}, and no expiry that it had was due`,
    );
  const wanted = lastValue(expiries);
  if (row === undefined) return;
  const [own] = storage.query<{ at: number }>("SELECT at FROM expiries WHERE upload_id = ?", row.id);
  must((own?.at ?? null) === row.expires_at, () => `${name} expires at ${own?.at}, its row says ${row.expires_at}`);
  must(wanted === undefined || wanted === (own?.at ?? null), () => `${name} expires at ${own?.at}, not at ${wanted}`);
  must(own === undefined || own.at > world.scheduler.now, () => `${name} has expired, and is there`);
}

/** A file has the visibility of its last answered change, and no variant of the other visibility. */
function checkPlace(world: World, account: AccountRecord, attempt: UploadAttempt, row: UploadRow): void {
  const { name } = attempt.file;
  const wanted = lastValue(attempt.visibilities);
  must(wanted === undefined || wanted === row.visibility, () => `${name} is ${row.visibility}, and was made ${wanted}`);
  const prefix = variantsPrefix(account.id, versionOf(row.object_key));
  for (const key of world.files.objects.keys()) {
    if (!key.startsWith(accountVariantsPrefix(account.id) + row.id)) continue;
    must(key.startsWith(prefix), () => `${name} has a variant of earlier bytes: ${key}`);
    const { visibility } = toPath(key.slice(prefix.length));
    must(visibility === row.visibility, () => `${name} is ${row.visibility}, and has a ${visibility} variant`);
  }
}

/** Every upload has its author, and each replacement is one entry, however often its steps are repeated. */
function checkHistory({ file: { name } }: UploadAttempt, { uploaded_by, history, revision }: UploadRow): void {
  must(uploaded_by !== null, () => `${name} was uploaded by nobody`);
  const changes = JSON.parse(history ?? "[]") as KeptChange[];
  must(changes.length <= MAX_KEPT_CHANGES, () => `the history of ${name} has ${changes.length} changes`);
  const replaced = changes.filter(([type]) => type === "replaced").length;
  must(
    replaced === revision || changes.length === MAX_KEPT_CHANGES,
    () => `${name} was replaced ${revision} times, its history says ${replaced}`,
  );
}

/** The hook flags every image and every video with a thumbnail. A file that was restored is not judged again. */
function checkModeration({ directory }: World, { file: { name }, takedowns }: UploadAttempt, row: UploadRow): void {
  const count = directory.run("SELECT id FROM reports WHERE upload_id = ?", [row.id]).rows.length;
  must(count <= 1, () => `${name} was reported ${count} times`);
  if (takedowns.length > 0 || (isVideo(row.mime_type) && row.thumbnail_size_bytes === null)) return;
  must(count === 1, () => `the moderation hook was not asked about ${name}`);
}

/** Compares the state of a takedown in the account's object, the row, R2 and the directory. @returns whether the file is taken down */
function checkTakedown(
  world: World,
  account: AccountRecord,
  { file: { name }, takedowns }: UploadAttempt,
  row: UploadRow,
): boolean {
  const [own] = world
    .host(account.id)
    .storage.query<{ payload: string }>("SELECT payload FROM takedowns WHERE upload_id = ?", row.id);
  const takedown = own && (JSON.parse(own.payload) as StoredTakedown);
  const wanted = lastValue(takedowns);
  must(takedowns.length > 0 || takedown === undefined, () => `${name} is taken down, and nobody has asked for it`);
  must(
    wanted === undefined || wanted === (takedown !== undefined),
    () => `${name} is ${takedown === undefined ? "not " : ""}taken down, and must ${wanted ? "" : "not "}be`,
  );
  const inRow = row.takedown === null ? undefined : (JSON.parse(row.takedown) as { readonly id: string }).id;
  must(inRow === takedown?.id, () => `the row of ${name} has the takedown ${inRow}, the object ${takedown?.id}`);
  checkBlock(world, name, row, takedown?.id);
  if (takedown === undefined) return false;
  const paths = [
    row.object_key,
    ...(isVideo(row.mime_type) ? [thumbnailKey(account.id, versionOf(row.object_key))] : []),
  ];
  const keys = paths.map((path) => keyAs(path, row.visibility));
  for (const key of keys) {
    const object = world.files.objects.get(key);
    must(object !== undefined && isTakenDown(object), () => `${name} is taken down, and ${key} has no mark`);
    must(object.bytes.length === 0, () => `${name} is taken down, and ${key} has bytes`);
  }
  const isKept = world.files.objects.has(quarantineKey(takedown.id));
  must(isKept === (takedown.keepUntil !== null), () => `the bytes of ${name} are ${isKept ? "" : "not "}kept`);
  must(row.thumbnail_size_bytes === null, () => `${name} is taken down, and has a thumbnail`);
  return true;
}

/** The bytes of a taken-down file are blocked only by its own takedown; the bytes of another file by none. */
function checkBlock({ directory }: World, name: string, { id }: UploadRow, takedownId: string | undefined): void {
  const blocking = directory
    .run(
      "SELECT DISTINCT takedowns.id FROM takedowns JOIN blocked_hashes ON takedown_id = takedowns.id WHERE upload_id = ?",
      [id],
    )
    .rows.map((row) => String(row.id));
  must(
    blocking.join() === (takedownId ?? ""),
    () => `the bytes of ${name} are blocked by ${blocking.join()}, and it is taken down by ${takedownId}`,
  );
}

/** Bytes in quarantine belong to a takedown that keeps them. */
function checkQuarantine({ directory }: World, key: string): void {
  const [row] = directory.run("SELECT state FROM takedowns WHERE id = ?", [key.split("/")[1]]).rows;
  must(row?.state === "kept", () => `${key} is there, and its takedown is ${row?.state}`);
}

function checkFigures(
  world: World,
  account: AccountRecord,
  {
    ledger,
    rows,
    operations,
  }: { readonly ledger: Ledger; readonly rows: readonly UploadRow[]; readonly operations: ReadonlySet<string> },
): void {
  const storedBytes = rows.reduce((sum, row) => sum + row.size_bytes + (row.thumbnail_size_bytes ?? 0), 0);
  must(
    ledger.storage_bytes === storedBytes,
    () => `${ledger.storage_bytes} bytes are counted, the rows have ${storedBytes}`,
  );
  const prefixes = everyKey(`uploads/${account.id}/`);
  const isOwn = ({ key }: { readonly key: string }) => prefixes.some((prefix) => key.startsWith(prefix));
  const objects = [...world.files.objects.values()].filter(isOwn);
  // A taken-down file counts until its owner deletes it, and an empty object is in its place.
  const takenBytes = rows.reduce((sum, row) => sum + (row.takedown === null ? 0 : row.size_bytes), 0);
  const heldBytes = objects.reduce((sum, { bytes }) => sum + bytes.length, takenBytes);
  const known = new Set(
    rows.flatMap(({ object_key, visibility }) =>
      [object_key, thumbnailKey(account.id, versionOf(object_key))].map((path) => keyAs(path, visibility)),
    ),
  );
  for (const { key } of objects) must(known.has(key), () => `${key} is nobody's`);
  checkPointers(world, account, rows);
  must(heldBytes === storedBytes, () => `R2 has ${heldBytes} bytes, the rows ${storedBytes}`);
  const countedTenths = operations.size * 10;
  const usedTenths = ledger.used_tenths - ledger.class_b_tenths;
  must(
    usedTenths === countedTenths,
    () => `${usedTenths} tenths of operations are counted, the log has ${countedTenths}`,
  );
  const ids = new Set([...rows.map(({ id }) => id)]);
  for (const id of operations) {
    const uploadId = id.slice(id.indexOf(":") + 1);
    const replaced = replacedBy(id);
    if (replaced !== undefined) {
      must(operations.has(`upload:${replaced}`), () => `${id} is counted, and its file is unknown`);
      continue;
    }
    const isWhole = id.startsWith("upload:")
      ? ids.has(uploadId) || operations.has(`delete:${uploadId}`)
      : operations.has(`upload:${uploadId}`);
    must(isWhole, () => `${id} is counted, and nothing else says so`);
  }
  // An earlier tier may have allowed more.
  const tiers = new Set(account.tiers.map(({ value }) => value));
  if (tiers.size > 1) return;
  const { storageBytes, operationsPerMonth } = TIERS[ledger.tier];
  must(storedBytes <= storageBytes, () => `${storedBytes} bytes are stored, ${storageBytes} are allowed`);
  // An expiry is never refused (LIM-4).
  const mayHaveExpired = account.uploads.filter(
    ({ id, deletions }) => operations.has(`delete:${id}`) && deletions.some(({ isExpiry }) => isExpiry),
  ).length;
  must(
    operations.size - mayHaveExpired <= operationsPerMonth,
    () => `${operations.size} operations, ${operationsPerMonth} are allowed`,
  );
}

/** Earlier URLs of a file whose bytes were replaced lead to its present one. No other file has such an object. */
function checkPointers(world: World, { id: accountId }: AccountRecord, rows: readonly UploadRow[]): void {
  const moved = new Map(
    rows.flatMap(({ id, object_key }) => (isReplaced(object_key) ? [[movedKey(accountId, id), object_key]] : [])),
  );
  for (const [key, path] of moved) {
    const object = world.files.objects.get(key);
    const leadsTo = object === undefined ? "nothing" : new TextDecoder().decode(object.bytes);
    must(leadsTo === path, () => `${key} leads to ${leadsTo}, and the file is ${path}`);
  }
  for (const key of world.files.objects.keys())
    must(!key.startsWith(movedPrefix(accountId)) || moved.has(key), () => `${key} is nobody's`);
}

/** Each answered replacement is counted once. */
function checkReplacements(
  { contents, deletions, file: { name } }: UploadAttempt,
  id: string,
  operations: ReadonlySet<string>,
): void {
  const counted = [...operations].filter((operation) => replacedBy(operation) === id).length;
  const [, ...replacements] = contents;
  const answered = replacements.filter(({ isAnswered }) => isAnswered).length;
  must(
    counted <= replacements.length,
    () => `${counted} replacements of ${name} are counted, ${replacements.length} were asked for`,
  );
  must(
    counted >= answered || deletions.length > 0,
    () => `${answered} replacements of ${name} were answered, ${counted} are counted`,
  );
}

/** The count of each upload token is the log's, and within its limits. */
function checkTokens(world: World, account: AccountRecord): void {
  const { storage } = world.host(account.id);
  const tokens = storage.query<{ id: string; limits: string; files: number; bytes: number }>(
    "SELECT id, limits, files, bytes FROM upload_tokens",
  );
  for (const { id, limits, files, bytes } of tokens) {
    const [logged] = storage.query<{ files: number; bytes: number }>(
      "SELECT count(*) AS files, coalesce(sum(storage_bytes), 0) AS bytes FROM class_a_operations WHERE type = 'upload' AND key_id = ?",
      id,
    );
    must(
      logged?.files === files && logged.bytes === bytes,
      () => `a token counts ${files} files with ${bytes} bytes, the log ${logged?.files} with ${logged?.bytes}`,
    );
    const { maxFiles, maxBytes } = JSON.parse(limits) as UploadTokenLimits;
    must(maxFiles === null || files <= maxFiles, () => `a token for ${maxFiles} files has stored ${files}`);
    must(maxBytes === null || bytes <= maxBytes, () => `a token for ${maxBytes} bytes has stored ${bytes}`);
  }
}

/** Each item has ended, and is done if and only if its upload is counted. */
function checkImports(world: World, account: AccountRecord, rows: readonly UploadRow[]): void {
  const { storage } = world.host(account.id);
  const items = storage.query<{ import_id: string; facts: string; state: string; upload_id: string | null }>(
    "SELECT import_id, facts, state, upload_id FROM import_items",
  );
  for (const id of account.imports)
    must(
      items.some(({ import_id }) => import_id === id),
      () => "an import that was answered is gone",
    );
  const logged = new Set(storage.query<{ id: string }>("SELECT id FROM class_a_operations").map(({ id }) => id));
  for (const { facts, state, upload_id } of items) {
    const { url } = JSON.parse(facts) as { url: string };
    must(["done", "failed", "cancelled"].includes(state), () => `the item ${url} is ${state}`);
    must(
      state !== "done" || logged.has(`upload:${upload_id}`),
      () => `the item ${url} is done, and its upload is not counted`,
    );
    const stem = url.slice(url.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
    const row = rows.find(({ original_filename }) => original_filename.replace(/\.\w+$/, "") === stem);
    must(
      row === undefined || (state === "done" && row.id === upload_id),
      () => `the item ${url} is ${state}, and its upload is there`,
    );
  }
  for (const { ended_at, counts, total } of storage.query<{ ended_at: number | null; counts: string; total: number }>(
    "SELECT ended_at, counts, total FROM imports",
  )) {
    must(ended_at !== null, () => "an import has not ended");
    const sum = Object.values(JSON.parse(counts) as Record<string, number>).reduce((all, count) => all + count, 0);
    must(sum === total, () => `an import of ${total} items counts ${sum}`);
  }
  const done = items.filter(({ state }) => state === "done").map(({ upload_id }) => upload_id);
  must(new Set(done).size === done.length, () => "two items are the same upload");
}

function checkFolders(world: World, account: AccountRecord, rows: readonly UploadRow[]): void {
  const folders = readLibrary(world, account.id).run("SELECT id FROM folders WHERE account_id = ?", [account.id]).rows;
  const there = new Set(folders.map(({ id }) => String(id)));
  for (const { id, parentId, deletions } of account.folders) {
    if (deletions.some(({ outcome }) => outcome === "deleted")) must(!there.has(id), () => "a deleted folder is there");
    const isAlone = deletions.length === 0 && parentId === null;
    if (isAlone) must(there.has(id), () => "a folder is lost");
  }
  for (const row of rows)
    must(
      row.folder_id === null || there.has(row.folder_id),
      () => `${row.original_filename} is in a folder that is gone`,
    );
}

/** Compares the directory in D1 with the account's object. */
function checkDirectory(
  world: World,
  account: AccountRecord,
  { ledger, row }: { readonly ledger: Ledger; readonly row: Record<string, unknown> },
): void {
  const { directory, libraries } = world;
  for (const column of ["tier", "billing_anchor_at", "auto_compress", "compression_quality", "shard"] as const)
    must(
      row[column] === ledger[column],
      () => `the directory's ${column} is ${row[column]}, the ledger's ${ledger[column]}`,
    );
  checkOwner(world, account, row);
  const tier = lastValue(account.tiers);
  must(tier === undefined || tier === ledger.tier, () => `the tier is ${ledger.tier}, and was set to ${tier}`);
  const settings = lastValue(account.settings);
  must(
    settings === undefined || settings.compressionQuality === ledger.compression_quality,
    () => `the quality is ${ledger.compression_quality}, and was set to ${settings?.compressionQuality}`,
  );
  const shard = lastValue(account.moves);
  must(
    shard === undefined || shard === ledger.shard,
    () => `the library is in ${ledger.shard}, and was moved to ${shard}`,
  );
  for (const name of SHARDS) {
    const database = libraries.get(name);
    const [library] = database?.run("SELECT state FROM libraries WHERE id = ?", [account.id]).rows ?? [];
    const expected = name === ledger.shard ? ["here"] : [undefined, "left"];
    must(expected.includes(library?.state as string), () => `in shard ${name} the library is ${library?.state}`);
  }
  const keys = directory.run("SELECT id, kind FROM keys WHERE account_id = ? AND revoked_at IS NULL", [
    account.id,
  ]).rows;
  const uploadKeys = keys.filter(({ kind }) => kind === "upload");
  must(uploadKeys.length <= 1, () => `${uploadKeys.length} upload keys live`);
  for (const key of account.keys)
    if (key.refusedFrom < Number.POSITIVE_INFINITY)
      must(!keys.some(({ id }) => id === key.id), () => "a key that was revoked lives in the directory");
  // The owner's list would show a key that the object refuses, also if the request that revoked it was never answered.
  for (const { id } of world.host(account.id).storage.query<{ id: string }>("SELECT id FROM revoked_keys"))
    must(!keys.some((key) => key.id === id), () => "a key that the object refuses lives in the directory");
}

/** Compares the address and the password in the directory with the object's copies and the owner's changes. */
function checkOwner(world: World, account: AccountRecord, row: Record<string, unknown>): void {
  const [copy] = world.host(account.id).storage.query<{ payload: string }>("SELECT payload FROM profile");
  const profile = JSON.parse(copy?.payload ?? "{}") as { readonly email?: string; readonly passwordHash?: string };
  must(row.email === profile.email, () => `the directory's address is ${row.email}, the object's ${profile.email}`);
  must(row.password_hash === profile.passwordHash, () => "the directory has another password than the object");
  const email = lastValue(account.emails);
  must(email === undefined || email === row.email, () => `the address is ${row.email}, and was set to ${email}`);
  const password = lastValue(account.passwords);
  must(
    password === undefined || String(row.password_hash).endsWith(`$${password}`),
    () => `the password is ${row.password_hash}, and was set to ${password}`,
  );
}

/** A shard keeps the ids of uploads that have left it, and no other ids. */
function checkMoved({ libraries }: World, account: AccountRecord, rows: readonly UploadRow[]): void {
  const there = new Set(rows.map(({ id }) => id));
  for (const [shard, database] of libraries) {
    const isAway =
      database !== undefined &&
      !database
        .run("SELECT state FROM libraries WHERE id = ?", [account.id])
        .rows.some(({ state }) => state === "here");
    const moved = new Set(
      database.run("SELECT id FROM moved_uploads WHERE account_id = ?", [account.id]).rows.map(({ id }) => String(id)),
    );
    for (const id of moved)
      must(isAway && there.has(id), () => `shard ${shard} still knows of an upload that is no more`);
    for (const id of isAway ? there : [])
      must(homeShard(id) !== shard || moved.has(id), () => `shard ${shard} does not know of an upload made there`);
    const left = database.run("SELECT 1 FROM uploads WHERE account_id = ?", [account.id]).rows;
    must(!isAway || left.length === 0, () => `shard ${shard} has rows of a library that has left`);
  }
}

/** Compares the tables that triggers keep with the rows. */
function checkCounts(database: SqlDatabase, accountId: string): void {
  const one = (query: string) => JSON.stringify(database.run(query, [accountId]).rows);
  const counted = one(
    "SELECT status, value, count, bytes FROM upload_counts WHERE account_id = ? AND folder_id = '*' AND facet = 'type' ORDER BY status, value",
  );
  const actual = one(
    "SELECT status, mime_type AS value, count(*) AS count, sum(size_bytes) AS bytes FROM uploads WHERE account_id = ? GROUP BY status, mime_type ORDER BY status, mime_type",
  );
  must(counted === actual, () => `the counts are ${counted}, the rows ${actual}`);
  const byFolder = one(
    "SELECT folder_id, sum(count) AS count, sum(bytes) AS bytes FROM upload_counts WHERE account_id = ? AND folder_id <> '*' AND facet = 'type' GROUP BY folder_id ORDER BY folder_id",
  );
  const inFolders = one(
    "SELECT ifnull(folder_id, '') AS folder_id, count(*) AS count, sum(size_bytes) AS bytes FROM uploads WHERE account_id = ? GROUP BY folder_id ORDER BY 1",
  );
  must(byFolder === inFolders, () => `the counts of folders are ${byFolder}, the rows ${inFolders}`);
}

/** Nothing is left of accounts that do not exist any more, or never existed. */
function checkNothingElse(world: World, living: ReadonlySet<string>): void {
  const isOf = (id: unknown) => living.has(String(id));
  for (const key of world.files.objects.keys()) {
    // The index of rules has bits of accounts that no longer exist, and their rules are gone.
    if (key === RULES_INDEX_KEY) continue;
    if (key.startsWith(quarantineKey(""))) {
      checkQuarantine(world, key);
      continue;
    }
    const { path } = toPath(key);
    const accountId = path.startsWith("rules/") ? path.split("/")[2] : path.split("/")[1];
    must(isOf(accountId), () => `${key} is of an account that is no more`);
  }
  for (const [shard, database] of world.libraries) {
    for (const table of ["uploads", "folders", "upload_counts", "moved_uploads"])
      for (const { account_id } of database.run(`SELECT DISTINCT account_id FROM ${table}`, []).rows)
        must(isOf(account_id), () => `${table} of shard ${shard} are left of an account that is no more`);
    for (const { id } of database.run("SELECT id FROM libraries", []).rows)
      must(isOf(id), () => `the library of an account that is no more is in shard ${shard}`);
    const searched = database.run("SELECT count(*) AS count FROM upload_search", []).rows[0]?.count;
    const uploads = database.run("SELECT count(*) AS count FROM uploads", []).rows[0]?.count;
    must(searched === uploads, () => `${searched} uploads of shard ${shard} can be searched, there are ${uploads}`);
  }
  for (const { account_id } of world.directory.run("SELECT account_id FROM keys", []).rows)
    must(isOf(account_id), () => "keys are left of an account that is no more");
  for (const { id, email } of world.directory.run("SELECT id, email FROM accounts", []).rows)
    must(isOf(id), () => `${email} is left`);
  for (const host of world.hosts.values()) {
    if (living.has(host.name)) continue;
    const left = host.storage.query("SELECT 1 FROM sqlite_master WHERE name = 'account'");
    const rows = left.length === 0 ? [] : host.storage.query("SELECT 1 FROM account UNION ALL SELECT 1 FROM intents");
    must(rows.length === 0, () => "the object of an account that is no more remembers it");
  }
}
