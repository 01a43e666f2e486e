import { useQuery, useQueryClient } from "@tanstack/react-query";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Film from "lucide-react/icons/film";
import Image from "lucide-react/icons/image";
import { Suspense, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { MediaHostError } from "../../client/media-host-error.ts";
import { api } from "../api/client.ts";
import { sleep } from "../api/sleep.ts";
import { describeError } from "../design/describe-error.ts";
import { isolate } from "../design/format.ts";
import { FullDialog } from "../design/full-dialog.tsx";
import { IconButton } from "../design/icon-button.tsx";
import { lazyPart } from "../design/lazy-part.tsx";
import { LOADING } from "../design/loading.tsx";
import { Problem } from "../design/problem.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { toast } from "../design/toast.tsx";
import { PassingBanners } from "../shell/page-banners.tsx";
import { downloadFile } from "./download-file.ts";
import { FileBar } from "./file-bar.tsx";
import styles from "./file-dialog.module.css";
import { type FileChange, type FileFacts, type FilePatch, isVideo, shownUrl, withFacts } from "./file-facts.ts";
import { FilePanel } from "./file-panel.tsx";
import { hasVariants } from "./has-variants.ts";
import { NameField } from "./name-field.tsx";
import { NotFound } from "./not-shown.tsx";
import { Picture, type PictureHandle } from "./picture.tsx";
import { copyLink, isPrivate } from "./signed-link.ts";
import { TakenDown } from "./taken-down.tsx";
import { useFileKeys } from "./use-file-keys.ts";
import { Video, type VideoHandle } from "./video.tsx";

const SizesDialog = lazyPart(() => import("./sizes/sizes-dialog.tsx"));

export interface FileDialogProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly finalFocus?: (() => HTMLElement | null) | undefined;
  /** Shows the previous or next file of the view; undefined if there is none. */
  readonly onStep?: ((by: 1 | -1) => void) | undefined;
  /** The view's copy of the file, shown until the service has answered. */
  readonly known?: FileFacts | undefined;
  /** The file's position in the view, from 0. */
  readonly position?: number | undefined;
  readonly total?: number | undefined;
  /** Neighbouring files of the view, in order. */
  readonly around?: readonly (FileFacts | undefined)[] | undefined;
  readonly onOpen?: ((id: string) => void) | undefined;
  /** Changes the file, and shows it in the view. */
  readonly change: FileChange;
  readonly onMove?: ((file: FileFacts) => void) | undefined;
  readonly onReplaced?: (() => void) | undefined;
  /** Undoes the last change. */
  readonly onUndo?: (() => void) | undefined;
}

/** The file over the grid: large, with its links and info. */
export default function FileDialog(props: FileDialogProps) {
  const { id, onClose, finalFocus, onStep, known, position, total, around = [], onOpen, onMove, onUndo } = props;
  const { data: file, error, isPlaceholderData, refetch } = useFile(id, known);
  const change = useFileChange(props.change);
  useTitle(file?.prompt);
  const [hasPanel, setPanel] = useState(true);
  const picture = useRef<PictureHandle>(null);
  const video = useRef<VideoHandle>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [renaming, setRenaming] = useState<Renaming>();
  const tagField = useRef<HTMLInputElement>(null);
  const [isUsing, setUsing] = useState(false);

  const act = {
    copy: async () => {
      if (file === undefined) return;
      await copyLink(file);
    },
    favourite: () => file && void change(file, { favorite: !file.favorite }),
    setPrivate: () => file && void change(file, { visibility: isPrivate(file) ? "public" : "private" }),
    trash: () => {
      if (file === undefined) return;
      void change(file, { status: file.status === "trash" ? "active" : "trash" });
      if (onStep !== undefined && position !== undefined && total !== undefined && total > 1) {
        onStep(position < total - 1 ? 1 : -1);
      } else onClose();
    },
    download: () => file && void downloadFile(file),
    zoom: () => picture.current?.toggleZoom(),
    panel: () => setPanel((before) => !before),
    play: () => video.current?.togglePlay(),
    frame: (by: 1 | -1) => video.current?.stepFrame(by),
    tag: () => {
      // React must render before the next key press, so that the next letter goes into the field.
      flushSync(() => setPanel(true));
      tagField.current?.focus();
    },
    move: () => file && onMove?.(file),
    rename: () => file && setRenaming({ id: file._id, name: file.prompt }),
    step: (by: 1 | -1) => onStep?.(by),
    use: () => setUsing(file !== undefined && hasVariants(file)),
    undo: () => onUndo?.(),
  };
  const onKeyDown = useFileKeys(act);
  const isFilm = file !== undefined && isVideo(file);
  // A file from a listing has no uncounted address.
  const source = file === undefined || isPlaceholderData ? undefined : shownUrl(file);
  const renew = async () => {
    const { data } = await refetch();
    return data && shownUrl(data);
  };

  const endRename = () => {
    setRenaming(undefined);
    stage.current?.focus();
  };
  const saveName = (renamed: FileFacts, originalFilename: string) => {
    endRename();
    if (originalFilename === renamed.prompt) return;
    void change(renamed, { facts: { originalFilename } }, (error) =>
      setRenaming({ id: renamed._id, name: originalFilename, error }),
    );
  };

  /** A button that becomes disabled at either end would lose the focus, and keys would go to the page. */
  const press = (by: 1 | -1) => {
    onStep?.(by);
    if (position !== undefined && (position + by === 0 || position + by + 1 === total)) stage.current?.focus();
  };

  return (
    <FullDialog
      label={file?.prompt ?? "File"}
      onClose={onClose}
      onKeyDown={onKeyDown}
      initialFocus={stage}
      finalFocus={finalFocus}
      className={styles.file}
    >
      <PassingBanners />
      <div ref={stage} tabIndex={-1} className={styles.stage}>
        <FileBar
          file={file}
          position={position}
          total={total}
          act={act}
          isFilm={isFilm}
          onClose={onClose}
          hasPanel={hasPanel}
          nameField={
            file !== undefined &&
            renaming?.id === file._id && (
              <NameField {...renaming} onEnd={endRename} onSave={(name) => saveName(file, name)} />
            )
          }
        />
        <div className={styles.shown}>
          {file === undefined && error !== null && (
            <div className={styles.state}>
              {isMissing(error) ? (
                <NotFound />
              ) : (
                <Problem error={error} title="The file could not be loaded" onRetry={() => void renew()} />
              )}
            </div>
          )}
          {file !== undefined &&
            (file.takedown !== undefined ? (
              <TakenDown {...file.takedown} />
            ) : isFilm ? (
              <Video key={file.url} ref={video} file={file} source={source} renew={renew} />
            ) : (
              <Picture key={file.url} ref={picture} file={file} source={source} renew={renew} onStep={act.step} />
            ))}
        </div>
        {onStep !== undefined && (
          <>
            <IconButton
              label="Previous file"
              keys="ArrowLeft"
              icon={ChevronLeft}
              className={`${styles.step} ${styles.previous}`}
              disabled={position === 0}
              onClick={() => press(-1)}
            />
            <IconButton
              label="Next file"
              keys="ArrowRight"
              icon={ChevronRight}
              className={`${styles.step} ${styles.next}`}
              disabled={position !== undefined && position + 1 === total}
              onClick={() => press(1)}
            />
          </>
        )}
        {around.length > 1 && onOpen !== undefined && <Strip files={around} id={id} onOpen={onOpen} />}
      </div>
      {hasPanel && (file !== undefined || error === null) && (
        <aside className={styles.panel} aria-label="Links and info">
          {file === undefined ? (
            <div className={styles.loading}>
              <Skeleton height={40} />
              <Skeleton height={96} />
              <Skeleton height={220} />
            </div>
          ) : (
            <FilePanel
              file={file}
              change={change}
              tagField={tagField}
              onMove={onMove}
              onReplaced={props.onReplaced}
              onUse={act.use}
            />
          )}
        </aside>
      )}
      {isUsing && file !== undefined && (
        <Suspense fallback={LOADING}>
          <SizesDialog file={file} change={change} onClose={() => setUsing(false)} />
        </Suspense>
      )}
    </FullDialog>
  );
}

function isMissing(error: Error): boolean {
  return error instanceof MediaHostError && error.statusCode === 404;
}

/** A name that is edited in its place. */
interface Renaming {
  readonly id: string;
  readonly name: string;
  readonly error?: string;
}

/**
 * Changes the shown file at once, and reverts it if the service refuses.
 * @param change the change function of the file's view, which also updates the view
 */
function useFileChange(change: FileChange): FileChange {
  const queries = useQueryClient();
  return async (file, patch, onRefused) => {
    const queryKey = ["image", file._id];
    queries.setQueryData<FileFacts>(queryKey, (shown) => patchFile(shown ?? file, patch));
    try {
      await change(file, patch, onRefused);
    } catch (error) {
      queries.setQueryData<FileFacts>(queryKey, file);
      const { message } = describeError(error);
      if (onRefused !== undefined) return onRefused(message);
      toast({ tone: "danger", title: `${isolate(file.prompt)} was not changed`, description: message });
    }
  };
}

function patchFile(file: FileFacts, { addTags = [], removeTags = [], facts, ...set }: FilePatch): FileFacts {
  const kept = file.tags.filter((tag) => !removeTags.includes(tag));
  const tags = [...kept, ...addTags.filter((tag) => !kept.includes(tag))];
  return withFacts({ ...file, ...set, tags }, facts);
}

/** Its signed address is valid for an hour. */
const STALE_MS = 45 * 60_000;
/**
 * A file that is shown for less than this time is not fetched. A held key passes thirty files a second and would use up a minute's requests
 * in two seconds.
 */
const REST_MS = 250;

let passedAt = Number.NEGATIVE_INFINITY;

/** Names the tab after the open file. */
function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) return;
    const before = document.title;
    document.title = `${name} · Media host`;
    return () => {
      document.title = before;
    };
  }, [name]);
}

/** Fetches one file. @param known shown until the service has answered */
function useFile(id: string, known: FileFacts | undefined) {
  return useQuery({
    queryKey: ["image", id],
    queryFn: async ({ signal }): Promise<FileFacts> => {
      const isPassing = Date.now() - passedAt < REST_MS;
      passedAt = Date.now();
      if (isPassing) await sleep(REST_MS, signal);
      return api.image(id, { signal });
    },
    placeholderData: known?._id === id ? known : undefined,
    staleTime: STALE_MS,
  });
}

interface StripProps {
  readonly files: readonly (FileFacts | undefined)[];
  readonly id: string;
  readonly onOpen: (id: string) => void;
}

/** The files around the shown file. */
function Strip({ files, id, onOpen }: StripProps) {
  return (
    <nav className={styles.strip} aria-label="Nearby files">
      {files.map((file) => {
        if (file === undefined) return null;
        const { _id, prompt, previewUrl: preview } = file;
        const Icon = isVideo(file) ? Film : Image;
        return (
          <button
            key={_id}
            type="button"
            className={styles.tile}
            aria-label={prompt}
            aria-current={_id === id || undefined}
            onClick={() => onOpen(_id)}
          >
            {preview ? <img src={preview} alt="" draggable={false} decoding="async" /> : <Icon size={20} aria-hidden />}
          </button>
        );
      })}
    </nav>
  );
}
