import { queryOptions } from "@tanstack/react-query";
import { api } from "../client.ts";

/** How many files each month has, newest first. @param folderId a folder's id, `root` or `all` */
export function timelineQuery(status: "active" | "trash", folderId: string) {
  return queryOptions({
    queryKey: ["timeline", status, folderId],
    queryFn: ({ signal }) => api.timeline({ status, folderId, by: "month" }, { signal }),
    staleTime: 60_000,
  });
}
