import { useQuery } from "@tanstack/react-query";
import FolderPlus from "lucide-react/icons/folder-plus";
import Plus from "lucide-react/icons/plus";
import { type KeyboardEvent, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { foldersQuery, useFolderChanges } from "../../api/queries/folders.ts";
import { IconButton } from "../../design/icon-button.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { registerCommands } from "../../shell/commands.ts";
import { closeDrawer } from "../../shell/drawer-store.ts";
import { SidebarSection } from "../../shell/sidebar-section.tsx";
import type { FolderAsking } from "./folder-dialogs.tsx";
import { pathTo, toTree, visibleNodes } from "./folder-nodes.ts";
import { FolderRow } from "./folder-row.tsx";
import styles from "./folder-tree.module.css";
import { moveFolder } from "./move-folder.ts";
import { openFolders, useOpenFolders } from "./open-folders.ts";
import { treeKey } from "./tree-key.ts";
import { useFolderDrag } from "./use-folder-drag.ts";

const FolderDialogs = lazyPart(() => import("./folder-dialogs.tsx"));

/** The folders of the sidebar: a tree that is walked by arrows, and into which files and folders are dropped. */
export function FolderTree() {
  const { data: folders = [], isSuccess } = useQuery(foldersQuery);
  const [path, navigate] = useLocation();
  const [search] = useSearchParams();
  const [asking, setAsking] = useState<FolderAsking>();
  const current = path.startsWith("/library") ? search.get("folder") : null;
  const open = useOpenFolders();
  const tree = useMemo(() => toTree(folders), [folders]);
  const nodes = useMemo(() => visibleNodes(tree, (id) => open.has(id)), [tree, open]);
  const [focused, setFocused] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const stop = nodes.find(({ folder }) => folder._id === (focused ?? current)) ?? nodes[0];

  useEffect(() => {
    // The folder that is shown is seen in the tree.
    openFolders.add(
      pathTo(folders, current)
        .slice(0, -1)
        .map(({ _id }) => _id),
    );
  }, [folders, current]);
  useEffect(
    () =>
      registerCommands([
        {
          id: "new-folder",
          title: "New folder",
          keys: "n",
          icon: FolderPlus,
          group: "Library",
          run: () => setAsking({ kind: "create", parentId: current === "root" ? null : current }),
        },
      ]),
    [current],
  );

  const { update } = useFolderChanges();
  useFolderDrag(list, folders, (id, parentId) => void moveFolder(folders, id, parentId, update.mutateAsync));

  const onKeyDown = (event: KeyboardEvent) => {
    if (stop === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = treeKey(event.key, nodes, stop, open);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step.kind === "open") openFolders.add([step.id]);
    else if (step.kind === "close") openFolders.remove(step.id);
    else if (step.kind === "choose") navigate(`/library?folder=${step.id}`);
    else if (step.kind === "rename" || step.kind === "delete") setAsking({ kind: step.kind, id: step.id });
    else {
      setFocused(step.id);
      list.current?.querySelector<HTMLElement>(`[data-folder="${step.id}"]`)?.focus();
    }
  };

  return (
    <SidebarSection
      title="Folders"
      action={
        <IconButton
          size="small"
          icon={Plus}
          label="New folder"
          keys="n"
          onClick={() => setAsking({ kind: "create", parentId: null })}
        />
      }
    >
      {isSuccess && nodes.length === 0 && <p className={styles.none}>Folders keep files together.</p>}
      <div ref={list} role="tree" aria-label="Folders" className={styles.tree} onKeyDown={onKeyDown}>
        {nodes.map((node) => (
          <FolderRow
            key={node.folder._id}
            node={node}
            isOpen={open.has(node.folder._id)}
            isCurrent={node.folder._id === current}
            isStop={node === stop}
            onAsk={setAsking}
            onFocus={() => setFocused(node.folder._id)}
            onChoose={() => {
              navigate(`/library?folder=${node.folder._id}`);
              closeDrawer();
            }}
          />
        ))}
      </div>
      <Suspense fallback={null}>
        {asking !== undefined && (
          <FolderDialogs asking={asking} folders={folders} onClose={() => setAsking(undefined)} />
        )}
      </Suspense>
    </SidebarSection>
  );
}
