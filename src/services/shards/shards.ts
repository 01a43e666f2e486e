import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { listShards as queryShards, type ShardEntry, setShardOpen } from "../../db/directory/shards.ts";
import { readShardFigures, type ShardFigures } from "../../db/library/shard-figures.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isShard } from "../../domain/ids.ts";
import type { Refused } from "../../meter/books/figures.ts";
import type { MoveProgress } from "../../meter/intents/outcomes.ts";
import type { Services } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";

type ListedShard = ShardEntry & { readonly figures: ShardFigures | undefined };

/** The shards and their figures, for the operator. A shard without a binding has no figures. */
export async function listShards(services: Services, query: PageQuery): Promise<Page<ListedShard>> {
  const { directory, libraries } = services;
  const entries = await queryShards(directory);
  const list = { name: "listShards" };
  const { rows, nextCursor } = await pageOfFew(services, query, { list, rows: entries, keyOf: ({ shard }) => shard });
  const shards = rows.map(async (entry) => {
    const isBound = libraries.shards.includes(entry.shard);
    return { ...entry, figures: isBound ? await readShardFigures(libraries.open(entry.shard)) : undefined };
  });
  return { rows: await Promise.all(shards), nextCursor };
}

/** Opens or closes a shard for new accounts. Its libraries stay, and continue to grow. @throws ServiceError 404 */
export async function openShard({ directory }: Services, shard: string, isOpen: boolean): Promise<void> {
  if (!isShard(shard) || !(await setShardOpen(directory, shard, isOpen))) throw ERRORS.ShardNotFound();
}

/** The progress for an existing account. */
type KnownProgress = Exclude<MoveProgress, Refused>;

/**
 * Moves an account's library to another shard for a limited time. Another call continues the move, and so does the account's alarm. During
 * the move files and lists stay available, and changes wait.
 * @throws ServiceError 404 for an unknown account or shard
 */
export async function moveAccount(services: Services, email: string, to: string): Promise<KnownProgress> {
  const { directory, libraries, meterOf } = services;
  const [account, shards] = await Promise.all([findAccountByEmail(directory, email), queryShards(directory)]);
  if (account === undefined) throw ERRORS.AccountNotFound();
  if (!isShard(to) || !libraries.shards.includes(to) || !shards.some(({ shard }) => shard === to))
    throw ERRORS.ShardNotFound();
  const progress = await meterOf(account.id).moveLibrary(to);
  if (progress.outcome === "refused") throw ERRORS.AccountNotFound();
  return progress;
}
