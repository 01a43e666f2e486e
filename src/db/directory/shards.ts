import { eq } from "drizzle-orm";
import { isShard, type Shard } from "../../domain/ids.ts";
import type { Directory } from "./directory.ts";
import { shards } from "./schema.ts";

export interface ShardEntry {
  readonly shard: Shard;
  /** Whether libraries of new accounts go here. */
  readonly isOpen: boolean;
}

/** Every shard that was ever prepared, in order. */
export async function listShards(db: Directory): Promise<ShardEntry[]> {
  const rows = await db.select().from(shards).orderBy(shards.id).all();
  return rows.flatMap(({ id, isOpen }) => (isShard(id) ? [{ shard: id, isOpen }] : []));
}

/** Adds shards as open. Known shards do not change. */
export async function addShards(db: Directory, added: readonly Shard[], createdAt: number): Promise<void> {
  if (added.length === 0) return;
  const rows = added.map((id) => ({ id, isOpen: true, createdAt }));
  await db.idempotent(() => db.insert(shards).values(rows).onConflictDoNothing().run());
}

/** @returns false if the shard is unknown */
export async function setShardOpen(db: Directory, shard: Shard, isOpen: boolean): Promise<boolean> {
  const changed = await db.idempotent(() =>
    db.update(shards).set({ isOpen }).where(eq(shards.id, shard)).returning({ id: shards.id }).all(),
  );
  return changed.length > 0;
}
