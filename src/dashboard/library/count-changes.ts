import type { QueryClient } from "@tanstack/react-query";
import type { Folder } from "../../client/index.ts";
import { overviewQuery } from "../api/queries/overview.ts";
import type { Item, Patch } from "./change.ts";

/** The counts of the sidebar follow a change at once: folders, favourites, and what is in the trash. */
export function countChanges(client: QueryClient, items: readonly Item[], patch: Patch): void {
  const folders = new Map<string | null, number>();
  let favourites = 0;
  let trashed = 0;
  let deleted = 0;
  const add = (folder: string | null, by: number) => folders.set(folder, (folders.get(folder) ?? 0) + by);
  for (const { folderId, status, favorite } of items) {
    const next = patch.status ?? status;
    const isFavourite = next === "active" && (patch.favorite ?? favorite);
    favourites += Number(isFavourite) - Number(status === "active" && favorite);
    if (status === "active") add(folderId, -1);
    if (next === "active") add(patch.folderId === undefined ? folderId : patch.folderId, 1);
    trashed += Number(next === "trash") - Number(status === "trash");
    deleted += Number(next === "deleted");
  }
  client.setQueryData<Folder[]>(["folders"], (known) =>
    known?.map((folder) => ({ ...folder, itemCount: Math.max(0, folder.itemCount + (folders.get(folder._id) ?? 0)) })),
  );
  client.setQueryData<number>(["images", "count", { favorite: true }], (known) => known && known + favourites);
  client.setQueryData(overviewQuery.queryKey, (known) => {
    if (known === undefined) return known;
    const { files } = known;
    return {
      ...known,
      files: { ...files, total: files.total - deleted, trashed: Math.max(0, files.trashed + trashed) },
    };
  });
}

/** What the service counts itself is asked for again where it is shown. */
export function refreshCounts(client: QueryClient, patch: Patch): void {
  const stale = [
    ...(patch.status !== undefined || patch.folderId !== undefined ? ["timeline"] : []),
    ...(patch.addTags || patch.removeTags ? ["tags"] : []),
  ];
  for (const key of stale) void client.invalidateQueries({ queryKey: [key] });
  for (const key of ["folders", "overview"]) void client.invalidateQueries({ queryKey: [key], refetchType: "none" });
}

/** So much has changed that everything is asked for again. @returns when what is shown has been answered, or could not be */
export async function refreshAll(client: QueryClient): Promise<void> {
  const keys = ["images", "folders", "overview", "timeline", "tags"];
  await Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));
}
