import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { fit, isFit, pan, type Sizes, toggleZoom, type View, wheelFactor, zoomTo } from "./zoom.ts";

interface ZoomOptions {
  readonly frame: RefObject<HTMLElement | null>;
  /** The picture's size in pixels. */
  readonly width: number;
  readonly height: number;
  /** Called when a finger swipes the whole picture to a side. */
  readonly onSwipe: (by: 1 | -1) => void;
}

const SWIPE_PIXELS = 60;

/** Zooms and pans a picture by wheel, pinch, drag and double click. */
export function useZoom({ frame, width, height, onSwipe }: ZoomOptions) {
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const sizes: Sizes = { frame: room, picture: { width, height }, pixelRatio: devicePixelRatio || 1 };
  const [view, setView] = useState<View>();
  const shown = view ?? fit(sizes);
  const now = useRef({ sizes, shown, onSwipe });
  now.current = { sizes, shown, onSwipe };

  const toggle = useCallback((at = { x: 0, y: 0 }) => {
    const { sizes: current, shown: before } = now.current;
    setView(isFit(before, current) ? toggleZoom(before, at, current) : undefined);
  }, []);

  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      setRoom({ width: element.clientWidth, height: element.clientHeight });
      setView(undefined);
    });
    observer.observe(element);
    const abort = new AbortController();
    const options = { signal: abort.signal, passive: false };
    const fingers = new Map<number, { x: number; y: number }>();
    let start: { x: number; y: number } | undefined;

    const fromMiddle = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
      const { left, top, width: wide, height: high } = element.getBoundingClientRect();
      return { x: clientX - left - wide / 2, y: clientY - top - high / 2 };
    };
    const set = (next: View) => {
      now.current.shown = next;
      setView(isFit(next, now.current.sizes) ? undefined : next);
    };
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const { shown: before, sizes: current } = now.current;
      const factor = wheelFactor(event.deltaY, event.deltaMode, event.ctrlKey);
      set(zoomTo(before, before.scale * factor, fromMiddle(event), current));
    };
    const down = (event: PointerEvent) => {
      if (event.button !== 0 || (event.target as Element).closest("button, a") !== null) return;
      element.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, fromMiddle(event));
      start = fingers.size === 1 ? fromMiddle(event) : undefined;
    };
    const move = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const at = fromMiddle(event);
      fingers.set(event.pointerId, at);
      const { shown: last, sizes: current } = now.current;
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other === undefined) set(pan(last, at.x - before.x, at.y - before.y, current));
      else {
        const distance = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y);
        const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
        set(zoomTo(last, (last.scale * distance(at)) / Math.max(1, distance(before)), middle, current));
      }
    };
    const up = (event: PointerEvent) => {
      if (!fingers.delete(event.pointerId) || start === undefined) return;
      const { x, y } = fromMiddle(event);
      const [dx, dy] = [x - start.x, y - start.y];
      start = undefined;
      const { shown: last, sizes: current, onSwipe: swipe } = now.current;
      if (event.pointerType === "mouse" || !isFit(last, current) || fingers.size > 0) return;
      if (Math.abs(dx) > SWIPE_PIXELS && Math.abs(dx) > 2 * Math.abs(dy)) swipe(dx < 0 ? 1 : -1);
    };
    const double = (event: MouseEvent) => {
      if ((event.target as Element).closest("button, a") === null) toggle(fromMiddle(event));
    };
    element.addEventListener("wheel", wheel, options);
    element.addEventListener("pointerdown", down, options);
    element.addEventListener("pointermove", move, options);
    element.addEventListener("pointerup", up, options);
    element.addEventListener("pointercancel", ({ pointerId }) => fingers.delete(pointerId), options);
    element.addEventListener("dblclick", double, options);
    return () => {
      observer.disconnect();
      abort.abort();
    };
  }, [frame, toggle]);

  return { view: shown, isClose: view !== undefined, toggle, isMeasured: room.width > 0 };
}
