import { FolderTree } from "./folders/folder-tree.tsx";
import { TagList } from "./tag-list.tsx";

/** The library's sections of the sidebar. */
export default function LibrarySidebar() {
  return (
    <>
      <FolderTree />
      <TagList />
    </>
  );
}
