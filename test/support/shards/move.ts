import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { Shard } from "../../../src/domain/ids.ts";
import { bearer, call, newAddress, type TestAccount } from "../api/api.ts";
import { libraries, shardOf } from "../api/databases.ts";
import { listFolders, listPage, type MediaObject, type Query } from "../library/api.ts";
import { readStats } from "../library/stats.ts";

/** Moves of an account's library, as the operator's program requests them. */

export interface MoveAnswer {
  readonly outcome: "moved" | "moving" | "busy" | "unchanged";
  readonly uploads?: number;
}

/** One call, from a new address. */
export function requestMove(email: string, shard: string): Promise<Response> {
  return call(`/admin/accounts/${email}/move`, {
    method: "POST",
    headers: { ...bearer(env.ADMIN_TOKEN), "Content-Type": "application/json", "CF-Connecting-IP": newAddress() },
    body: JSON.stringify({ shard }),
  });
}

/** Repeats the call until the move has ended, with any result. */
export async function move(email: string, shard: string): Promise<MoveAnswer> {
  for (;;) {
    const response = await requestMove(email, shard);
    expect(response.status, await response.clone().text()).toBe(200);
    const answer = await response.json<MoveAnswer>();
    if (answer.outcome !== "moving") return answer;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A shard without the account's library. */
export async function otherShard(accountId: string): Promise<Shard> {
  const shard = await shardOf(accountId);
  const other = libraries.shards.find((one) => one !== shard);
  if (other === undefined) throw new Error("There is only one shard");
  return other;
}

const QUERIES: readonly Query[] = [
  { folderId: "all", status: "all" },
  { status: "trash" },
  { tags: "sea", folderId: "all" },
  { favorite: true, folderId: "all" },
  { q: "beach", status: "all" },
  { q: "jpg", status: "all" },
  { mimePrefix: "video/", folderId: "all" },
  { from: "2020-01-01", folderId: "all" },
];

/** All facts of an account's library that its owner sees. */
export async function seenOf({ token }: TestAccount) {
  const lists: [Query, readonly MediaObject[], number][] = [];
  for (const query of QUERIES) {
    const { images, pagination } = await listPage(token, { ...query, limit: 100 });
    lists.push([query, images, pagination.total]);
  }
  const { files, folders, storage } = await readStats(token);
  return { lists, files, counted: folders, used: storage.used, folders: await listFolders(token) };
}

/** The number of a library's rows in each shard, by table; empty tables are left out. */
export async function rowsOf(accountId: string): Promise<Record<string, Record<string, number>>> {
  const tables = ["uploads", "folders", "upload_tags", "folder_tags", "upload_counts"];
  const counted = await Promise.all(
    libraries.shards.map(async (shard) => {
      const database = libraries.bindingOf(shard);
      const counts = await Promise.all(
        tables.map(async (table) => {
          const statement = database.prepare(`SELECT count(*) AS n FROM ${table} WHERE account_id = ?`).bind(accountId);
          return [table, (await statement.first<number>("n")) ?? 0] as const;
        }),
      );
      return [shard, Object.fromEntries(counts.filter(([, count]) => count > 0))] as const;
    }),
  );
  return Object.fromEntries(counted);
}
