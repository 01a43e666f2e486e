import { useQuery } from "@tanstack/react-query";
import FolderPlus from "lucide-react/icons/folder-plus";
import Plus from "lucide-react/icons/plus";
import { type KeyboardEvent, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import type { Folder } from "../../../client/index.ts";
import { foldersQuery, useFolderChanges } from "../../api/queries/folders.ts";
import { IconButton } from "../../design/icon-button.tsx";
import { lazyPart } from "../../design/lazy-part.tsx";
import { registerCommands } from "../../shell/commands.ts";
import { closeDrawer } from "../../shell/drawer-store.ts";
import { SidebarSection } from "../../shell/sidebar-section.tsx";
import type { FolderDialog } from "./folder-dialogs.tsx";
import { type FolderNode, pathTo, toTree, visibleNodes, whyNotInto } from "./folder-nodes.ts";
import { FolderRow } from "./folder-row.tsx";
import styles from "./folder-tree.module.css";
import { moveFolder } from "./move-folder.ts";
import { openFolders, useOpenFolders } from "./open-folders.ts";

const FolderDialogs = lazyPart(() => import("./folder-dialogs.tsx"));

/** The sidebar's folder tree. Arrow keys move in it, and files and folders can be dropped on it. */
export function FolderTree() {
  const { data: folders = [], isSuccess } = useQuery(foldersQuery);
  const [path, navigate] = useLocation();
  const [search] = useSearchParams();
  const [dialog, setDialog] = useState<FolderDialog>();
  const current = path.startsWith("/library") ? search.get("folder") : null;
  const open = useOpenFolders();
  const tree = useMemo(() => toTree(folders), [folders]);
  const nodes = useMemo(() => visibleNodes(tree, (id) => open.has(id)), [tree, open]);
  const [focused, setFocused] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const stop = nodes.find(({ folder }) => folder._id === (focused ?? current)) ?? nodes[0];

  useEffect(() => {
    // Reveals the shown folder.
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
          run: () => setDialog({ kind: "create", parentId: current === "root" ? null : current }),
        },
      ]),
    [current],
  );

  const { update } = useFolderChanges();
  useFolderDrag(folders, (id, parentId) => void moveFolder(folders, id, parentId, update.mutateAsync));

  const onKeyDown = (event: KeyboardEvent) => {
    if (stop === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const step = treeKey(event.key, nodes, stop, open);
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (step.kind === "open") openFolders.add([step.id]);
    else if (step.kind === "close") openFolders.remove(step.id);
    else if (step.kind === "choose") navigate(`/library?folder=${step.id}`);
    else if (step.kind === "rename" || step.kind === "delete") setDialog({ kind: step.kind, id: step.id });
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
          onClick={() => setDialog({ kind: "create", parentId: null })}
        />
      }
    >
      {isSuccess && nodes.length === 0 && <p className={styles.none}>No folders yet.</p>}
      <div ref={list} role="tree" aria-label="Folders" className={styles.tree} onKeyDown={onKeyDown}>
        {nodes.map((node) => (
          <FolderRow
            key={node.folder._id}
            node={node}
            isOpen={open.has(node.folder._id)}
            isCurrent={node.folder._id === current}
            isStop={node === stop}
            onOpenDialog={setDialog}
            onFocus={() => setFocused(node.folder._id)}
            onChoose={() => {
              navigate(`/library?folder=${node.folder._id}`);
              closeDrawer();
            }}
          />
        ))}
      </div>
      <Suspense fallback={null}>
        {dialog !== undefined && (
          <FolderDialogs dialog={dialog} folders={folders} onClose={() => setDialog(undefined)} />
        )}
      </Suspense>
    </SidebarSection>
  );
}

type Step =
  | { readonly kind: "focus" | "open" | "close" | "choose" | "rename" | "delete"; readonly id: string }
  | undefined;

/** Handles a key in a tree (WAI-ARIA Authoring Practices, Tree View): arrows, Home, End, type-ahead; F2 and Delete as in file managers. */
function treeKey(key: string, nodes: readonly FolderNode[], at: FolderNode, open: ReadonlySet<string>): Step {
  const index = nodes.indexOf(at);
  const { _id: id } = at.folder;
  const focus = (node: FolderNode | undefined): Step => node && { kind: "focus", id: node.folder._id };
  const isOpen = open.has(id) && at.children.length > 0;
  switch (key) {
    case "ArrowDown":
      return focus(nodes[index + 1]);
    case "ArrowUp":
      return focus(nodes[index - 1]);
    case "Home":
      return focus(nodes[0]);
    case "End":
      return focus(nodes.at(-1));
    case "ArrowRight":
      if (isOpen) return focus(at.children[0]);
      return at.children.length > 0 ? { kind: "open", id } : undefined;
    case "ArrowLeft":
      if (isOpen) return { kind: "close", id };
      return focus(nodes.find(({ folder }) => folder._id === at.folder.parentId));
    case "Enter":
    case " ":
      return { kind: "choose", id };
    case "F2":
      return { kind: "rename", id };
    case "Delete":
      return { kind: "delete", id };
    default: {
      if (Array.from(key).length !== 1) return undefined;
      const later = [...nodes.slice(index + 1), ...nodes.slice(0, index + 1)];
      return focus(later.find(({ folder }) => folder.name.toLowerCase().startsWith(key.toLowerCase())));
    }
  }
}

/** Lets folders be dragged into each other, but not into themselves. The code is loaded when the page is idle. */
function useFolderDrag(folders: readonly Folder[], move: (id: string, parentId: string | null) => void): void {
  const now = useRef({ folders, move });
  now.current = { folders, move };
  useEffect(() => {
    if (!matchMedia("(hover: hover)").matches) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    const timer = setTimeout(async () => {
      const { watchFolderDrags } = await import("../drag/watch-folder-drags.ts");
      if (isOver) return;
      stop = watchFolderDrags({
        canMove: (id, parentId) => whyNotInto(now.current.folders, id, parentId) === undefined,
        move: (id, parentId) => now.current.move(id, parentId),
      });
    }, 1000);
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop?.();
    };
  }, []);
}
