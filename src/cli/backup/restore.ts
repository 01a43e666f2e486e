import { createHash } from "node:crypto";
import { MAX_RANGE_BYTES } from "../../domain/backup.ts";
import {
  type AccountLine,
  type Chunk,
  type FileLine,
  listBackups,
  type Manifest,
  readChunk,
  readManifest,
} from "./manifest.ts";
import { forEachAtOnce } from "./pool.ts";
import type { DatabaseTables, Page, Row, Service, StoredFile } from "./service.ts";
import type { Target } from "./target.ts";

const AT_ONCE = 6;
const BATCH_ROWS = 200;
/** A limit with room to spare: the service accepts at most 256 KB of JSON. */
const BATCH_BYTES = 160_000;
const DIRECTORY = "directory";

/** @param id the newest complete backup if undefined @throws Error if there is none */
export async function chooseBackup(target: Target, id: string | undefined): Promise<Manifest> {
  const chosen = id ?? (await listBackups(target)).at(-1);
  if (chosen === undefined) throw new Error(`${target.title} has no complete backup`);
  return readManifest(target, chosen);
}

/** Compares every byte of a backup with its hashes. @throws Error that names the first damaged part */
export async function verifyBackup(target: Target, { chunks }: Manifest, print: (line: string) => void): Promise<void> {
  for (const chunk of chunks) {
    const lines = await readChunk<FileLine>(target, chunk);
    if (lines.length !== chunk.lines) throw new Error(`${chunk.name} is damaged`);
    if (chunk.holds.kind !== "files") continue;
    await forEachAtOnce(lines, AT_ONCE, async (file) => {
      for await (const _ of readFile(target, file));
    });
    print(`  ${lines.length} files are whole`);
  }
}

/**
 * Restores a backup into an empty installation: files, libraries, accounts' objects, and last the directory, so that no one can log in
 * earlier. It continues an interrupted restore of the same backup.
 * @throws Error if the installation is not empty, or is older than the backup, or a part of the backup is damaged
 */
export async function restoreBackup(
  service: Service,
  target: Target,
  manifest: Manifest,
  print: (line: string) => void,
): Promise<void> {
  const { databases } = await service.json<{ databases: DatabaseTables[] }>("GET", "/admin/backup");
  requireTables(manifest, databases);
  await service.json("POST", "/admin/restore", { json: { backup: manifest.id } });
  const known = await readAccounts(target, manifest);
  await restoreFiles(service, target, manifest, known, print);
  for (const { database } of databases.filter(({ database: name }) => name !== DIRECTORY)) {
    await restoreDatabase(service, target, manifest, { database, known, print });
  }
  print(`${known.size} accounts ...`);
  await restoreAccounts(service, target, manifest, known);
  await restoreDatabase(service, target, manifest, { database: DIRECTORY, known, print });
  await forEachAtOnce(known, AT_ONCE, (accountId) =>
    service.json("POST", accountPath(accountId), { json: { pages: [], isFirst: false, isLast: true } }),
  );
  await service.json("DELETE", "/admin/restore");
}

function requireTables({ chunks }: Manifest, databases: readonly DatabaseTables[]): void {
  for (const { holds } of chunks) {
    if (holds.kind !== "rows") continue;
    const found = databases.find(({ database }) => database === holds.database);
    if (found?.tables.includes(holds.table)) continue;
    throw new Error(
      `the installation has no ${found === undefined ? `database ${holds.database}` : `table ${holds.table}`}: deploy the version that made the backup, or a newer one`,
    );
  }
}

const rowChunks = ({ chunks }: Manifest, database: string, table?: string): Chunk[] =>
  chunks.filter(
    ({ holds }) =>
      holds.kind === "rows" && holds.database === database && (table === undefined || holds.table === table),
  );

/** The accounts that are restored: the accounts of the directory that were not erased during the backup. */
async function readAccounts(target: Target, manifest: Manifest): Promise<Set<string>> {
  const known = new Set<string>();
  for (const chunk of rowChunks(manifest, DIRECTORY, "accounts")) {
    const id = chunk.holds.kind === "rows" ? chunk.holds.columns.indexOf("id") : -1;
    for (const row of await readChunk<Row>(target, chunk)) known.add(row[id]?.slice(1) ?? "");
  }
  for (const id of manifest.erased) known.delete(id);
  return known;
}

const ACCOUNT_KEY = /^(?:uploads|accounts)\/([0-9a-z]{26})(?:\/|$)/;

async function restoreFiles(
  service: Service,
  target: Target,
  { chunks }: Manifest,
  known: ReadonlySet<string>,
  print: (line: string) => void,
): Promise<void> {
  const sizes = new Map<string, number>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { files: StoredFile[] } & Pick<Page, "pagination"> = await service.json("GET", "/admin/backup/files", {
      query: { cursor },
    });
    for (const { key, size } of page.files) sizes.set(key, size);
    cursor = page.pagination.nextCursor;
  }
  let count = 0;
  for (const chunk of chunks.filter(({ holds }) => holds.kind === "files")) {
    await forEachAtOnce(await readChunk<FileLine>(target, chunk), AT_ONCE, async (file) => {
      const owner = ACCOUNT_KEY.exec(file.key)?.[1];
      if (owner !== undefined && !known.has(owner)) return;
      if (sizes.get(file.key) !== file.size) await restoreFile(service, target, file);
      count += 1;
    });
    print(`  ${count} files`);
  }
}

async function restoreFile(service: Service, target: Target, file: FileLine): Promise<void> {
  const { key, size, sha256, httpMetadata, customMetadata } = file;
  const facts = JSON.stringify({ httpMetadata, customMetadata });
  if (size <= MAX_RANGE_BYTES) {
    for await (const bytes of readFile(target, file)) {
      await service.json("PUT", "/admin/restore/file", { query: { key, facts, sha256 }, bytes });
    }
    return;
  }
  const { uploadId } = await service.json<{ uploadId: string }>("POST", "/admin/restore/parts", {
    query: { key, facts },
  });
  const parts: { partNumber: number; etag: string }[] = [];
  for await (const bytes of readFile(target, file)) {
    const number = parts.length + 1;
    const query = { key, uploadId, number };
    const { etag } = await service.json<{ etag: string }>("PUT", "/admin/restore/parts", { query, bytes });
    parts.push({ partNumber: number, etag });
  }
  await service.json("POST", "/admin/restore/parts/end", { json: { key, uploadId, parts } });
}

/**
 * A file's bytes, in ranges. The hash is compared before the last range is returned, so a damaged file is never completed.
 * @throws Error if the file is damaged
 */
async function* readFile(target: Target, { key, name, size, sha256 }: FileLine): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  let offset = 0;
  do {
    const bytes = await target.getRange(name, offset, Math.min(MAX_RANGE_BYTES, size - offset));
    hash.update(bytes);
    offset += bytes.length;
    if (offset === size && hash.digest("hex") !== sha256) throw new Error(`${name} (${key}) is damaged`);
    yield bytes;
  } while (offset < size);
}

interface DatabaseRestore {
  readonly database: string;
  readonly known: ReadonlySet<string>;
  readonly print: (line: string) => void;
}

async function restoreDatabase(
  service: Service,
  target: Target,
  manifest: Manifest,
  { database, known, print }: DatabaseRestore,
): Promise<void> {
  print(`${database} ...`);
  const { tables } = manifest.databases.find((each) => each.database === database) ?? { tables: [] };
  for (const table of tables) {
    let waiting: Row[] = [];
    let columns: readonly string[] = [];
    const write = async (rows: readonly Row[], withoutParents: boolean) => {
      const left: Row[] = [];
      for (const batch of toBatches(rows)) {
        const json = { database, table, columns, rows: batch, withoutParents };
        const answer = await service.json<{ waiting: number[] }>("POST", "/admin/restore/rows", { json });
        const indexes = new Set(answer.waiting);
        left.push(...batch.filter((_, index) => indexes.has(index)));
      }
      return left;
    };
    for (const chunk of rowChunks(manifest, database, table)) {
      if (chunk.holds.kind === "rows") columns = chunk.holds.columns;
      const rows = (await readChunk<Row>(target, chunk)).filter((row) =>
        isRestored(row, { database, table, columns, known }),
      );
      waiting.push(...(await write(rows, false)));
    }
    // A row may come before its parent in the same table.
    for (let before = Number.POSITIVE_INFINITY; waiting.length > 0 && waiting.length < before; ) {
      before = waiting.length;
      waiting = await write(waiting, false);
    }
    waiting = await write(waiting, true);
    if (waiting.length > 0) print(`  ${waiting.length} rows of ${table} were left out: they belong to nothing`);
  }
}

/** A library's rows are restored only for known accounts. Foreign keys do the same for the directory's rows. */
function isRestored(
  row: Row,
  {
    database,
    table,
    columns,
    known,
  }: { database: string; table: string; columns: readonly string[]; known: ReadonlySet<string> },
): boolean {
  const isAccount = table === (database === DIRECTORY ? "accounts" : "libraries");
  if (database === DIRECTORY && !isAccount) return true;
  const owner = row[columns.indexOf(isAccount ? "id" : "account_id")]?.slice(1);
  return owner === undefined || known.has(owner);
}

const accountPath = (accountId: string) => `/admin/restore/accounts/${encodeURIComponent(accountId)}`;

async function restoreAccounts(
  service: Service,
  target: Target,
  { chunks }: Manifest,
  known: ReadonlySet<string>,
): Promise<void> {
  const begun = new Set<string>();
  for (const chunk of chunks.filter(({ holds }) => holds.kind === "accounts")) {
    const lines = await readChunk<AccountLine>(target, chunk);
    const byAccount = Map.groupBy(lines, ({ accountId }) => accountId);
    await forEachAtOnce(byAccount, AT_ONCE, async ([accountId, pages]) => {
      if (!known.has(accountId)) return;
      for (const { table, columns, rows } of pages) {
        for (const batch of toBatches(rows)) {
          const isFirst = !begun.has(accountId);
          begun.add(accountId);
          const json = { pages: [{ table, columns, rows: batch }], isFirst, isLast: false };
          await service.json("POST", accountPath(accountId), { json });
        }
      }
    });
  }
}

/** Rows in groups that fit into one request. */
function* toBatches(rows: readonly Row[]): Generator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(row));
    if (batch.length > 0 && (batch.length === BATCH_ROWS || bytes + size > BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(row);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
