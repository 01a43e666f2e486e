import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { sleep } from "../api/sleep.ts";
import type { FileFacts } from "./file-facts.ts";

/** Its signed address is good for an hour. */
const STALE_MS = 45 * 60_000;
/** A file that is only passed, as with a held key, is not asked for: thirty a second would use a minute's requests up in two. */
const REST_MS = 250;

let passedAt = Number.NEGATIVE_INFINITY;

/** One file. @param known what is shown until the service has answered */
export function useFile(id: string, known: FileFacts | undefined) {
  return useQuery({
    queryKey: ["image", id],
    queryFn: async ({ signal }): Promise<FileFacts> => {
      const isPassing = Date.now() - passedAt < REST_MS;
      passedAt = Date.now();
      if (isPassing) await sleep(REST_MS, signal);
      return api.image(id, { signal });
    },
    placeholderData: known?._id === id ? known : undefined,
    staleTime: STALE_MS,
  });
}
