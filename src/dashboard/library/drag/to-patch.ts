import type { Patch } from "../change.ts";
import type { DropTarget } from "./drop-target.ts";

/** What becomes of files that are dropped. */
export function toPatch(target: DropTarget): Patch {
  switch (target.kind) {
    case "folder":
      return { folderId: target.folderId };
    case "trash":
      return { status: "trash" };
    case "favourites":
      return { favorite: true };
    case "tag":
      return { addTags: [target.tag] };
  }
}
