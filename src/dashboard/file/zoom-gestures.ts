import { isFit, pan, type Sizes, toggleZoom, type View, wheelFactor, zoomTo } from "./zoom.ts";

const SWIPE_PIXELS = 60;
/** A gesture that begins on one of these is not for the picture. */
const CONTROLS = "button, a";

export interface Zoomed {
  /** The frame and the picture as they are now. */
  sizes(): Sizes;
  view(): View;
  /** @param view undefined shows the whole picture */
  setView(view: View | undefined): void;
  /** Called when a finger swipes the whole picture to a side. */
  onSwipe(by: 1 | -1): void;
  /** Called when a finger swipes the whole picture down. */
  onSwipeDown?(): void;
}

/** Switches between the whole picture and its own pixels, about a point from the frame's middle. */
export function switchZoom(zoomed: Zoomed, at = { x: 0, y: 0 }): void {
  const [view, sizes] = [zoomed.view(), zoomed.sizes()];
  zoomed.setView(isFit(view, sizes) ? toggleZoom(view, at, sizes) : undefined);
}

/** Zooms and pans a picture by wheel, pinch, drag and double click, until the signal aborts. */
export function followGestures(frame: HTMLElement, zoomed: Zoomed, signal: AbortSignal): void {
  const options = { signal, passive: false };
  const fingers = new Map<number, { x: number; y: number }>();
  let start: { x: number; y: number } | undefined;

  const fromMiddle = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }) => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };
  const isOnControl = (event: Event) => (event.target as Element).closest(CONTROLS) !== null;
  const set = (view: View) => zoomed.setView(isFit(view, zoomed.sizes()) ? undefined : view);

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const view = zoomed.view();
    const factor = wheelFactor(event.deltaY, event.deltaMode, event.ctrlKey);
    set(zoomTo(view, view.scale * factor, fromMiddle(event), zoomed.sizes()));
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0 || isOnControl(event)) return;
    frame.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, fromMiddle(event));
    start = fingers.size === 1 ? fromMiddle(event) : undefined;
  };
  const move = (event: PointerEvent) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined) return;
    const at = fromMiddle(event);
    fingers.set(event.pointerId, at);
    const [last, sizes] = [zoomed.view(), zoomed.sizes()];
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (other === undefined) set(pan(last, at.x - before.x, at.y - before.y, sizes));
    else {
      const distance = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y);
      const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
      set(zoomTo(last, (last.scale * distance(at)) / Math.max(1, distance(before)), middle, sizes));
    }
  };
  const up = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId) || start === undefined) return;
    const { x, y } = fromMiddle(event);
    const [dx, dy] = [x - start.x, y - start.y];
    start = undefined;
    if (event.pointerType === "mouse" || !isFit(zoomed.view(), zoomed.sizes()) || fingers.size > 0) return;
    if (Math.abs(dx) > SWIPE_PIXELS && Math.abs(dx) > 2 * Math.abs(dy)) zoomed.onSwipe(dx < 0 ? 1 : -1);
    else if (dy > SWIPE_PIXELS && dy > 2 * Math.abs(dx)) zoomed.onSwipeDown?.();
  };
  frame.addEventListener("wheel", wheel, options);
  frame.addEventListener("pointerdown", down, options);
  frame.addEventListener("pointermove", move, options);
  frame.addEventListener("pointerup", up, options);
  frame.addEventListener("pointercancel", ({ pointerId }) => fingers.delete(pointerId), options);
  frame.addEventListener("dblclick", (event) => isOnControl(event) || switchZoom(zoomed, fromMiddle(event)), options);
}
