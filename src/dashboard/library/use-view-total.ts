import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useState } from "react";
import { isOwnChange } from "./change-queue.ts";

export interface ViewTotal {
  /** Undefined before the first answer. */
  readonly total: number | undefined;
  readonly take: (total: number) => void;
}

/**
 * The number of files that the geometry of a view stands on.
 * @param known what was answered before the library was built
 */
export function useViewTotal(view: string, known: number | undefined): ViewTotal {
  const [taken, setTaken] = useState(known === undefined ? undefined : { view, total: known });
  return { total: taken?.view === view ? taken.total : undefined, take: (total) => setTaken({ view, total }) };
}

/**
 * Takes in what the newest answer says. Files that come from elsewhere are shown at the top; whoever has scrolled away keeps the place.
 * @returns how many new files there are, to be told of, and what shows them
 */
export function useNewFiles({ total, take }: ViewTotal, latest: number | undefined, isAtTop: boolean) {
  const client = useQueryClient();
  const isOther = latest !== undefined && latest !== total;
  const isTaken = isOther && (total === undefined || isAtTop || latest < total || isOwnChange());

  useLayoutEffect(() => {
    if (!isTaken) return;
    take(latest);
    // The pages in memory are those of another time, unless this tab changed them itself.
    if (total !== undefined && !isOwnChange()) void client.invalidateQueries({ queryKey: ["images"], type: "active" });
  });

  const show = () => {
    if (latest !== undefined) take(latest);
    void client.invalidateQueries({ queryKey: ["images"] });
  };
  return { newFiles: isOther && !isTaken ? latest - (total ?? 0) : 0, show };
}
