import { useCallback, useMemo, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { type Filters, parseFilters, writeFilters } from "./filters.ts";
import { parseLibraryPath } from "./library-path.ts";
import { readSorting, type Sorting } from "./sorting.ts";
import { parseView, readUsualView, type ViewOptions, withView, writeUsualView } from "./view-options.ts";

const KEPT_VIEW = "library-view";

/** The library's address: filters, view options, and the open file. */
export function useAddress() {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const { status = "active", openId } = parseLibraryPath(path) ?? {};
  const [usual, setUsual] = useState(readKept);
  const filters = useMemo(() => parseFilters(search, status), [search, status]);
  const view = useMemo(() => parseView(search, usual), [search, usual]);
  const base = status === "trash" ? "/trash" : "/library";
  // Each choice counts, because the browser may forbid storage.
  const [chosenSorting, setChosenSorting] = useState<{ readonly place: string; readonly sorting: Sorting }>();
  const place = `${status} ${filters.folder}`;
  const sorting = useMemo(
    () => (chosenSorting?.place === place ? chosenSorting.sorting : readSorting(filters)),
    [chosenSorting, place, filters],
  );
  const cameFromGrid = useRef(false);
  const chosen = useRef<string>(undefined);

  const write = useCallback(
    (next: Filters, nextView: ViewOptions) => withView(writeFilters(next), nextView, usual),
    [usual],
  );
  const tail = write(filters, view);
  const hrefOf = useCallback((fileId: string) => `/dashboard${base}/${fileId}${tail}`, [base, tail]);

  // The object changes only with the address, so that memoised components do not render with every row that scrolls in.
  return useMemo(() => {
    const choose = (to: string, replace: boolean) => {
      navigate(to, { replace });
      chosen.current = location.href;
    };
    return {
      filters,
      view,
      sorting,
      openId,
      /** The key of the view's state, without the open file. */
      key: `${base}${writeFilters(filters)} ${sorting.by} ${sorting.order}`,
      hrefOf,
      /** @param isReplaced true for each further letter of a search */
      setFilters: (next: Filters, isReplaced = false) =>
        choose((next.status === "trash" ? "/trash" : "/library") + write(next, view), isReplaced),
      /** Whether this page set the current address; false after a link or "back". */
      isChosen: () => location.href === chosen.current,
      setView: (next: ViewOptions) => {
        localStorage.setItem(KEPT_VIEW, writeUsualView(next));
        setUsual(next);
        choose((openId === undefined ? base : `${base}/${openId}`) + writeFilters(filters), true);
      },
      setSorting: (next: Sorting) => setChosenSorting({ place, sorting: next }),
      open: (fileId: string) => {
        cameFromGrid.current = true;
        navigate(`${base}/${fileId}${tail}`);
      },
      step: (fileId: string) => navigate(`${base}/${fileId}${tail}`, { replace: true }),
      /** Goes back if the file was opened from the grid, so that "back" does not open it again. */
      close: () => {
        if (cameFromGrid.current) history.back();
        else navigate(base + tail, { replace: true });
        cameFromGrid.current = false;
      },
    };
  }, [filters, view, sorting, place, openId, base, tail, hrefOf, write, navigate]);
}

export type Address = ReturnType<typeof useAddress>;

function readKept(): ViewOptions {
  try {
    return readUsualView(localStorage.getItem(KEPT_VIEW));
  } catch {
    // The browser may forbid storage.
    return readUsualView(null);
  }
}
