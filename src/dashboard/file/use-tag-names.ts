import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";

const MOST = 12;

/** The account's most used tags that hold a text. Services that do not count tags yet name none. */
export function useTagNames(text: string): readonly string[] {
  const service = api as { tags?: (query: object, options: object) => Promise<readonly { readonly tag: string }[]> };
  const q = text.trim();
  const { data } = useQuery({
    queryKey: ["tags", q, MOST],
    queryFn: async ({ signal }) =>
      (await service.tags?.({ q: q === "" ? undefined : q, limit: MOST }, { signal })) ?? [],
    enabled: service.tags !== undefined && q !== "",
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return data?.map(({ tag }) => tag) ?? [];
}
