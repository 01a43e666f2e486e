import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { listTags } from "../later.ts";

/** The most used tags. @param q a part of them */
export function tagsQuery(q = "", limit = 50) {
  return queryOptions({
    queryKey: ["tags", q, limit],
    queryFn: ({ signal }) => listTags({ q: q === "" ? undefined : q, limit }, signal),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}
