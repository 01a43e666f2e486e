import { setShardOpen } from "../../db/directory/shards.ts";
import { ERRORS } from "../../domain/errors.ts";
import { isShard } from "../../domain/shard.ts";
import type { Services } from "../context.ts";

/** Opens or closes a shard for new accounts. Its libraries stay, and continue to grow. @throws ServiceError 404 */
export async function openShard({ directory }: Services, shard: string, isOpen: boolean): Promise<void> {
  if (!isShard(shard) || !(await setShardOpen(directory, shard, isOpen))) throw ERRORS.ShardNotFound();
}
