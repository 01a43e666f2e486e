import { useLayoutEffect, useState } from "react";
import { createPortal } from "react-dom";
import { NameField } from "../file/name-field.tsx";
import styles from "./rename-tile.module.css";
import type { Actions, Renaming } from "./selection/use-actions.ts";
import type { Library } from "./use-library.ts";

interface RenameTileProps {
  readonly library: Library;
  readonly actions: Actions;
  readonly renaming: Renaming;
}

/** The field that renames a file, in the file's tile or row. It ends when the file leaves its place. */
export function RenameTile({ library, actions, renaming }: RenameTileProps) {
  const { pages, focus, geometry, view } = library;
  const { item, error, text = item.prompt } = renaming;
  const { endRename } = actions;
  const isHere = pages.slot(focus)?._id === item._id;
  const [cell, setCell] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => {
    if (isHere) setCell(document.querySelector<HTMLElement>(`[data-position="${focus}"]`));
    else endRename();
  }, [isHere, focus, endRename]);

  const close = () => {
    endRename();
    cell?.focus({ preventScroll: true });
  };
  if (cell === null || !isHere) return null;
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
    cell,
  );
}
