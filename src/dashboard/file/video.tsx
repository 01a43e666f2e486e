import { type Ref, useImperativeHandle, useRef } from "react";
import type { FileFacts } from "./file-facts.ts";
import { NotShown } from "./not-shown.tsx";
import { useRenewal } from "./use-renewal.ts";
import styles from "./video.module.css";

export interface VideoHandle {
  togglePlay(): void;
  /** A frame forward, or back, as near as a browser lets one know. */
  stepFrame(by: 1 | -1): void;
}

interface VideoProps {
  readonly file: FileFacts;
  /** The file's address; undefined before the service has said it. */
  readonly source: string | undefined;
  /** Asks for a new address, where the old one may have expired. */
  readonly renew: () => Promise<string | undefined>;
  readonly ref: Ref<VideoHandle>;
}

/** Browsers do not say how long a frame is; most films have 25 to 30 a second. */
const FRAME_SECONDS = 1 / 30;

/** A film with the browser's own controls; it is sought by ranges. An address that has expired is renewed, and the film goes on where it was. */
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
  // Of QuickTime no browser says that it plays it, and most play most of it.
  if (isBroken || (isUnknown && file.mimeType !== "video/quicktime")) return <NotShown file={file} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: people's own films have none.
    <video
      key={source}
      ref={element}
      className={styles.video}
      src={source}
      poster={file.previewUrl ?? file.thumbnailUrl ?? undefined}
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
