import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { copyText } from "../design/copy-text.ts";
import { FullDialog } from "../design/full-dialog.tsx";
import { IconButton } from "../design/icon-button.tsx";
import { Problem } from "../design/problem.tsx";
import { toast } from "../design/toast.tsx";
import { FileBar } from "./file-bar.tsx";
import styles from "./file-dialog.module.css";
import { type FileFacts, type FilePatch, isVideo, shownUrl } from "./file-facts.ts";
import { FilePanel } from "./file-panel.tsx";
import { Picture, type PictureHandle } from "./picture.tsx";
import { Strip } from "./strip.tsx";
import { useFile } from "./use-file.ts";
import { useFileChange } from "./use-file-change.ts";
import { useFileKeys } from "./use-file-keys.ts";
import { Video, type VideoHandle } from "./video.tsx";

export interface FileDialogProps {
  readonly id: string;
  readonly onClose: () => void;
  /** What has the focus when it is closed. */
  readonly finalFocus?: (() => HTMLElement | null) | undefined;
  /** To the file before or after it in the view; not given where there is none. */
  readonly onStep?: ((by: 1 | -1) => void) | undefined;
  /** What the view knows of it, shown until the service has answered. */
  readonly known?: FileFacts | undefined;
  /** Where it is in the view, from 0. */
  readonly position?: number | undefined;
  readonly total?: number | undefined;
  /** Files around it in the view, in their order. */
  readonly around?: readonly (FileFacts | undefined)[] | undefined;
  readonly onOpen?: ((id: string) => void) | undefined;
  /** Changes it in the view, too; without it the service alone is told. */
  readonly change?: ((file: FileFacts, patch: FilePatch) => Promise<void>) | undefined;
  readonly onMove?: ((file: FileFacts) => void) | undefined;
}

/** One file over the grid: large, with its links and facts. */
export default function FileDialog(props: FileDialogProps) {
  const { id, onClose, finalFocus, onStep, known, position, total, around = [], onOpen, onMove } = props;
  const { data: file, error, isPlaceholderData, refetch } = useFile(id, known);
  const change = useFileChange(props.change);
  const [hasPanel, setPanel] = useState(true);
  const picture = useRef<PictureHandle>(null);
  const video = useRef<VideoHandle>(null);
  const stage = useRef<HTMLDivElement>(null);
  const tagField = useRef<HTMLInputElement>(null);

  const act = {
    copy: async () => {
      if (file === undefined) return;
      const isDone = await copyText(file.url);
      toast({ title: isDone ? "Link copied" : "The browser did not let us copy", ...(!isDone && { tone: "danger" }) });
    },
    favourite: () => file && void change(file, { favorite: !file.favorite }),
    trash: () => {
      if (file === undefined) return;
      void change(file, { status: file.status === "trash" ? "active" : "trash" });
      if (onStep !== undefined && position !== undefined && total !== undefined && total > 1) {
        onStep(position < total - 1 ? 1 : -1);
      } else onClose();
    },
    zoom: () => picture.current?.toggleZoom(),
    panel: () => setPanel((before) => !before),
    play: () => video.current?.togglePlay(),
    frame: (by: 1 | -1) => video.current?.stepFrame(by),
    tag: () => {
      // At once: what is typed next goes into the field.
      flushSync(() => setPanel(true));
      tagField.current?.focus();
    },
    move: () => file && onMove?.(file),
    step: (by: 1 | -1) => onStep?.(by),
  };
  const onKeyDown = useFileKeys(act);
  const isFilm = file !== undefined && isVideo(file);
  // What a listing tells has no address that is not counted as a view.
  const source = file === undefined || isPlaceholderData ? undefined : shownUrl(file);
  const renew = async () => {
    const { data } = await refetch();
    return data && shownUrl(data);
  };

  /** A button that goes away, at either end, must not take the focus with it: keys would be the page's. */
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
      <div ref={stage} tabIndex={-1} className={styles.stage}>
        <FileBar {...{ file, position, total, act, isFilm, onClose, hasPanel }} />
        <div className={styles.shown}>
          {file === undefined && error !== null && (
            <div className={styles.state}>
              <Problem error={error} title="This file could not be loaded" onRetry={() => void renew()} />
            </div>
          )}
          {file !== undefined &&
            (isFilm ? (
              <Video key={id} ref={video} {...{ file, source, renew }} />
            ) : (
              <Picture key={id} ref={picture} {...{ file, source, renew }} onStep={act.step} />
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
      {hasPanel && (
        <aside className={styles.panel} aria-label="Links and facts">
          {file !== undefined && <FilePanel {...{ file, change, tagField, onMove }} />}
        </aside>
      )}
    </FullDialog>
  );
}
