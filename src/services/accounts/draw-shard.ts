import { listShards } from "../../db/directory/shards.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { Shard } from "../../domain/ids.ts";
import { toLogLine } from "../../domain/log-line.ts";
import type { Services } from "../context.ts";

const RETRY_AFTER_SECONDS = 60;

/**
 * Draws one of the open shards at random for a new account's library.
 * @throws ServiceError 503 if no shard is open
 */
export async function drawShard({ directory, libraries }: Pick<Services, "directory" | "libraries">): Promise<Shard> {
  const known = await listShards(directory);
  const open = known.filter(({ shard, isOpen }) => isOpen && libraries.shards.includes(shard));
  const drawn = open[Math.floor(Math.random() * open.length)];
  if (drawn !== undefined) return drawn.shard;
  console.error(toLogLine("shards.none-open", { see: "npm run admin -- shards" }));
  throw ERRORS.Unavailable(RETRY_AFTER_SECONDS);
}
