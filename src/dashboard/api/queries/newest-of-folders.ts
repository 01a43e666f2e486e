import { queryOptions } from "@tanstack/react-query";
import { api } from "../client.ts";

/** The most folders of one request (FOLD-6). */
export const MOST_FOLDERS = 25;

export const NEWEST_OF_FOLDERS = "newest-of-folders";

/** The newest files of each folder, for its tile. @param ids at most `MOST_FOLDERS` */
export function newestOfFolders(ids: readonly string[]) {
  return queryOptions({
    queryKey: [NEWEST_OF_FOLDERS, ids],
    queryFn: async ({ signal }) => (await api.folders.newest(ids, { signal })).folders,
    staleTime: 60_000,
  });
}
