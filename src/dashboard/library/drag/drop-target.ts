/** The target of a drop: an element with `data-drop-id` (a folder's id, `root`, `trash`, `fav`) or `data-drop-tag`. */
export type DropTarget =
  | { readonly kind: "folder"; readonly folderId: string | null }
  | { readonly kind: "trash" | "favourites" }
  | { readonly kind: "tag"; readonly tag: string };

export interface FoundTarget {
  readonly element: HTMLElement;
  readonly target: DropTarget;
}

export function findTarget(x: number, y: number): FoundTarget | undefined {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop-id], [data-drop-tag]");
  if (!element) return undefined;
  const { dropId, dropTag } = element.dataset;
  if (dropTag !== undefined) return { element, target: { kind: "tag", tag: dropTag } };
  if (dropId === "trash") return { element, target: { kind: "trash" } };
  if (dropId === "fav") return { element, target: { kind: "favourites" } };
  return { element, target: { kind: "folder", folderId: dropId === undefined || dropId === "root" ? null : dropId } };
}
