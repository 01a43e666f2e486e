import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { MediaHostError } from "../../../client/media-host-error.ts";
import type { ListedSession } from "../../../client/types.ts";
import { connection } from "../client.ts";

const KEY = ["sessions"];

/** The account's open sessions, newest first. Another tab or device may end one at any time. */
export function useSessions() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await connection.call<{ sessions: ListedSession[] }>("GET", "/sessions", { signal })).sessions,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
}

/** Ends sessions one after the other; each leaves the list at once. A session that has ended already is no error. */
export function useEndSessions() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const id of ids) {
        await connection.call("DELETE", `/sessions/${encodeURIComponent(id)}`).catch((error) => {
          if (!(error instanceof MediaHostError && error.statusCode === 404)) throw error;
        });
        queries.setQueryData<ListedSession[]>(KEY, (sessions) => sessions?.filter(({ _id }) => _id !== id));
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
