import type { QueryClient } from "@tanstack/react-query";
import { imagesPage } from "../api/queries/images.ts";
import { timelineQuery } from "../api/queries/timeline.ts";
import { isNarrowed, parseFilters, toImageQuery } from "./filters.ts";
import { parseLibraryPath } from "./library-path.ts";

/**
 * Asks for what the library at an address shows first, before it is built: the answers are on their way meanwhile.
 * @param path without the dashboard's own part; for another page's nothing is asked
 */
export function loadView(client: QueryClient, path: string, search: string): void {
  const shown = parseLibraryPath(path);
  if (shown === undefined) return;
  const filters = parseFilters(search, shown.status);
  // What fails is asked for again by what shows it, which says so.
  void client.prefetchQuery(imagesPage(toImageQuery(filters), 0));
  if (!isNarrowed(filters)) void client.prefetchQuery(timelineQuery(filters.status, filters.folder));
}
