import { insertAccount } from "../../../src/db/directory/accounts.ts";
import { openDirectory } from "../../../src/db/directory/directory.ts";
import { findKeyByHash } from "../../../src/db/directory/keys.ts";
import { openLibraries } from "../../../src/db/library/library.ts";
import { deleteUploads, insertUploads } from "../../../src/db/library/uploads.ts";
import { newId } from "../../../src/domain/ids.ts";
import { makeKey } from "../../../src/services/keys/make-key.ts";
import type { Stack } from "../../support/stack/miniflare.ts";
import { NOW, newUpload } from "../../support/uploads/new-upload.ts";
import { type Database, insertLibrary, seedLibrary } from "../library/seed.ts";
import { listFiles } from "../support/list-rows.ts";
import { median } from "../support/rounds.ts";

const ROUNDS = 60;
const ACCOUNTS = 500;
const LIBRARIES = 4;
const UPLOADS = 10_000;

export interface Measured {
  /** A shard's bytes for an upload with three tags, its share of folders and counts included. */
  readonly uploadBytes: number;
  /** The directory's bytes for an account with a key. */
  readonly accountBytes: number;
  /** Milliseconds of a database's one thread. */
  readonly busyMs: Readonly<Record<"insert" | "page" | "delete" | "key", number>>;
}

/** The databases' bytes and time for uploads and accounts. */
export async function measureD1({ miniflare }: Stack): Promise<Measured> {
  const shard = await miniflare.getD1Database("LIBRARY_00");
  const directory = await miniflare.getD1Database("DB");
  const libraries: string[] = [];
  const emptyBytes = await sizeBytes(shard);
  for (let n = 0; n < LIBRARIES; n++) {
    const id = await insertLibrary(shard);
    await seedLibrary(shard, id, UPLOADS);
    libraries.push(id);
  }
  const uploadBytes = ((await sizeBytes(shard)) - emptyBytes) / (LIBRARIES * UPLOADS);
  const { accountBytes, hash } = await fillDirectory(directory);
  const db = openLibraries({ LIBRARY_00: shard }).open("00");
  const accountId = libraries[0] ?? "";
  const page = { page: 1, limit: 50, status: "active", tags: [], excludedTags: [] } as const;
  const rows = Array.from({ length: ROUNDS }, (_, at) =>
    newUpload(accountId, { createdAt: NOW + at * 60_000, tags: ["a3", "b4", "c5"] }),
  );
  return {
    uploadBytes,
    accountBytes,
    busyMs: await measureBusy(shard, {
      insert: (round) => insertUploads(db, rows.slice(round, round + 1)),
      page: () => listFiles(db, accountId, page),
      delete: (round) => deleteUploads(db, accountId, [rows[round]?.id ?? ""]),
      key: () => findKeyByHash(openDirectory({ DB: directory }), hash),
    }),
  };
}

/** The median time of each statement, less the time of an empty call; the two are called in turn. */
async function measureBusy<Name extends string>(
  database: Database,
  calls: Readonly<Record<Name, (round: number) => Promise<unknown>>>,
): Promise<Record<Name, number>> {
  const all = { ...calls, nothing: () => database.prepare("SELECT 1").all() };
  const times = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of Object.entries<(round: number) => Promise<unknown>>(all)) {
      const startedAt = performance.now();
      await call(round);
      times.set(name, [...(times.get(name) ?? []), performance.now() - startedAt]);
    }
  }
  const idle = median(times.get("nothing") ?? []);
  const busy = Object.keys(calls).map((name) => [name, Math.max(0, median(times.get(name) ?? []) - idle)]);
  return Object.fromEntries(busy) as Record<Name, number>;
}

async function sizeBytes(database: Database): Promise<number> {
  return (await database.prepare("SELECT 1").all()).meta.size_after;
}

async function fillDirectory(directory: Database): Promise<{ accountBytes: number; hash: string }> {
  const db = openDirectory({ DB: directory });
  const emptyBytes = await sizeBytes(directory);
  let hash = "";
  for (let n = 0; n < ACCOUNTS; n++) {
    const id = newId(Date.now());
    const { key } = await makeKey({ accountId: id, kind: "upload", name: "Upload key", scopes: [] }, NOW);
    const account = {
      id,
      email: `${id}@example.com`,
      name: "Somebody",
      tier: "free" as const,
      billingAnchorAt: null,
      emailVerifiedAt: null,
      verifyBy: null,
      operatorSince: null,
      passwordHash: `scrypt$32768$8$3$${"a".repeat(22)}$${"b".repeat(43)}`,
      autoCompress: false,
      compressionQuality: 65,
      shard: "00" as const,
      createdAt: NOW,
    };
    await insertAccount(db, account, key);
    hash = key.hash;
  }
  return { accountBytes: ((await sizeBytes(directory)) - emptyBytes) / ACCOUNTS, hash };
}
