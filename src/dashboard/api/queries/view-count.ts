import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ImageQuery } from "../../../client/index.ts";
import { api } from "../client.ts";
import { mayPrefetch } from "../pacing.ts";
import { readUsage } from "../usage-store.ts";

const AFTER_MS = 1500;
const STALE_MS = 300_000;

/** How many files a view of the library has. It is asked for after what the page shows, and not while the rate is short. */
export function useViewCount(filter: Pick<ImageQuery, "favorite" | "from">): number | undefined {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(mayPrefetch(readUsage()?.rate, Date.now())), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return useQuery({
    queryKey: ["images", "count", filter],
    queryFn: async ({ signal }) => {
      const { pagination } = await api.imagePage({ ...filter, folderId: "all", limit: 1 }, { signal });
      return pagination.total;
    },
    enabled: isLater,
    staleTime: STALE_MS,
  }).data;
}
