import { listShards as queryShards, type ShardEntry } from "../../db/directory/shards.ts";
import { readShardFigures, type ShardFigures } from "../../db/library/shard-figures.ts";
import type { Services } from "../context.ts";

/** Every shard and its figures, for the operator. A shard without a binding has no figures. */
export async function listShards({
  directory,
  libraries,
}: Services): Promise<(ShardEntry & { readonly figures: ShardFigures | undefined })[]> {
  const entries = await queryShards(directory);
  return Promise.all(
    entries.map(async (entry) => {
      const isBound = libraries.shards.includes(entry.shard);
      return { ...entry, figures: isBound ? await readShardFigures(libraries.open(entry.shard)) : undefined };
    }),
  );
}
