import { findUploads } from "../../db/library/compare/list-rows.ts";
import { listMoved, removeMoved } from "../../db/library/compare/moved-uploads.ts";
import type { Shard } from "../../domain/shard.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding } from "./finding.ts";

const PAGE = 1000;

export interface MovedPage {
  readonly findings: readonly Finding[];
  /** The last id of a page that was full; null where the shard has no more. */
  readonly next: string | null;
}

/**
 * Compares what a shard keeps of an account's uploads that were made there and are elsewhere: each of them has to be there. An upload that is
 * being deleted goes from its row first: it is left alone, and so is one that the log holds to be stored.
 * @returns undefined where the library has moved meanwhile
 */
export async function compareMoved(
  { stores, books, repair }: Comparison,
  shard: Shard,
  after: string,
): Promise<MovedPage | undefined> {
  const { accountId, library, libraries } = stores;
  const home = stores.shard;
  const kept = libraries.open(shard);
  const ids = await listMoved(kept, accountId, after, PAGE);
  const next = ids.length === PAGE ? (ids.at(-1) ?? null) : null;
  const stateOf = (id: string) => JSON.stringify([books.ledger.log.judge(id), books.intents.find(`delete:${id}`)?.id]);
  const states = new Map(ids.map((id) => [id, stateOf(id)]));
  // A library that is in the shard again needs none of them.
  const there = shard === home ? [] : (await findUploads(library, accountId, ids)).map(({ id }) => id);
  const hasRow = new Set(there);
  const strays = ids.filter(
    (id) =>
      !hasRow.has(id) &&
      (shard === home || books.ledger.log.judge(id) !== "stored") &&
      books.intents.find(`delete:${id}`) === undefined &&
      states.get(id) === stateOf(id),
  );
  const isStill = new Set(strays.length === 0 ? [] : await listMoved(kept, accountId, after, PAGE));
  if (books.ledger.shard !== home || books.intents.listOf("move").length > 0) return undefined;
  const found = strays.filter((id) => isStill.has(id));
  if (repair && found.length > 0) await removeMoved(kept, accountId, found);
  return {
    findings: found.map((subject): Finding => ({ kind: "moved-stray", subject, detail: shard, repaired: repair })),
    next,
  };
}
