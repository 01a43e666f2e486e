import { useQuery } from "@tanstack/react-query";
import Bookmark from "lucide-react/icons/bookmark";
import Ellipsis from "lucide-react/icons/ellipsis";
import PenLine from "lucide-react/icons/pen-line";
import RefreshCw from "lucide-react/icons/refresh-cw";
import Trash2 from "lucide-react/icons/trash-2";
import { Suspense, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { type SavedSearch, savedSearchesQuery, useSavedSearchChanges } from "../../api/queries/saved-searches.ts";
import { describeError } from "../../design/describe-error.ts";
import { IconButton } from "../../design/icon-button.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { Menu } from "../../design/menu.tsx";
import { toast } from "../../design/toast.tsx";
import { closeDrawer } from "../../shell/drawer-store.ts";
import { SidebarSection } from "../../shell/sidebar-section.tsx";
import { isNarrowed, parseFilters } from "../view/filters.ts";
import { parseLibraryPath } from "../view/library-path.ts";
import { addressOf } from "./address-of.ts";
import styles from "./saved-searches.module.css";

const NameDialog = lazyPart(async () => ({ default: (await import("../folders/name-dialog.tsx")).NameDialog }));

/** The saved searches as links, with menus that rename, update and delete them. */
export function SavedSearches() {
  const { data: searches = [] } = useQuery(savedSearchesQuery);
  const { add, change, remove } = useSavedSearchChanges();
  const [renamed, setRenamed] = useState<SavedSearch>();
  const shown = useShownView();
  const isSaved = searches.some(({ address }) => address === shown?.address);

  const update = async ({ _id, name, address }: SavedSearch, next: string) => {
    await report(`${name} could not be updated`, change.mutateAsync({ id: _id, body: { address: next } }));
    const undo = () => void report("This could not be undone", change.mutateAsync({ id: _id, body: { address } }));
    toast({ title: `${name} updated`, action: { title: "Undo", run: undo } });
  };
  const drop = async ({ _id, name, address }: SavedSearch) => {
    await report(`${name} could not be deleted`, remove.mutateAsync(_id));
    const undo = () => void report("This could not be undone", add.mutateAsync({ name, address }));
    toast({ title: `${name} deleted`, action: { title: "Undo", run: undo } });
  };
  return (
    <>
      {searches.length > 0 && (
        <SidebarSection title="Searches">
          <ul className={styles.searches}>
            {searches.map((search) => (
              <li key={search._id} className={styles.row} data-current={search.address === shown?.address || undefined}>
                <Link
                  href={search.address}
                  className={styles.link}
                  aria-current={search.address === shown?.address ? "page" : undefined}
                  onClick={closeDrawer}
                >
                  <Bookmark size={16} aria-hidden="true" />
                  <span className={styles.name} title={search.name}>
                    {search.name}
                  </span>
                </Link>
                <span className={styles.menu}>
                  <Menu
                    align="start"
                    trigger={<IconButton size="small" icon={Ellipsis} label={`Actions for ${search.name}`} />}
                    items={[
                      { id: "rename", title: "Rename", icon: PenLine, onSelect: () => setRenamed(search) },
                      ...(shown?.isNarrowed && !isSaved
                        ? [
                            {
                              id: "update",
                              title: "Use the filters shown",
                              icon: RefreshCw,
                              onSelect: () => void update(search, shown.address).catch(() => undefined),
                            },
                          ]
                        : []),
                      {
                        id: "delete",
                        title: "Delete",
                        icon: Trash2,
                        danger: true,
                        separated: true,
                        onSelect: () => void drop(search).catch(() => undefined),
                      },
                    ]}
                  />
                </span>
              </li>
            ))}
          </ul>
        </SidebarSection>
      )}
      {/* It is beside the list, because it stays if another tab deletes the last search. */}
      <Suspense fallback={null}>
        {renamed !== undefined && (
          <NameDialog
            open
            onOpenChange={() => setRenamed(undefined)}
            title={`Rename ${renamed.name}`}
            action="Rename"
            name={renamed.name}
            onName={(name) => change.mutateAsync({ id: renamed._id, body: { name } })}
          />
        )}
      </Suspense>
    </>
  );
}

/** The view of the library that the page shows; undefined on another page. */
function useShownView() {
  const [path] = useLocation();
  const search = useSearch();
  const found = parseLibraryPath(path);
  if (found === undefined) return undefined;
  const filters = parseFilters(search, found.status);
  return { address: addressOf(filters), isNarrowed: isNarrowed(filters) };
}

/** Reports a change that failed. @throws its error */
async function report(title: string, change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    toast({ tone: "danger", title, description: describeError(error).message });
    throw error;
  }
}
