import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { timelineQuery } from "../api/queries/images.ts";
import { formatPlural } from "../design/format.ts";
import { lazyPart, sparePart } from "../design/lazy-part.tsx";
import { LOADING } from "../design/loading.tsx";
import { FilterBar } from "./filter-bar/filter-bar.tsx";
import { Grid } from "./grid/grid.tsx";
import { toBands } from "./grid/months.ts";
import { useFirstKey } from "./grid/use-first-key.ts";
import { useGridKeys } from "./grid/use-grid-keys.ts";
import { useGridPointer } from "./grid/use-grid-pointer.ts";
import styles from "./library-page.module.css";
import { LibraryState } from "./library-state.tsx";
import { LibraryTop } from "./library-top.tsx";
import { useActions } from "./selection/use-actions.ts";
import { useLibrary } from "./use-library.ts";
import { isNarrowed } from "./view/filters.ts";

const ActionDialogs = lazyPart(() => import("./selection/action-dialogs.tsx"));
const FolderTiles = sparePart(() => import("./folders/folder-tiles.tsx"));
const LibraryExtras = sparePart(() => import("./library-extras.tsx"));
const Ruler = sparePart(() => import("./grid/ruler.tsx"));
const OpenFile = lazyPart(() => import("./open-file.tsx"));
// The files do not move when it has loaded.
const TrashNote = sparePart(() => import("./trash-note.tsx"), <div className={styles.note} />);

/** Loads the page's other parts. @throws the import's error */
export const loadParts = () => LibraryExtras.load();

/** The library and the trash: the same grid with other actions. */
export default function LibraryPage() {
  const library = useLibrary();
  const actions = useActions(library);
  const {
    address,
    filters,
    view,
    geometry,
    grid,
    shown,
    pages,
    selection,
    select,
    focus,
    setFocus,
    body,
    scroller,
    total,
  } = library;

  const { sorting } = address;
  const narrowed = isNarrowed(filters);
  const timeline = useQuery({ ...timelineQuery(filters.status, filters.folder), enabled: !narrowed });
  const months = narrowed || sorting.by !== "createdAt" ? undefined : timeline.data?.buckets;
  const bands = useMemo(
    () => toBands(sorting.order === "asc" ? [...(months ?? [])].reverse() : (months ?? [])),
    [months, sorting],
  );

  const open = (position: number) => library.open(pages.slot(position));
  const copy = (position: number) => actions.copyOne(pages.slot(position));
  const pointer = useGridPointer({ scroller, grid, geometry, selection, select, focus: setFocus, open, copy });
  const keys = useGridKeys({ geometry, position: focus, selection, select, focus: setFocus, move: library.goTo, open });
  useFirstKey(library);
  const hrefOf = useHref(address.hrefOf);

  return (
    <div className={styles.library}>
      <LibraryTop address={address} folders={library.folders} />
      <FilterBar address={address} total={total} columns={geometry.columns} />
      {filters.status === "trash" && total !== 0 && <TrashNote library={library} actions={actions} />}
      {(filters.folder !== "all" || filters.q !== "") && (
        <FolderTiles folders={library.folders ?? []} filters={filters} isAlone={total === 0} />
      )}
      <div ref={body} className={styles.body}>
        <Grid
          scroller={scroller}
          geometry={geometry}
          shown={shown}
          selection={selection}
          focus={focus}
          box={pointer.box}
          slot={pages.slot}
          hrefOf={hrefOf}
          mode={view.mode}
          label={filters.status === "trash" ? "Files in the trash" : "Files"}
          folderName={library.folderName}
          address={address}
          handlers={{ ...pointer.handlers, ...keys }}
        />
        <LibraryState library={library} />
        {geometry.hasRuler && total !== undefined && total > 0 && (
          <Suspense fallback={null}>
            <Ruler
              bands={bands}
              total={total}
              position={shown.top}
              onMove={library.showFrom}
              onHold={(isHeld) => grid.hold(isHeld)}
            />
          </Suspense>
        )}
        {library.newFiles > 0 && (
          <button type="button" className={styles.pill} onClick={library.showNewFiles}>
            {formatPlural(library.newFiles, "new file")}
          </button>
        )}
        <LibraryExtras library={library} actions={actions} bands={bands} />
      </div>
      <Suspense fallback={LOADING}>
        {actions.dialog !== undefined && <ActionDialogs library={library} actions={actions} />}
        {address.openId !== undefined && <OpenFile library={library} actions={actions} id={address.openId} />}
      </Suspense>
    </div>
  );
}

function useHref(hrefOf: (id: string) => string) {
  return useMemo(
    () =>
      ({ _id }: { readonly _id: string }) =>
        hrefOf(_id),
    [hrefOf],
  );
}
