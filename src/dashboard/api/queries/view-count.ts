import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ImageQuery } from "../../../client/index.ts";
import { api } from "../client.ts";
import { mayPrefetch } from "../pacing.ts";
import { readUsage } from "../usage-store.ts";

/** The start of the query key of each count; the filter follows it. */
export const VIEW_COUNTS = ["images", "count"] as const;
/** A filter of the active files in all folders. */
export type CountedView = Pick<ImageQuery, "favorite" | "from">;

const AFTER_MS = 1500;
const STALE_MS = 300_000;

/** The number of files that match. It is loaded after the page's own data, and only if enough of the rate is left. */
export function useViewCount(filter: CountedView): number | undefined {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(mayPrefetch(readUsage()?.rate, Date.now())), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return useQuery({
    queryKey: [...VIEW_COUNTS, filter],
    queryFn: async ({ signal }) => {
      const { pagination } = await api.imagePage({ ...filter, folderId: "all", limit: 1 }, { signal });
      return pagination.total;
    },
    enabled: isLater,
    staleTime: STALE_MS,
  }).data;
}
