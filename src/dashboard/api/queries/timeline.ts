import { queryOptions } from "@tanstack/react-query";
import { readTimeline } from "../later.ts";

/** How many files each month has, newest first. @param folderId a folder's id, `root` or `all` */
export function timelineQuery(status: "active" | "trash", folderId: string) {
  return queryOptions({
    queryKey: ["timeline", status, folderId],
    queryFn: ({ signal }) => readTimeline({ status, folderId, by: "month" }, signal),
    staleTime: 60_000,
  });
}
