import { fit, type Sizes, type View } from "../file/zoom.ts";
import { followGestures, switchZoom, type Zoomed } from "../file/zoom-gestures.ts";
import { make } from "./make.ts";
import type { SharedFile } from "./shared-file.ts";

/** The picture or video that is open. */
export interface Shown {
  /** Loads the file itself, which is a view. Until then its preview is shown. */
  load(url: string): void;
  zoom(): void;
  togglePlay(): void;
  /** Takes it away, and stops loading it. */
  end(): void;
}

export interface ShownEvents {
  onSwipe(by: 1 | -1): void;
  onSwipeDown(): void;
  onLoad(): void;
  onFail(): void;
}

const SEE_THROUGH = ["image/png", "image/webp", "image/gif"];

/** Shows a picture: its preview at once, then the file over it. */
export function showPicture(frame: HTMLElement, file: SharedFile, events: ShownEvents): Shown {
  const abort = new AbortController();
  const picture = make("div", { class: "picture" });
  const preview = file.previewUrl === undefined ? undefined : make("img", { src: file.previewUrl, alt: file.label });
  const whole = make("img", { alt: file.label });
  let size = { width: file.width, height: file.height };
  let view: View | undefined;
  const sizes = (): Sizes => {
    const { clientWidth: width, clientHeight: height } = frame;
    return { frame: { width, height }, picture: size, pixelRatio: devicePixelRatio || 1 };
  };
  const zoomed: Zoomed = {
    sizes,
    view: () => view ?? fit(sizes()),
    setView: (next) => {
      view = next;
      draw();
    },
    onSwipe: events.onSwipe,
    onSwipeDown: events.onSwipeDown,
  };
  const draw = () => {
    const { scale, x, y } = zoomed.view();
    frame.classList.toggle("is-close", view !== undefined);
    Object.assign(picture.style, {
      inlineSize: `${size.width}px`,
      blockSize: `${size.height}px`,
      visibility: size.width > 0 ? "visible" : "hidden",
      transform: `translate(${x}px, ${y}px) scale(${scale}) translate(-50%, -50%)`,
    });
  };
  /** The size that is in the pixels themselves. */
  const learnSize = ({ naturalWidth: width, naturalHeight: height }: HTMLImageElement) => {
    size = { width, height };
    draw();
  };
  if (preview !== undefined) {
    picture.append(preview);
    preview.addEventListener("load", () => size.width === 0 && learnSize(preview));
  }
  whole.addEventListener("load", async () => {
    learnSize(whole);
    picture.append(whole);
    if (SEE_THROUGH.includes(file.mimeType)) picture.classList.add("checked");
    await whole.decode().catch(() => undefined);
    preview?.remove();
    events.onLoad();
  });
  whole.addEventListener("error", () => whole.src !== "" && events.onFail());
  const observer = new ResizeObserver(() => zoomed.setView(undefined));
  observer.observe(frame);
  followGestures(frame, zoomed, abort.signal);
  frame.append(picture);
  draw();
  return {
    load: (url) => {
      whole.src = url;
    },
    zoom: () => switchZoom(zoomed),
    togglePlay: () => undefined,
    end: () => {
      abort.abort();
      observer.disconnect();
      whole.removeAttribute("src");
      picture.remove();
      frame.classList.remove("is-close");
    },
  };
}

/** A touch that begins on a player's controls, at its bottom, is not for the page. */
const CONTROLS_PIXELS = 90;

/** Shows a video with the browser's own controls. */
export function showVideo(frame: HTMLElement, file: SharedFile, events: ShownEvents): Shown {
  const abort = new AbortController();
  const { signal } = abort;
  const video = make("video", {
    class: "video",
    poster: file.previewUrl,
    controls: "",
    playsinline: "",
    preload: "metadata",
    "aria-label": file.label,
  });
  const play = () => void video.play().catch(() => undefined);
  /** The time at which a video continues after its address was renewed. */
  let seconds = 0;
  video.addEventListener("loadedmetadata", () => {
    if (seconds > 0) video.currentTime = seconds;
    events.onLoad();
  });
  video.addEventListener("error", () => {
    if (!video.hasAttribute("src")) return;
    seconds = video.currentTime;
    events.onFail();
  });
  followSwipes(
    frame,
    events,
    signal,
    (touch) => touch.clientY < video.getBoundingClientRect().bottom - CONTROLS_PIXELS,
  );
  frame.append(video);
  return {
    load: (url) => {
      video.src = url;
    },
    zoom: () => undefined,
    togglePlay: () => (video.paused ? play() : video.pause()),
    end: () => {
      abort.abort();
      video.removeAttribute("src");
      // Stops the download.
      video.load();
      video.remove();
    },
  };
}

/** Shows something else, such as a message. */
export function showOther(
  frame: HTMLElement,
  other: HTMLElement,
  events: Pick<ShownEvents, "onSwipe" | "onSwipeDown">,
): Shown {
  const abort = new AbortController();
  followSwipes(frame, events, abort.signal);
  frame.append(other);
  return {
    load: () => undefined,
    zoom: () => undefined,
    togglePlay: () => undefined,
    end: () => {
      abort.abort();
      other.remove();
    },
  };
}

const SWIPE_PIXELS = 60;

/** @param isMine whether a touch that begins is for the page */
function followSwipes(
  frame: HTMLElement,
  { onSwipe, onSwipeDown }: Pick<ShownEvents, "onSwipe" | "onSwipeDown">,
  signal: AbortSignal,
  isMine: (touch: Touch) => boolean = () => true,
): void {
  let start: Touch | undefined;
  const begin = ({ touches: [touch, second] }: TouchEvent) => {
    start = touch !== undefined && second === undefined && isMine(touch) ? touch : undefined;
  };
  const end = ({ changedTouches: [touch] }: TouchEvent) => {
    if (start === undefined || touch === undefined) return;
    const [dx, dy] = [touch.clientX - start.clientX, touch.clientY - start.clientY];
    start = undefined;
    if (Math.abs(dx) > SWIPE_PIXELS && Math.abs(dx) > 2 * Math.abs(dy)) onSwipe(dx < 0 ? 1 : -1);
    else if (dy > SWIPE_PIXELS && dy > 2 * Math.abs(dx)) onSwipeDown();
  };
  frame.addEventListener("touchstart", begin, { signal, passive: true });
  frame.addEventListener("touchend", end, { signal, passive: true });
}
