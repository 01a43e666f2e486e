import ImageUp from "lucide-react/icons/image-up";
import { type DragEvent, useRef, useState } from "react";
import { useFirstUpload } from "../api/queries/first-upload.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { formatBytes } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import styles from "./first-drop.module.css";
import { FirstFile } from "./first-file.tsx";

const TYPES = "image/jpeg,image/png,image/webp,image/gif,video/mp4,video/webm,video/quicktime,video/x-msvideo,.avi";

interface FirstDropProps {
  /** The file is in the library. */
  readonly onStored: () => void;
}

/** A place for the first file. One file alone: the library takes any number. */
export function FirstDrop({ onStored }: FirstDropProps) {
  const [isOver, setIsOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const send = useFirstUpload();
  const take = (file: File | undefined) => {
    if (file !== undefined && !send.isPending) send.mutate(file, { onSuccess: onStored });
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  };
  return (
    <section
      aria-label="First file"
      className={classNames(styles.zone, isOver && styles.over)}
      onDragOver={onDragOver}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      {send.data === undefined ? (
        <>
          <ImageUp size={28} aria-hidden />
          <h2>{send.isPending ? "Uploading" : "Drop your first file here"}</h2>
          <p role="status">
            {send.isPending
              ? `${send.variables.name}, ${formatBytes(send.variables.size)}`
              : "A photo or a video. It gets a link that anybody can open."}
          </p>
        </>
      ) : (
        <FirstFile result={send.data} />
      )}
      <Button busy={send.isPending} onClick={() => chooser.current?.click()}>
        {send.data === undefined ? "Choose a file" : "Choose another"}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={TYPES}
        aria-label="File"
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          event.currentTarget.value = "";
        }}
      />
      {send.error !== null && (
        <div className={styles.problem}>
          <Problem
            error={send.error}
            title={`${send.variables?.name ?? "The file"} was not uploaded`}
            {...(send.variables !== undefined && { onRetry: () => take(send.variables) })}
          />
        </div>
      )}
    </section>
  );
}
