import { useEffect, useRef, useState } from "react";

/** The state of a drag of files: outside, over the page, or over an element that takes them. */
export type Over = "page" | "element" | undefined;

/** @param dropId the `data-drop-id` of the element under the drop */
type OnDrop = (transfer: DataTransfer, dropId: string | undefined) => void;

/** Takes files that are dropped anywhere on the page. */
export function useWindowDrop(onDrop: OnDrop): Over {
  const [over, setOver] = useState<Over>();
  const take = useRef(onDrop);
  take.current = onDrop;

  useEffect(() => {
    const abort = new AbortController();
    let marked: HTMLElement | undefined;
    const mark = (element: HTMLElement | undefined) => {
      if (element === marked) return;
      if (marked !== undefined) delete marked.dataset.drop;
      if (element !== undefined) element.dataset.drop = "over";
      marked = element;
    };
    const end = () => {
      mark(undefined);
      setOver(undefined);
    };
    const listen = <Name extends "dragover" | "dragleave" | "drop">(
      name: Name,
      handle: (event: DragEvent, transfer: DataTransfer) => void,
    ) =>
      addEventListener(
        name,
        (event) => {
          const { dataTransfer } = event;
          if (dataTransfer?.types.includes("Files")) handle(event, dataTransfer);
        },
        { signal: abort.signal },
      );
    listen("dragover", (event, transfer) => {
      event.preventDefault();
      transfer.dropEffect = "copy";
      const element = folderAt(event.target);
      mark(element);
      setOver(element === undefined ? "page" : "element");
    });
    // The drag has left the page.
    listen("dragleave", ({ relatedTarget }) => relatedTarget === null && end());
    listen("drop", (event, transfer) => {
      event.preventDefault();
      const dropId = folderAt(event.target)?.dataset.dropId;
      end();
      take.current(transfer, dropId);
    });
    return () => {
      abort.abort();
      mark(undefined);
    };
  }, []);
  return over;
}

function folderAt(target: EventTarget | null): HTMLElement | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-drop-id]") : undefined;
  return element == null || ["trash", "fav"].includes(element.dataset.dropId ?? "") ? undefined : element;
}
