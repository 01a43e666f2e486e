import type { Share } from "../../client/types.ts";
import { folderPaths } from "../api/folder-path.ts";
import { formatDate, formatPlural } from "../design/format.ts";

/** The title of a share's page. */
export function titleOf({ title }: Pick<Share, "title">): string {
  return title ?? "Shared files";
}

type Named = Parameters<typeof folderPaths>[0];

/** The files of a share: "Folder Holidays / 2026", "3 files". @param folders undefined while they are loaded */
export function filesInWords({ ids, filter, folderId }: Share, folders: Named | undefined): string {
  if (ids !== undefined) return formatPlural(ids.length, "file");
  if (filter !== undefined) return "The files that match a filter";
  if (folderId === null || folderId === undefined) return "Files in Root";
  const path = folderPaths(folders ?? [])(folderId).join(" / ");
  if (path !== "") return `Folder ${path}`;
  return folders === undefined ? "A folder" : "A folder that was deleted";
}

/** The rules of a share's page, such as "Password" and "Guests may upload". */
export function termsInWords({ hasPassword, allowDownload, allowUpload, expiresAt }: Share, now: number): string[] {
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= now;
  return [
    ...(hasPassword ? ["Password"] : []),
    ...(allowDownload ? [] : ["No downloads"]),
    ...(allowUpload === false ? [] : ["Guests may upload"]),
    ...(expiresAt === null || isOver ? [] : [`Ends on ${formatDate(expiresAt, "time")}`]),
  ];
}

/** The visits of a share's page: "Opened 3 times". */
export function visitsInWords({ views }: Pick<Share, "views">): string {
  if (views === 0) return "Not opened yet";
  return views === 1 ? "Opened once" : `Opened ${formatPlural(views, "time")}`;
}
