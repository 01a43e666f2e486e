import { listKeys as queryKeys } from "../../db/directory/keys.ts";
import type { Key } from "../../db/directory/schema.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, readPage } from "../paging.ts";

export interface ListedKey {
  readonly key: Key;
  /** Exact to the minute; null if the key was never used. */
  readonly lastUsedAt: number | null;
}

/** The account's valid keys, newest first. */
export async function listKeys(account: AccountContext, query: PageQuery): Promise<Page<ListedKey>> {
  const { directory, accountId, meter } = account;
  const keys = readPage(account, query, {
    list: { name: "listKeys", accountId },
    read: (after: [id: string] | undefined, limit) => queryKeys(directory, accountId, { before: after?.[0], limit }),
    positionOf: ({ id }) => [id],
  });
  const [{ rows, nextCursor }, uses] = await Promise.all([keys, meter.keyUses()]);
  return { rows: rows.map((key) => ({ key, lastUsedAt: uses[key.id] ?? null })), nextCursor };
}
