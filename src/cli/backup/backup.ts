import { FileCopies } from "./copy-files.ts";
import {
  type Chunk,
  ChunkWriter,
  type FileLine,
  type Held,
  listBackups,
  type Manifest,
  nameBackup,
  readChunk,
  readManifest,
  writeManifest,
} from "./manifest.ts";
import { forEachAtOnce } from "./pool.ts";
import { type DatabaseTables, type Page, type Row, type Service, ServiceRefusal } from "./service.ts";
import type { Target } from "./target.ts";

const AT_ONCE = 6;

export interface BackupOptions {
  readonly baseUrl: string;
  /** How many complete backups the target keeps. */
  readonly keep: number;
  readonly print: (line: string) => void;
}

/**
 * Makes a backup while the service runs: files, libraries, directory, accounts' objects, then the files that were stored since. `reconcile`
 * can repair all differences afterwards because of this order (docs/operating/backup.md). An interrupted backup starts again, but copied
 * files are not copied twice.
 * @returns the manifest
 * @throws Error if a library is being moved, or the service or the target fails
 */
export async function makeBackup(service: Service, target: Target, options: BackupOptions): Promise<Manifest> {
  const { print, baseUrl, keep } = options;
  const startedAt = new Date();
  const id = nameBackup(startedAt);
  let count = 0;
  const nextName = () => `backups/${id}/${String(count++).padStart(6, "0")}.jsonl.gz`;
  const open = (holds: Held) => new ChunkWriter(target, nextName, holds);

  const { databases } = await service.json<{ databases: DatabaseTables[] }>("GET", "/admin/backup");
  const copies = await FileCopies.open(target);
  const files = new Map<string, FileLine>();
  print(`files to ${target.title} ...`);
  let copied = await copies.update(service, files, (number) => print(`  ${number} files`));

  const chunks: Chunk[] = [];
  const accounts: string[] = [];
  for (const { database, tables } of databases) {
    print(`${database} ...`);
    for (const table of tables) {
      chunks.push(...(await copyTable(service, open, { database, table }, (row) => note(table, row, accounts))));
    }
  }

  print(`${accounts.length} accounts ...`);
  const erased: string[] = [];
  const writer = open({ kind: "accounts" });
  await forEachAtOnce(accounts, AT_ONCE, async (accountId) => {
    if (!(await copyAccount(service, writer, accountId))) erased.push(accountId);
  });
  chunks.push(...(await writer.end()));

  print("files that came since ...");
  copied += await copies.update(service, files, () => undefined);
  const lines = open({ kind: "files" });
  for (const line of files.values()) await lines.add(line);
  chunks.push(...(await lines.end()));

  const manifest: Manifest = {
    format: 1,
    id,
    baseUrl,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    databases,
    accounts: accounts.length,
    erased,
    files: files.size,
    chunks,
    bytes: [...files.values()].reduce((sum, { size }) => sum + size, 0),
  };
  await writeManifest(target, manifest);
  await copies.endJournal();
  await prune(target, keep);
  print(
    `backup ${id}: ${manifest.accounts} accounts, ${manifest.files} files (${copied} new), ${manifest.bytes} bytes`,
  );
  return manifest;
}

/** The values of a row by column. */
type Values = ReadonlyMap<string, string | null | undefined>;

/** @throws Error if a library is being moved: its rows are in two places */
function note(table: string, row: Values, accounts: string[]): void {
  if (table === "accounts") accounts.push(row.get("id")?.slice(1) ?? "");
  if (table === "libraries" && row.get("state") === "tleaving") {
    throw new Error("a library is being moved to another shard; make the backup when the move has ended");
  }
}

async function copyTable(
  service: Service,
  open: (holds: Held) => ChunkWriter,
  place: { readonly database: string; readonly table: string },
  onRow: (row: Values) => void,
): Promise<readonly Chunk[]> {
  let writer: ChunkWriter | undefined;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await service.json<Page>("GET", "/admin/backup/rows", { query: { ...place, cursor } });
    const { columns, rows, pagination } = page;
    writer ??= open({ kind: "rows", ...place, columns });
    for (const row of rows) {
      onRow(new Map(columns.map((column, index) => [column, row[index]])));
      await writer.add(row);
    }
    cursor = pagination.nextCursor;
  }
  return (await writer?.end()) ?? [];
}

/** @returns false if the account was erased since the directory was read */
async function copyAccount(service: Service, writer: ChunkWriter, accountId: string): Promise<boolean> {
  const path = `/admin/backup/accounts/${encodeURIComponent(accountId)}`;
  try {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Page & { table: string } = await service.json("GET", path, { query: { cursor } });
      const { table, columns, rows, pagination } = page;
      if (rows.length > 0) await writer.add({ accountId, table, columns, rows: rows satisfies readonly Row[] });
      cursor = pagination.nextCursor;
    }
    return true;
  } catch (error) {
    if (error instanceof ServiceRefusal && error.status === 404) return false;
    throw error;
  }
}

/** Deletes unfinished backups, all but the newest complete backups, and files that no remaining backup lists. */
async function prune(target: Target, keep: number): Promise<void> {
  const kept = (await listBackups(target)).slice(-keep);
  const files = new Set<string>();
  for (const id of kept) {
    const { chunks } = await readManifest(target, id);
    for (const chunk of chunks.filter(({ holds }) => holds.kind === "files")) {
      for (const { name } of await readChunk<FileLine>(target, chunk)) files.add(name);
    }
  }
  // The manifest is deleted first: a backup without it is not complete.
  const old = (await target.list("backups/")).filter((name) => !kept.includes(name.split("/")[1] ?? ""));
  for (const name of old.sort((a, b) => Number(b.endsWith("manifest.json")) - Number(a.endsWith("manifest.json")))) {
    await target.delete(name);
  }
  for (const name of await target.list("files/")) if (!files.has(name)) await target.delete(name);
}
