import type { QueryClient } from "@tanstack/react-query";
import { readPositions } from "../../api/queries/images.ts";
import { toast } from "../../design/toast.tsx";
import type { Patch } from "../changes/patch.ts";
import type { Library } from "../use-library.ts";
import { subtract } from "./intervals.ts";
import { NOTHING } from "./selection.ts";
import type { ActionDialog, Actions } from "./use-actions.ts";

/** The most ids that the service excludes from a change of all files. */
const MOST_EXCEPTED = 1000;

interface Confirmed {
  readonly client: QueryClient;
  readonly library: Library;
  readonly actions: Actions;
  readonly dialog: ActionDialog;
}

/** Performs a dialog's action on its files, also if these are more than can be undone. */
export async function performConfirmed(confirmed: Confirmed, patch: Patch): Promise<void> {
  try {
    await (confirmed.dialog.items.length > 0
      ? confirmed.actions.perform(confirmed.dialog.items, patch)
      : performOnMany(confirmed, patch));
  } catch (error) {
    toast({ tone: "danger", title: "The files could not be changed", description: (error as Error).message });
  }
}

async function performOnMany({ client, library, actions, dialog }: Confirmed, patch: Patch): Promise<void> {
  const { pages, selection, total = 0, changes } = library;
  const others = subtract([{ start: 0, end: total }], selection.intervals);
  if (others.reduce((sum, { start, end }) => sum + end - start, 0) > MOST_EXCEPTED)
    return actions.perform(await actions.collect(), patch);
  const except: string[] = [];
  for await (const { _id } of readPositions(client, pages.filter, others)) except.push(_id);
  library.select(NOTHING);
  return changes.performAll(dialog.count, except, patch, actions.onStep);
}
