import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { foldersQuery } from "../api/queries/folders.ts";
import { imagesPage } from "../api/queries/images.ts";
import type { Item } from "./change.ts";
import { toImageQuery } from "./filters.ts";
import { layOut, positionsIn, rowTop } from "./geometry.ts";
import { afterRemoval, NOTHING, type Selection, within } from "./selection.ts";
import { useAddress } from "./use-address.ts";
import { useChanges } from "./use-changes.ts";
import { useGridWindow } from "./use-grid-window.ts";
import { useMedia } from "./use-media.ts";
import { usePages } from "./use-pages.ts";
import { usePlace } from "./use-place.ts";
import { useNewFiles, useViewTotal } from "./use-view-total.ts";

export type Library = ReturnType<typeof useLibrary>;

/** What the library shows, where it is scrolled to, what is selected and focused: one object for its parts. */
export function useLibrary() {
  const address = useAddress();
  const { filters, view, key } = address;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const place = usePlace(body, scroller, view.mode);
  const isPhone = useMedia("(max-width: 719px)");
  const isRulerOver = useMedia("(max-width: 719px), (pointer: coarse)");
  const filter = useMemo(() => toImageQuery(filters), [filters]);
  const totals = useViewTotal(key, useQueryClient().getQueryData(imagesPage(filter, 0).queryKey)?.total);
  const total = totals.total ?? 0;
  const { width, height } = place;
  const geometry = useMemo(
    () => layOut({ width, height, mode: view.mode, tile: view.tile, isPhone, isRulerOver, total: totals.total }),
    [width, height, view.mode, view.tile, isPhone, isRulerOver, totals.total],
  );
  const { grid, shown } = useGridWindow(scroller, geometry, key);
  const seen = positionsIn(geometry, grid.scroll.contentTop);
  const pages = usePages(filter, totals.total, { ...seen, direction: shown.direction, isFast: shown.isFast });
  const fresh = useNewFiles(totals, pages.total, shown.isAtTop);

  const [chosen, setChosen] = useState<{
    readonly key: string;
    readonly selection: Selection;
    readonly focus: number;
  }>();
  const isCurrent = chosen?.key === key;
  const selection = isCurrent ? within(chosen.selection, total) : NOTHING;
  const focus = isCurrent ? Math.min(chosen.focus, Math.max(0, total - 1)) : 0;
  const now = useRef({ selection, focus, key });
  now.current = { selection, focus, key };
  const choose = useCallback((next: Partial<{ selection: Selection; focus: number }>) => {
    now.current = { ...now.current, ...next };
    setChosen(now.current);
  }, []);
  const select = useCallback((next: Selection) => choose({ selection: next }), [choose]);

  const folders = useQuery(foldersQuery).data;
  const folderName = useCallback(
    (folderId: string | null) =>
      folders?.find(({ _id }) => _id === folderId)?.name ?? (folderId === null ? "Root" : ""),
    [folders],
  );
  const changes = useChanges({
    filters,
    folderName,
    onRemoved: (removed) => {
      const { selection: before, focus: focused } = now.current;
      choose({
        selection: afterRemoval(before, removed),
        focus: focused - removed.filter((position) => position < focused).length,
      });
    },
  });

  return {
    ...{ address, filters, view, body, scroller, geometry, grid, shown, pages, changes, folders, folderName, isPhone },
    total: totals.total,
    newFiles: fresh.newFiles,
    showNewFiles: () => {
      fresh.show();
      grid.showAt(0);
    },
    selection,
    select,
    focus,
    setFocus: useCallback((position: number) => choose({ focus: position }), [choose]),
    /** Focuses a file and shows it. */
    goTo: (position: number) => {
      choose({ focus: position });
      grid.reveal(Math.floor(position / geometry.columns));
    },
    /** Shows a file at the top, as the ruler does. */
    showFrom: (position: number) => {
      grid.showAt(position === 0 ? 0 : rowTop(geometry, Math.floor(position / geometry.columns)) - geometry.gap);
    },
    open: (item: Item | undefined) => {
      if (item !== undefined) address.open(item._id);
    },
  };
}
