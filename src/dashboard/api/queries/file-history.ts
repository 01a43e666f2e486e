import { useQuery } from "@tanstack/react-query";
import { api } from "../client.ts";

export const FILE_HISTORY = "file-history";

/** The changes of a file, newest first. They are fetched whenever they are shown again, because other tabs and keys change files, too. */
export function useFileHistory(id: string) {
  return useQuery({
    queryKey: [FILE_HISTORY, id],
    queryFn: ({ signal }) => api.history(id, { signal }),
    staleTime: 0,
  });
}
