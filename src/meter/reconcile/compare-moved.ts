import { findUploads } from "../../db/library/compare/list-rows.ts";
import { listMoved, removeMoved } from "../../db/library/compare/moved-uploads.ts";
import type { Shard } from "../../domain/ids.ts";
import type { Comparison } from "./comparison.ts";
import type { Finding } from "./finding.ts";

const PAGE = 1000;

export interface MovedPage {
  readonly findings: readonly Finding[];
  /** The last id of a full page; null if the shard has no more. */
  readonly next: string | null;
}

/**
 * Compares a shard's records of uploads that were made there and have moved: each must exist elsewhere. Two kinds are ignored: uploads
 * being deleted, whose row is deleted first, and uploads that the log has as stored.
 * @returns undefined if the library has moved since
 */
export async function compareMoved(
  { stores, tables, repair }: Comparison,
  shard: Shard,
  after: string,
): Promise<MovedPage | undefined> {
  const { accountId, library, libraries } = stores;
  const home = stores.shard;
  const kept = libraries.open(shard);
  const ids = await listMoved(kept, accountId, after, PAGE);
  const next = ids.length === PAGE ? (ids.at(-1) ?? null) : null;
  const stateOf = (id: string) =>
    JSON.stringify([tables.ledger.log.judge(id), tables.intents.find(`delete:${id}`)?.id]);
  const states = new Map(ids.map((id) => [id, stateOf(id)]));
  // If the library is in this shard, no such record is needed.
  const there = shard === home ? [] : (await findUploads(library, accountId, ids)).map(({ id }) => id);
  const hasRow = new Set(there);
  const strays = ids.filter(
    (id) =>
      !hasRow.has(id) &&
      (shard === home || tables.ledger.log.judge(id) !== "stored") &&
      tables.intents.find(`delete:${id}`) === undefined &&
      states.get(id) === stateOf(id),
  );
  const isStill = new Set(strays.length === 0 ? [] : await listMoved(kept, accountId, after, PAGE));
  if (tables.ledger.shard !== home || tables.intents.listOf("move").length > 0) return undefined;
  const found = strays.filter((id) => isStill.has(id));
  if (repair && found.length > 0) await removeMoved(kept, accountId, found);
  return {
    findings: found.map((subject): Finding => ({ kind: "moved-stray", subject, detail: shard, repaired: repair })),
    next,
  };
}
