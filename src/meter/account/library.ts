import type { Shard } from "../../domain/ids.ts";
import { MOVE_ID } from "../intents/intent-table.ts";
import type { MoveProgress } from "../intents/outcomes.ts";
import type { MeterContext } from "./context.ts";

/** The shard of the account's library; undefined if the account no longer exists. */
export async function locateLibrary({ tables, load }: MeterContext): Promise<Shard | undefined> {
  return (await load()) && !tables.erasing ? tables.ledger.shard : undefined;
}

/** Moves the library to another shard for a bounded time. The alarm continues if no further call does. */
export async function moveLibrary({ tables, runner, move, load }: MeterContext, to: Shard): Promise<MoveProgress> {
  if (!(await load()) || tables.erasing) return { outcome: "refused" };
  const known = move.begin(to);
  if (known !== undefined) return known;
  await runner.goOn(MOVE_ID);
  return move.progress(to);
}
