import { FolderTree } from "./folders/folder-tree.tsx";
import { TagList } from "./tag-list.tsx";

/** The library's sections of the sidebar. */
export function LibrarySidebar() {
  return (
    <>
      <FolderTree />
      <TagList />
    </>
  );
}
