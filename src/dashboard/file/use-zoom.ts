import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
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

/** Zooms and pans a picture by wheel, pinch, drag and double click. */
export function useZoom({ frame, width, height, onSwipe }: ZoomOptions) {
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
