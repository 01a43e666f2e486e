import { useMutation, useQueryClient } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import ImageUp from "lucide-react/icons/image-up";
import { type DragEvent, useRef, useState } from "react";
import type { UploadResult } from "../../client/index.ts";
import { MediaHostError } from "../../client/media-host-error.ts";
import { connection } from "../api/client.ts";
import { describeRefusal } from "../api/describe-refusal.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { CodeBlock } from "../design/code-block.tsx";
import { formatBytes, isolate } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import styles from "./first-drop.module.css";

const TYPES = "image/jpeg,image/png,image/webp,image/gif,video/mp4,video/webm,video/quicktime,video/x-msvideo,.avi";

interface FirstDropProps {
  /** Called when the file is stored. */
  readonly onStored: () => void;
}

/** A drop zone for the first file. It accepts a single file; the library accepts any number. */
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
              ? `${isolate(send.variables.name)}, ${formatBytes(send.variables.size)}`
              : "A photo or a video. It gets a public link."}
          </p>
        </>
      ) : (
        <FirstFile result={send.data} />
      )}
      <Button busy={send.isPending} onClick={() => chooser.current?.click()}>
        {send.data === undefined ? "Choose a file" : "Choose another file"}
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
            title={`${send.variables === undefined ? "The file" : isolate(send.variables.name)} was not uploaded`}
            {...(!isRefusal(send.error) && { onRetry: () => take(send.variables) })}
          />
        </div>
      )}
    </section>
  );
}

/** Uploads one file. The library's upload queue is not loaded on this page. */
function useFirstUpload() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (file: File) => {
      const { upload } = await import("../../client/upload.ts");
      return upload(connection, file).catch((error: unknown) => {
        throw isRefusal(error) ? new MediaHostError(describeRefusal(error.message, error.details ?? {}), error) : error;
      });
    },
    onSuccess: () => queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "account" }),
  });
}

/** Whether the service refused the file itself: sending it again changes nothing. */
function isRefusal(error: unknown): error is MediaHostError {
  return error instanceof MediaHostError && ["unsupported_media_type", "file_invalid"].includes(error.code ?? "");
}

interface FirstFileProps {
  readonly result: UploadResult;
}

/** The stored file with its link. */
function FirstFile({ result: { originalFilename, originalFileSize, fileSize, compressed, url } }: FirstFileProps) {
  const size = compressed
    ? `${formatBytes(originalFileSize)}, stored as ${formatBytes(fileSize)}`
    : formatBytes(fileSize);
  return (
    <>
      <CircleCheck size={28} aria-hidden className={styles.good} />
      <h2>Uploaded</h2>
      <p role="status">
        <bdi>{originalFilename}</bdi>, {size}
      </p>
      <div className={styles.link}>
        <CodeBlock code={url} label="link" line />
      </div>
    </>
  );
}
