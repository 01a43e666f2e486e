import { useEffect } from "react";
import { whenIdle } from "../design/when-idle.ts";
import checkMark from "./marks/check.svg";
import copyMark from "./marks/link-2.svg";
import type { Band } from "./months.ts";
import { useOtherTabs } from "./other-tabs.ts";
import { SelectionBar } from "./selection-bar.tsx";
import type { Actions } from "./use-actions.ts";
import { loadChanges } from "./use-changes.ts";
import { useItemDrag } from "./use-item-drag.ts";
import type { Library } from "./use-library.ts";
import { useLibraryCommands } from "./use-library-commands.ts";
import { useLongPress } from "./use-long-press.ts";

interface LibraryExtrasProps {
  readonly library: Library;
  readonly actions: Actions;
  readonly bands: readonly Band[];
}

/** What is done with files that are there: keys, drags, the bar of the selection. It is loaded beside the files, which do not wait for it. */
export default function LibraryExtras({ library, actions, bands }: LibraryExtrasProps) {
  useLibraryCommands(library, actions, bands);
  useLongPress(library);
  useItemDrag(library, actions);
  useOtherTabs();
  useEffect(() => whenIdle(() => void loadAhead().catch(() => undefined)), []);
  return <SelectionBar library={library} actions={actions} />;
}

/** What the first change needs, and the signs that a tile has under the pointer. */
function loadAhead(): Promise<unknown> {
  return Promise.all([loadChanges(), ...[checkMark, copyMark].map((address) => fetch(address))]);
}
