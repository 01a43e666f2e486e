import { findAccountByEmail } from "../../db/directory/accounts.ts";
import { listShards } from "../../db/directory/shards.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isShard } from "../../domain/shard.ts";
import type { MoveProgress, Refused } from "../../meter/answers.ts";
import type { Services } from "../context.ts";

/** Of an account that there is. */
type KnownProgress = Exclude<MoveProgress, Refused>;

/**
 * Moves an account's library to another shard, for a bounded time: called again it goes on, and the account's alarm goes on where
 * nobody calls. Meanwhile files and lists are there as before, and changes wait.
 * @throws ServiceError 404 for an unknown account or shard
 */
export async function moveAccount(services: Services, email: string, to: string): Promise<KnownProgress> {
  const { directory, libraries, meterOf } = services;
  const [account, shards] = await Promise.all([findAccountByEmail(directory, email), listShards(directory)]);
  if (account === undefined) throw ERRORS.AccountNotFound();
  if (!isShard(to) || !libraries.shards.includes(to) || !shards.some(({ shard }) => shard === to))
    throw ERRORS.ShardNotFound();
  const progress = await meterOf(account.id).moveLibrary(to);
  if (progress.outcome === "refused") throw ERRORS.AccountNotFound();
  return progress;
}
