import { useQuery } from "@tanstack/react-query";
import Files from "lucide-react/icons/files";
import { Link, useLocation, useSearchParams } from "wouter";
import { tagsQuery } from "../api/queries/tags.ts";
import { formatPlural } from "../design/format.ts";
import { closeDrawer } from "../shell/drawer-store.ts";
import { SidebarLink } from "../shell/sidebar-link.tsx";
import { SidebarSection } from "../shell/sidebar-section.tsx";
import { FolderTree } from "./folders/folder-tree.tsx";
import { SavedSearches } from "./searches/saved-searches.tsx";
import styles from "./tag-list.module.css";

export default function LibrarySidebar() {
  return (
    <>
      <DuplicatesLink />
      <SavedSearches />
      <FolderTree />
      <TagList />
    </>
  );
}

function DuplicatesLink() {
  const [path] = useLocation();
  return <SidebarLink href="/duplicates" icon={Files} title="Duplicates" current={path.startsWith("/duplicates")} />;
}

const SHOWN = 12;

/** The most used tags as links. Files can be dropped on them. */
function TagList() {
  const { data: tags = [] } = useQuery(tagsQuery("", 50));
  const [path] = useLocation();
  const [search] = useSearchParams();
  const current = path.startsWith("/library") ? (search.get("tags") ?? "").split(",") : [];
  if (tags.length === 0) return null;
  return (
    <SidebarSection title="Tags">
      <ul className={styles.tags}>
        {tags.slice(0, SHOWN).map(({ tag, count }) => (
          <li key={tag}>
            <Link
              href={`/library?${new URLSearchParams({ tags: tag })}`}
              className={styles.tag}
              data-drop-tag={tag}
              title={formatPlural(count, "file")}
              aria-current={current.includes(tag) ? "page" : undefined}
              onClick={closeDrawer}
            >
              {tag}
            </Link>
          </li>
        ))}
      </ul>
    </SidebarSection>
  );
}
