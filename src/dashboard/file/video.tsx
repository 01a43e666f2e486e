import { type Ref, useImperativeHandle, useRef } from "react";
import type { FileFacts } from "./file-facts.ts";
import { NotShown } from "./not-shown.tsx";
import { useRenewal } from "./use-renewal.ts";
import styles from "./video.module.css";

export interface VideoHandle {
  togglePlay(): void;
  /** Steps a frame forward or back, approximately. */
  stepFrame(by: 1 | -1): void;
}

interface VideoProps {
  readonly file: FileFacts;
  /** The file's address; undefined until the service has answered. */
  readonly source: string | undefined;
  /** Fetches a new address, because the old one may have expired. */
  readonly renew: () => Promise<string | undefined>;
  readonly ref: Ref<VideoHandle>;
}

/** Browsers do not report a frame's length; most videos have 25 to 30 frames a second. */
const FRAME_SECONDS = 1 / 30;

/** A video with the browser's own controls, loaded by ranges. An expired address is renewed, and the video resumes at the same time. */
export function Video({ file, source, renew, ref }: VideoProps) {
  const element = useRef<HTMLVideoElement>(null);
  const resume = useRef({ seconds: 0, isPlaying: false });
  const { isBroken, fail, work } = useRenewal(source, renew);

  useImperativeHandle(
    ref,
    () => ({
      togglePlay() {
        const { current } = element;
        if (current?.paused) void current.play().catch(() => undefined);
        else current?.pause();
      },
      stepFrame(by) {
        const { current } = element;
        if (current === null) return;
        current.pause();
        current.currentTime = Math.max(0, current.currentTime + by * FRAME_SECONDS);
      },
    }),
    [],
  );
  const failAt = () => {
    const { current } = element;
    if (current !== null) resume.current = { seconds: current.currentTime, isPlaying: !current.paused };
    fail();
  };
  const isUnknown = document.createElement("video").canPlayType(file.mimeType) === "";
  // No browser reports QuickTime as playable, but most play most of it.
  if (isBroken || (isUnknown && file.mimeType !== "video/quicktime")) return <NotShown file={file} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: people's own films have none.
    <video
      key={source}
      ref={element}
      className={styles.video}
      src={source}
      poster={file.previewUrl ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={file.prompt}
      onLoadedMetadata={({ currentTarget }) => {
        work();
        const { seconds, isPlaying } = resume.current;
        if (seconds > 0) currentTarget.currentTime = seconds;
        if (isPlaying) void currentTarget.play().catch(() => undefined);
      }}
      onError={failAt}
    />
  );
}
