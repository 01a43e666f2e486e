import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import type { FileFacts } from "./file-facts.ts";

/** Its signed address is good for an hour. */
const STALE_MS = 45 * 60_000;

/** One file. @param known what is shown until the service has answered */
export function useFile(id: string, known: FileFacts | undefined) {
  return useQuery({
    queryKey: ["image", id],
    queryFn: ({ signal }): Promise<FileFacts> => api.image(id, { signal }),
    placeholderData: known?._id === id ? known : undefined,
    staleTime: STALE_MS,
  });
}
