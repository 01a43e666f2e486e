import { useQuery } from "@tanstack/react-query";
import { Suspense, useMemo } from "react";
import { timelineQuery } from "../api/queries/timeline.ts";
import { formatPlural } from "../design/format.ts";
import { lazyPart } from "../design/lazy-part.tsx";
import { FilterBar } from "./filter-bar/filter-bar.tsx";
import { isNarrowed } from "./filters.ts";
import { Grid } from "./grid.tsx";
import styles from "./library-page.module.css";
import { LibraryState } from "./library-state.tsx";
import { LibraryTop } from "./library-top.tsx";
import { toBands } from "./months.ts";
import { Ruler } from "./ruler.tsx";
import { TrashNote } from "./trash-note.tsx";
import { useActions } from "./use-actions.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { useGridPointer } from "./use-grid-pointer.ts";
import { useLibrary } from "./use-library.ts";
import { useStoredUploads } from "./use-stored-uploads.ts";

const AskingDialogs = lazyPart(() => import("./asking-dialogs.tsx"));
const LibraryExtras = lazyPart(() => import("./library-extras.tsx"));
const OpenFile = lazyPart(() => import("./open-file.tsx"));

/** Loads what the page is built of besides. @throws what the import throws */
export const loadParts = () => LibraryExtras.load();

/** The library, and the trash: the same grid with other actions. */
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

  const narrowed = isNarrowed(filters);
  const timeline = useQuery({ ...timelineQuery(filters.status, filters.folder), enabled: !narrowed });
  const months = narrowed ? undefined : timeline.data?.buckets;
  const bands = useMemo(() => toBands(months ?? []), [months]);

  useStoredUploads();
  const open = (position: number) => library.open(pages.slot(position));
  const copy = (position: number) => actions.copyOne(pages.slot(position));
  const pointer = useGridPointer({ scroller, grid, geometry, selection, select, focus: setFocus, open, copy });
  const keys = useGridKeys({ geometry, position: focus, selection, select, focus: setFocus, move: library.goTo, open });
  const hrefOf = useHref(address.hrefOf);

  return (
    <div className={styles.library}>
      <LibraryTop address={address} folders={library.folders} />
      <FilterBar address={address} total={total} columns={geometry.columns} />
      {filters.status === "trash" && <TrashNote library={library} actions={actions} />}
      <div ref={body} className={styles.body}>
        <Grid
          {...{ scroller, geometry, shown, selection, focus, box: pointer.box, slot: pages.slot, hrefOf }}
          mode={view.mode}
          label={filters.status === "trash" ? "Files in the trash" : "Files"}
          folderName={library.folderName}
          handlers={{ ...pointer.handlers, ...keys }}
        />
        <LibraryState library={library} />
        {geometry.hasRuler && total !== undefined && total > 0 && (
          <Ruler
            bands={bands}
            total={total}
            position={shown.top}
            onMove={library.showFrom}
            onHold={(isHeld) => grid.hold(isHeld)}
          />
        )}
        {library.newFiles > 0 && (
          <button type="button" className={styles.pill} onClick={library.showNewFiles}>
            {formatPlural(library.newFiles, "new file")}
          </button>
        )}
        <Suspense fallback={null}>
          <LibraryExtras {...{ library, actions, bands }} />
        </Suspense>
      </div>
      <Suspense fallback={null}>
        {actions.asking !== undefined && <AskingDialogs library={library} actions={actions} />}
        {address.openId !== undefined && <OpenFile {...{ library, actions }} id={address.openId} />}
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
