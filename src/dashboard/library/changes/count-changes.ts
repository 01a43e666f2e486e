import type { QueryClient } from "@tanstack/react-query";
import type { Folder } from "../../../client/index.ts";
import { DUPLICATES } from "../../api/queries/duplicates.ts";
import { FILE_HISTORY } from "../../api/queries/file-history.ts";
import { forgetLeaps } from "../../api/queries/image-slots.ts";
import { NEWEST_OF_FOLDERS } from "../../api/queries/newest-of-folders.ts";
import { overviewQuery } from "../../api/queries/overview.ts";
import { type CountedView, VIEW_COUNTS } from "../../api/queries/view-count.ts";
import { type Item, type Patch, patched } from "./patch.ts";
import { refetch } from "./refetch.ts";

/** Updates the sidebar's counts at once: folders, favourites, the last days, and the trash. */
export function countChanges(client: QueryClient, items: readonly Item[], patch: Patch): void {
  const folders = new Map<string | null, number>();
  let trashed = 0;
  let deleted = 0;
  const add = (folder: string | null, by: number) => folders.set(folder, (folders.get(folder) ?? 0) + by);
  for (const { folderId, status } of items) {
    const next = patch.status ?? status;
    if (status === "active") add(folderId, -1);
    if (next === "active") add(patch.folderId === undefined ? folderId : patch.folderId, 1);
    trashed += Number(next === "trash") - Number(status === "trash");
    deleted += Number(next === "deleted");
  }
  client.setQueryData<Folder[]>(["folders"], (known) =>
    known?.map((folder) => ({ ...folder, itemCount: Math.max(0, folder.itemCount + (folders.get(folder._id) ?? 0)) })),
  );
  for (const [key, known] of client.getQueriesData<number>({ queryKey: VIEW_COUNTS })) {
    const isIn = (item: Item | undefined) => isCounted(item, key.at(-1) as CountedView);
    const by = items.reduce((sum, item) => sum + Number(isIn(patched(item, patch))) - Number(isIn(item)), 0);
    if (known !== undefined) client.setQueryData<number>(key, Math.max(0, known + by));
  }
  client.setQueryData(overviewQuery.queryKey, (known) => {
    if (known === undefined) return known;
    const { files } = known;
    return {
      ...known,
      files: { ...files, total: files.total - deleted, trashed: Math.max(0, files.trashed + trashed) },
    };
  });
}

function isCounted(item: Item | undefined, { favorite, from }: CountedView): boolean {
  return (
    item?.status === "active" &&
    (favorite === undefined || item.favorite === favorite) &&
    (from === undefined || item.createdAt >= from)
  );
}

/** Fetches the sidebar's counts again, because the service did only a part of a change. */
export function recount(client: QueryClient): void {
  for (const queryKey of [["folders"], overviewQuery.queryKey, VIEW_COUNTS]) {
    void client.invalidateQueries({ queryKey });
  }
}

/** Refetches the shown counts that only the service knows, and marks the others as stale. */
export function refreshCounts(client: QueryClient, patch: Patch): void {
  const stale = [
    DUPLICATES,
    FILE_HISTORY,
    ...(patch.status !== undefined || patch.folderId !== undefined ? ["timeline", NEWEST_OF_FOLDERS] : []),
    ...(patch.addTags || patch.removeTags ? ["tags"] : []),
  ];
  for (const key of stale) void client.invalidateQueries({ queryKey: [key] });
  for (const key of ["folders", "overview"]) void client.invalidateQueries({ queryKey: [key], refetchType: "none" });
  // A change that comes before a view's first count cancels the request for that count.
  void client.invalidateQueries({ queryKey: VIEW_COUNTS, predicate: ({ state }) => state.data === undefined });
}

/** Fetches everything again after a large change. @returns when the shown queries have succeeded or failed */
export async function refreshAll(client: QueryClient): Promise<void> {
  const keys = [
    "images",
    "image",
    "folders",
    "overview",
    "timeline",
    "tags",
    NEWEST_OF_FOLDERS,
    DUPLICATES,
    FILE_HISTORY,
  ];
  forgetLeaps(client);
  await Promise.all(keys.map((key) => refetch(client, [key])));
}
