import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { tellOtherTabs } from "../api/library-tabs.ts";
import { forgetLeaps } from "../api/queries/image-slots.ts";
import FileDialog from "../file/file-dialog.tsx";
import { noteOwnChange } from "./changes/change-queue.ts";
import type { Item, Patch } from "./changes/patch.ts";
import type { Actions } from "./selection/use-actions.ts";
import type { Library } from "./use-library.ts";

interface OpenFileProps {
  readonly library: Library;
  readonly actions: Actions;
  readonly id: string;
}

/** The number of files shown on each side. */
const AROUND = 6;

/** Shows the file of the address over the grid. The grid's focus follows, so that closing returns to the file's tile. */
export default function OpenFile({ library, actions, id }: OpenFileProps) {
  const { address, pages, focus, goTo, setFocus, total = 0 } = library;
  const client = useQueryClient();
  const [wanted, setWanted] = useState<number>();
  const position = pages.slot(focus)?._id === id ? focus : undefined;
  const next = wanted === undefined ? undefined : pages.slot(wanted);

  // A step beyond the loaded files is made when their page has loaded.
  useEffect(() => {
    if (next === undefined) return;
    setWanted(undefined);
    address.step(next._id);
  }, [next, address]);

  const step = (by: 1 | -1) => {
    const to = (wanted ?? focus) + by;
    if (to < 0 || to >= total) return;
    goTo(to);
    setWanted(to);
  };
  const first = Math.max(0, focus - AROUND);
  const around = Array.from({ length: Math.min(total, focus + AROUND + 1) - first }, (_, at) => pages.slot(first + at));
  const open = (other: string) => {
    const at = around.findIndex((item) => item?._id === other);
    if (at >= 0) setFocus(first + at);
    address.step(other);
  };
  return (
    <FileDialog
      id={id}
      onClose={address.close}
      finalFocus={() => document.querySelector<HTMLElement>(`[data-position="${focus}"]`)}
      known={position === undefined ? undefined : pages.slot(position)}
      {...(position === undefined && wanted === undefined
        ? {}
        : { onStep: step, position: wanted ?? position, total, around, onOpen: open })}
      change={(file, patch: Patch, onRefused) => library.changes.perform([file as Item], patch, { onRefused })}
      onMove={(file) => actions.openDialog("move", [file as Item])}
      onReplaced={() => {
        noteOwnChange();
        forgetLeaps(client);
        tellOtherTabs();
      }}
      onUndo={library.changes.undoLast}
    />
  );
}
