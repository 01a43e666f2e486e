import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { whenIdle } from "../design/when-idle.ts";
import { NameField } from "../file/name-field.tsx";
import { useOtherTabs } from "./changes/other-tabs.ts";
import { loadChanges } from "./changes/use-changes.ts";
import { useStoredUploads } from "./changes/use-stored-uploads.ts";
import { ContextMenu } from "./context-menu.tsx";
import type { Band } from "./grid/months.ts";
import { lastKey } from "./grid/use-first-key.ts";
import { positionOf } from "./grid/use-grid-pointer.ts";
import { useLongPress } from "./grid/use-long-press.ts";
import checkMark from "./marks/check.svg";
import copyMark from "./marks/link-2.svg";
import styles from "./rename-tile.module.css";
import { isSelected } from "./selection/selection.ts";
import { SelectionBar } from "./selection/selection-bar.tsx";
import { readPlaces } from "./selection/steady-places.ts";
import { type Actions, loadCopy, type Renaming } from "./selection/use-actions.ts";
import { useSteadyPlaces } from "./selection/use-steady-places.ts";
import type { Library } from "./use-library.ts";
import { useLibraryCommands } from "./use-library-commands.ts";
import { usePressMenu } from "./use-press-menu.ts";
import { usePageLimit } from "./view/limit-pages.ts";

interface RenameTileProps {
  readonly library: Library;
  readonly actions: Actions;
  readonly renaming: Renaming;
}

interface LibraryExtrasProps {
  readonly library: Library;
  readonly actions: Actions;
  readonly bands: readonly Band[];
}

/** All actions on files: commands, drags, the selection bar, updates. It is loaded after the files, which do not wait for it. */
export default function LibraryExtras({ library, actions, bands }: LibraryExtrasProps) {
  useLibraryCommands(library, actions, bands);
  useLongPress(library);
  usePressMenu();
  useItemDrag(library, actions);
  useSteadyPlaces(library);
  useOtherTabs();
  useStoredUploads();
  usePageLimit();
  useEffect(runEarlyKey, []);
  useEffect(() => whenIdle(() => void loadAhead().catch(() => undefined)), []);
  const { renaming } = actions;
  return (
    <>
      <SelectionBar library={library} actions={actions} />
      <ContextMenu library={library} actions={actions} />
      {renaming !== undefined && <RenameTile library={library} actions={actions} renaming={renaming} />}
    </>
  );
}

/** A user who waited longer has looked for another way. */
const EARLY_MS = 2000;
const LOOK_MS = 50;

/** Runs the command of the key that a file received before the commands were loaded. The shell loads the shortcuts at about the same time. */
function runEarlyKey(): () => void {
  const { event } = lastKey;
  const { target } = event ?? {};
  let timer: ReturnType<typeof setTimeout>;
  const run = () => {
    const isHere =
      target instanceof HTMLElement && target.dataset.position !== undefined && target === document.activeElement;
    if (event === undefined || event.defaultPrevented || !isHere || performance.now() - event.timeStamp > EARLY_MS)
      return;
    const isLeft = target.dispatchEvent(new KeyboardEvent(event.type, event));
    if (isLeft) timer = setTimeout(run, LOOK_MS);
  };
  timer = setTimeout(run);
  return () => clearTimeout(timer);
}

/** Preloads the code of the first change, and the icons of a tile under the pointer. */
function loadAhead(): Promise<unknown> {
  return Promise.all([loadChanges(), loadCopy(), ...[checkMark, copyMark].map((address) => fetch(address))]);
}

/** Lets files be dragged onto folders, breadcrumbs, the trash, favourites and tags. The code is loaded when the page is idle. */
function useItemDrag(library: Library, actions: Actions): void {
  const now = useRef({ library, actions });
  now.current = { library, actions };
  const { scroller } = library;
  useEffect(() => {
    if (!matchMedia("(hover: hover)").matches) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    const load = async () => {
      const { watchDrags } = await import("./drag/watch-drags.ts");
      if (isOver || scroller.current === null) return;
      stop = watchDrags(scroller.current, {
        /** If the dragged file is selected, the drag takes the whole selection. */
        take: (tile) => {
          const position = positionOf(tile);
          if (position === undefined) return 0;
          const { library: current, actions: acts } = now.current;
          if (!isSelected(current.selection, position)) {
            current.setFocus(position);
            if (current.selection.intervals.length > 0) acts.clear();
            return 1;
          }
          return acts.selected();
        },
        drop: (target) => now.current.actions.dropOn(target),
      });
    };
    const cancel = whenIdle(() => void load());
    return () => {
      isOver = true;
      cancel();
      stop?.();
    };
  }, [scroller]);
}

/** The field that renames a file, in the file's tile or row. It follows the file, and ends when the file leaves the view. */
function RenameTile({ library, actions, renaming }: RenameTileProps) {
  const { pages, focus, geometry, view, total = 0 } = library;
  const { item, error, text = item.prompt } = renaming;
  const { endRename } = actions;
  // React would build the field again in another tile, without the typed text.
  const [host] = useState(() => document.createElement("span"));
  const [isPlaced, setPlaced] = useState(false);
  const isHere = pages.slot(focus)?._id === item._id;
  // The focus follows the file before the page is painted.
  const isGone = !isHere && !readPlaces(pages.slot, total).has(item._id);
  useLayoutEffect(() => {
    if (isGone) endRename();
    if (!isHere) return;
    place(host, tileAt(focus));
    setPlaced(true);
  }, [isHere, isGone, focus, host, endRename]);
  useLayoutEffect(() => () => host.remove(), [host]);

  const close = () => {
    endRename();
    tileAt(focus)?.focus({ preventScroll: true });
  };
  if (!isPlaced) return null;
  const isTable = view.mode === "table";
  return createPortal(
    <span
      className={isTable ? styles.row : geometry.captioned ? styles.caption : styles.tile}
      style={!isTable && geometry.captioned ? { insetBlockStart: geometry.tile + 4 } : {}}
    >
      <NameField
        name={text}
        error={error}
        onEnd={close}
        onSave={(name) => {
          close();
          if (name !== item.prompt) actions.saveName(item, name);
        }}
      />
    </span>,
    host,
  );
}

function tileAt(position: number): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-position="${position}"]`);
}

/** Puts the field into a tile. A field that has the focus keeps it. */
function place(host: HTMLElement, tile: HTMLElement | null): void {
  if (tile === null || host.parentElement === tile) return;
  const { activeElement } = document;
  if (host.isConnected && "moveBefore" in tile) tile.moveBefore(host, null);
  else tile.append(host);
  if (host.contains(activeElement)) (activeElement as HTMLElement).focus({ preventScroll: true });
}
