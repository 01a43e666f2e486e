import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { foldersQuery } from "../api/queries/folders.ts";
import { forgetLeaps } from "../api/queries/image-slots.ts";
import { imagesPage } from "../api/queries/images.ts";
import { isOwnChange } from "./changes/change-queue.ts";
import type { Item } from "./changes/patch.ts";
import { useChanges } from "./changes/use-changes.ts";
import { layOut, positionsIn, rowTop } from "./grid/geometry.ts";
import { useGridWindow } from "./grid/use-grid-window.ts";
import { afterRemoval, NOTHING, type Selection, within } from "./selection/selection.ts";
import { toImageQuery } from "./view/filters.ts";
import { withSorting } from "./view/sorting.ts";
import { useAddress } from "./view/use-address.ts";
import { usePages } from "./view/use-pages.ts";

export type Library = ReturnType<typeof useLibrary>;

/** The state of the library page for all its parts: files, scroll position, selection and focus. */
export function useLibrary() {
  const address = useAddress();
  const { filters, view, sorting, key } = address;
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const place = usePlace(body, scroller, view.mode);
  const isPhone = useMedia("(max-width: 719px)");
  const isRulerOver = useMedia("(max-width: 719px), (pointer: coarse)");
  const filter = useMemo(() => withSorting(toImageQuery(filters), sorting), [filters, sorting]);
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
    filter,
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
    address,
    filters,
    view,
    body,
    scroller,
    geometry,
    grid,
    shown,
    pages,
    changes,
    folders,
    folderName,
    isPhone,
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
    /** Focuses a file and scrolls to it. */
    goTo: (position: number) => {
      choose({ focus: position });
      grid.reveal(Math.floor(position / geometry.columns));
    },
    /** Scrolls a file to the top, as the ruler does. */
    showFrom: (position: number) => {
      grid.showAt(position === 0 ? 0 : rowTop(geometry, Math.floor(position / geometry.columns)) - geometry.gap);
    },
    open: (item: Item | undefined) => {
      if (item !== undefined) address.open(item._id);
    },
  };
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}

/**
 * Measures the grid's area in CSS pixels: the body's width and the scroller's height; zero before the first measurement.
 * @param mode a new mode is measured again
 */
function usePlace(body: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>, mode: string) {
  const [place, setPlace] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    const outer = body.current;
    if (element === null || outer === null) return;
    const measure = () => {
      const style = getComputedStyle(element);
      const width = outer.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const height = element.clientHeight;
      setPlace((old) => (old.width === width && old.height === height ? old : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    observer.observe(outer);
    return () => observer.disconnect();
  }, [body, scroller, mode]);
  return place;
}

interface ViewTotal {
  /** Undefined before the first answer. */
  readonly total: number | undefined;
  readonly take: (total: number) => void;
}

/**
 * The number of files that the view's layout uses.
 * @param known the number if it was fetched before the library was built
 */
function useViewTotal(view: string, known: number | undefined): ViewTotal {
  const [taken, setTaken] = useState(known === undefined ? undefined : { view, total: known });
  return { total: taken?.view === view ? taken.total : undefined, take: (total) => setTaken({ view, total }) };
}

/**
 * Applies the newest number of files. Files from elsewhere appear at once if the view is at its top; otherwise the view keeps its place.
 * @returns the number of new files that are not shown, and a function that shows them
 */
function useNewFiles({ total, take }: ViewTotal, latest: number | undefined, isAtTop: boolean) {
  const client = useQueryClient();
  const isOther = latest !== undefined && latest !== total;
  const isTaken = isOther && (total === undefined || isAtTop || latest < total || isOwnChange());

  useLayoutEffect(() => {
    if (!isTaken) return;
    take(latest);
    // The pages in memory are out of date, unless this tab made the change.
    if (total === undefined || isOwnChange()) return;
    forgetLeaps(client);
    void client.invalidateQueries({ queryKey: ["images"], type: "active" });
  });

  const show = () => {
    if (latest !== undefined) take(latest);
    forgetLeaps(client);
    void client.invalidateQueries({ queryKey: ["images"] });
  };
  return { newFiles: isOther && !isTaken ? latest - (total ?? 0) : 0, show };
}
