import { useEffect, useState } from "react";
import FileDialog from "../file/file-dialog.tsx";
import type { Item, Patch } from "./change.ts";
import type { Actions } from "./use-actions.ts";
import type { Library } from "./use-library.ts";

interface OpenFileProps {
  readonly library: Library;
  readonly actions: Actions;
  readonly id: string;
}

/** How many files on each side of it are shown with it. */
const AROUND = 6;

/** The file that the address names, over the grid. The grid's focus goes with it, so that closing comes back to its tile. */
export default function OpenFile({ library, actions, id }: OpenFileProps) {
  const { address, pages, focus, goTo, setFocus, total = 0 } = library;
  const [wanted, setWanted] = useState<number>();
  const position = pages.slot(focus)?._id === id ? focus : undefined;
  const next = wanted === undefined ? undefined : pages.slot(wanted);

  // A step beyond what is loaded is made when its page has come.
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
      change={(file, patch: Patch) => library.changes.perform([file as Item], patch)}
      onMove={(file) => actions.askAbout("move", [file as Item])}
    />
  );
}
