import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client.ts";
import { sleep } from "../sleep.ts";

/** A query is sent after this pause in typing. */
const TYPING_MS = 200;

/** The most used tags. @param q a part of their names */
export function tagsQuery(q = "", limit = 50) {
  return queryOptions({
    queryKey: ["tags", q, limit],
    queryFn: async ({ signal }) => {
      if (q !== "") await sleep(TYPING_MS, signal);
      return api.tags({ q: q === "" ? undefined : q, limit }, { signal });
    },
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}
