import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../client.ts";

/** The most used tags. @param q a part of them */
export function tagsQuery(q = "", limit = 50) {
  return queryOptions({
    queryKey: ["tags", q, limit],
    queryFn: ({ signal }) => api.tags({ q: q === "" ? undefined : q, limit }, { signal }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}
