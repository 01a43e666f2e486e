import type { FolderNode } from "./folder-nodes.ts";

type Step =
  | { readonly kind: "focus" | "open" | "close" | "choose" | "rename" | "delete"; readonly id: string }
  | undefined;

/** What a key does in a tree (WAI-ARIA Authoring Practices, Tree View): arrows, Home, End, type-ahead; F2 and Delete as in file managers. */
export function treeKey(key: string, nodes: readonly FolderNode[], at: FolderNode, open: ReadonlySet<string>): Step {
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
