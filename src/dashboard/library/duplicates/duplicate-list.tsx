import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, Suspense, useCallback, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { DuplicateGroup, MediaObject } from "../../../client/index.ts";
import { folderPaths } from "../../api/folder-path.ts";
import { DUPLICATES, listSame } from "../../api/queries/duplicates.ts";
import { foldersQuery } from "../../api/queries/folders.ts";
import { describeError } from "../../design/describe-error.ts";
import { lazyPart } from "../../design/lazy-part.tsx";
import { toast } from "../../design/toast.tsx";
import { useOtherTabs } from "../changes/other-tabs.ts";
import type { Item } from "../changes/patch.ts";
import { refetch } from "../changes/refetch.ts";
import { useChanges } from "../changes/use-changes.ts";
import { parseFilters, toImageQuery } from "../view/filters.ts";
import { DuplicateGroupSection } from "./duplicate-group.tsx";
import styles from "./duplicates.module.css";

const FileDialog = lazyPart(() => import("../../file/file-dialog.tsx"));

const EVERYWHERE = parseFilters("", "active");
const FILTER = toImageQuery(EVERYWHERE);
const PATH = "/duplicates";

/** The groups with their actions, and the file of the address over them. It is loaded after the page, like the library's changes. */
export default function DuplicateList({ groups }: { readonly groups: readonly DuplicateGroup[] }) {
  const { data: folders = [] } = useQuery(foldersQuery);
  const nameOf = useCallback(
    (folderId: string | null) => folderPaths(folders)(folderId).join(" / ") || (folderId === null ? "Root" : ""),
    [folders],
  );
  const changes = useChanges({ filters: EVERYWHERE, filter: FILTER, folderName: nameOf, onRemoved: () => undefined });
  const list = useRef<HTMLDivElement>(null);
  const { keeping, keep } = useKeep(changes.perform, list);
  const [path, navigate] = useLocation();
  const openId = path.slice(PATH.length + 1);
  const cameFromHere = useRef(false);
  useOtherTabs();

  const open = (id: string) => {
    cameFromHere.current = true;
    navigate(`${PATH}/${id}`);
  };
  const close = () => {
    if (cameFromHere.current) history.back();
    else navigate(PATH, { replace: true });
    cameFromHere.current = false;
  };
  return (
    <>
      <div ref={list} className={styles.groups}>
        {groups.map((group) => (
          <DuplicateGroupSection
            key={group.sha256}
            group={group}
            nameOf={nameOf}
            keepingId={keeping.get(group.sha256)}
            onKeep={(image) => void keep(group, image)}
            onOpen={open}
          />
        ))}
      </div>
      {openId !== "" && (
        <Suspense fallback={null}>
          <FileDialog
            id={openId}
            known={groups.flatMap(({ images }) => images).find(({ _id }) => _id === openId)}
            onClose={close}
            finalFocus={() => list.current?.querySelector<HTMLElement>(`a[href$="${openId}"]`) ?? null}
            change={(file, patch, onRefused) => changes.perform([file as Item], patch, { onRefused })}
            onUndo={changes.undoLast}
          />
        </Suspense>
      )}
    </>
  );
}

type Perform = ReturnType<typeof useChanges>["perform"];

/** Keeps one file of a group. The group's files are read again first, because another tab or device may have changed them. */
function useKeep(perform: Perform, list: RefObject<HTMLDivElement | null>) {
  const client = useQueryClient();
  const [keeping, setKeeping] = useState<ReadonlyMap<string, string>>(new Map());
  const mark = (sha256: string, id?: string) =>
    setKeeping((before) => {
      const next = new Map(before);
      if (id === undefined) next.delete(sha256);
      else next.set(sha256, id);
      return next;
    });
  const keep = async (group: DuplicateGroup, kept: MediaObject): Promise<void> => {
    const { sha256 } = group;
    const place = [...(list.current?.children ?? [])].findIndex(({ id }) => id === sha256);
    mark(sha256, kept._id);
    try {
      const same = await listSame(sha256);
      if (same.some(({ _id }) => _id === kept._id)) {
        const others = same.filter(({ _id }) => _id !== kept._id);
        await perform(others as Item[], { status: "trash" });
      } else toast({ tone: "danger", title: "This file was changed elsewhere", description: "Nothing was moved." });
      await refetch(client, [DUPLICATES]);
    } catch (error) {
      toast({
        tone: "danger",
        title: "The other files could not be moved to the trash",
        description: describeError(error).message,
        action: { title: "Retry", run: () => void keep(group, kept) },
      });
    } finally {
      mark(sha256);
      // The button that had the focus may have left the page with its group.
      requestAnimationFrame(() => focusAt(list.current, place));
    }
  };
  return { keeping, keep };
}

/** Gives the focus to the group that took a group's place, or to the last one, if nothing else has the focus. */
function focusAt(list: HTMLElement | null, place: number): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return;
  const next = list?.children[Math.min(place, list.children.length - 1)];
  if (next instanceof HTMLElement) next.focus();
  else document.getElementById("main")?.focus();
}
