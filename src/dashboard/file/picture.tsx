import { type Ref, type RefObject, useCallback, useEffect, useImperativeHandle, useRef, useState } from "react";
import type { FileFacts } from "./file-facts.ts";
import { NotShown } from "./not-shown.tsx";
import styles from "./picture.module.css";
import { useRenewal } from "./use-renewal.ts";
import { fit, type Sizes, type View } from "./zoom.ts";
import { followGestures, switchZoom, type Zoomed } from "./zoom-gestures.ts";

interface ZoomOptions {
  readonly frame: RefObject<HTMLElement | null>;
  /** The picture's size in pixels. */
  readonly width: number;
  readonly height: number;
  /** Called when a finger swipes the whole picture to a side. */
  readonly onSwipe: (by: 1 | -1) => void;
}

export interface PictureHandle {
  toggleZoom(): void;
}

interface PictureProps {
  readonly file: FileFacts;
  /** The file's address; undefined until the service has answered. */
  readonly source: string | undefined;
  readonly onStep: (by: 1 | -1) => void;
  /** Fetches a new address, because the old one may have expired. */
  readonly renew: () => Promise<string | undefined>;
  readonly ref: Ref<PictureHandle>;
}

const SEE_THROUGH = ["image/png", "image/webp", "image/gif"];

/** An image. Its preview is shown at once, then the file itself over it. */
export function Picture({ file, source, onStep, renew, ref }: PictureProps) {
  const { size, previewUrl, mimeType, prompt } = file;
  const frame = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState({ width: size.width, height: size.height });
  const [isLoaded, setLoaded] = useState(false);
  const { view, isClose, toggle, isMeasured } = useZoom({ frame, ...known, onSwipe: onStep });
  useImperativeHandle(ref, () => ({ toggleZoom: () => toggle() }), [toggle]);
  useEffect(() => {
    if (size.width > 0) setKnown({ width: size.width, height: size.height });
  }, [size.width, size.height]);

  const { width, height } = known;
  const { isBroken, fail, work } = useRenewal(source, renew);
  if (isBroken) return <NotShown file={file} />;
  const seeThrough = isLoaded && SEE_THROUGH.includes(mimeType);
  return (
    <div ref={frame} className={styles.frame} data-close={isClose || undefined}>
      <div
        className={`${styles.picture} ${seeThrough ? styles.checked : ""}`}
        style={{
          inlineSize: width,
          blockSize: height,
          visibility: isMeasured && width > 0 ? "visible" : "hidden",
          transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale}) translate(-50%, -50%)`,
        }}
      >
        {previewUrl && !isLoaded && <img src={previewUrl} alt="" draggable={false} />}
        {source !== undefined && (
          <img
            key={source}
            src={source}
            alt={prompt}
            draggable={false}
            decoding="async"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              work();
              setLoaded(true);
              setKnown({ width: naturalWidth, height: naturalHeight });
            }}
            onError={fail}
          />
        )}
      </div>
    </div>
  );
}

/** Zooms and pans a picture by wheel, pinch, drag and double click. */
function useZoom({ frame, width, height, onSwipe }: ZoomOptions) {
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const sizes: Sizes = { frame: room, picture: { width, height }, pixelRatio: devicePixelRatio || 1 };
  const [view, setView] = useState<View>();
  const shown = view ?? fit(sizes);
  const now = useRef({ sizes, shown, onSwipe });
  now.current = { sizes, shown, onSwipe };
  const zoomed = useRef<Zoomed>({
    sizes: () => now.current.sizes,
    view: () => now.current.shown,
    setView: (next) => {
      // A further event may arrive before React renders.
      now.current.shown = next ?? fit(now.current.sizes);
      setView(next);
    },
    onSwipe: (by) => now.current.onSwipe(by),
  });
  const toggle = useCallback(() => switchZoom(zoomed.current), []);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setRoom({ width: element.clientWidth, height: element.clientHeight });
      setView(undefined);
    });
    observer.observe(element);
    const abort = new AbortController();
    followGestures(element, zoomed.current, abort.signal);
    return () => {
      observer.disconnect();
      abort.abort();
    };
  }, [frame]);

  return { view: shown, isClose: view !== undefined, toggle, isMeasured: room.width > 0 };
}
