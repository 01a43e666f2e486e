import { useEffect, useRef, useState } from "react";
import type { FocalPoint } from "../../../domain/variants/focal-point.ts";
import { useSettled } from "../../design/use-settled.ts";
import type { FileChange, FileFacts } from "../file-facts.ts";

/** The file's focal point (EDIT-4). A moved point is shown at once, and saved when it rests. */
export function useFocalPoint(file: FileFacts, change: FileChange) {
  const [moved, setMoved] = useState<FocalPoint>();
  const settled = useSettled(moved);
  const save = () => {
    if (moved === undefined) return;
    setMoved(undefined);
    const { x, y } = file.focalPoint ?? {};
    if (moved.x !== x || moved.y !== y) void change(file, { facts: { focalPoint: moved } });
  };
  const now = useRef(save);
  now.current = save;
  useEffect(() => {
    if (settled !== undefined) now.current();
  }, [settled]);
  return {
    point: moved ?? file.focalPoint ?? undefined,
    isMoving: moved !== undefined,
    move: setMoved,
    /** Saves a moved point now. */
    save,
    remove: () => {
      setMoved(undefined);
      void change(file, { facts: { focalPoint: null } });
    },
  };
}
