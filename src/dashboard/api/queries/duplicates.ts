import { useInfiniteQuery } from "@tanstack/react-query";
import type { MediaObject } from "../../../client/index.ts";
import { api } from "../client.ts";

export const DUPLICATES = "duplicates";

/** The most files of a page of a listing. */
const PAGE_ITEMS = 100;

/** Groups of files with the same bytes, in pages. A page may be empty and not be the last. */
export function useDuplicates() {
  return useInfiniteQuery({
    queryKey: [DUPLICATES],
    queryFn: ({ signal, pageParam: cursor }) => api.duplicatePage({ cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });
}

/** The active files that have these stored bytes now. @throws MediaHostError */
export async function listSame(sha256: string): Promise<MediaObject[]> {
  const found: MediaObject[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.imagePage({ sha256, folderId: "all", limit: PAGE_ITEMS, cursor });
    // The filter also finds files that were uploaded with these bytes and are stored with others.
    found.push(...page.images.filter((image) => image.sha256 === sha256));
    cursor = page.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}
