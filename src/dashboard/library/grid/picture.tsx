import type { SyntheticEvent } from "react";
import { whenIdle } from "../../design/when-idle.ts";
import { uploads } from "../../uploads/uploads-store.ts";
import type { Item } from "../changes/patch.ts";
import styles from "./picture.module.css";

/** A file's preview in its square. Loading sets attributes of the element instead of state, so React renders nothing again. */
export function Picture({ item, side }: { readonly item: Item; readonly side: number }) {
  const { takedown } = item;
  const address = !takedown && item.previewUrl;
  const type = item.mimeType.startsWith("video/") ? "film" : "image";
  // A file that this page uploaded has a local picture before the service's preview.
  const local = uploads.pictures.get(item._id);
  return (
    <span className={styles.picture}>
      {address && (
        <img
          // Another file at the same position gets a new element.
          key={item._id}
          className={styles.image}
          src={address}
          alt=""
          decoding="async"
          draggable={false}
          data-fit={fitOf(item.size)}
          onLoad={mayBeTransparent(item) ? showOnChecker : show}
          onError={hide}
        />
      )}
      {/* Shown while there is no preview, or if it fails. */}
      {local !== undefined ? (
        <img className={styles.local} src={local} alt="" draggable={false} data-fit={fitOf(item.size)} />
      ) : (
        <span className={styles.icon} data-icon={takedown || item.thumbnail === "failed" ? "off" : type}>
          {side >= 120 &&
            (takedown ? <span>Taken down</span> : item.thumbnail === "pending" && <span>Creating thumbnail</span>)}
        </span>
      )}
    </span>
  );
}

function mayBeTransparent({ mimeType }: Item): boolean {
  return mimeType !== "image/jpeg" && mimeType.startsWith("image/");
}

function show({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  image.dataset.state = "shown";
}

/** A picture that may be transparent is checked after it is shown, and then gets a checker. */
function showOnChecker(event: SyntheticEvent<HTMLImageElement>) {
  show(event);
  markTransparent(event.currentTarget);
}

function hide({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  image.dataset.state = "failed";
}

/** A picture fills its square, unless that would cut off more than half of it or enlarge an icon. */
function fitOf({ width, height }: Item["size"]): "cover" | "contain" {
  if (width === 0 || height === 0) return "cover";
  const isLong = Math.max(width, height) > 2 * Math.min(width, height);
  const isSmall = Math.max(width, height) < 96;
  return isLong || isSmall ? "contain" : "cover";
}

const SAMPLE = 12;
const MOST_KNOWN = 2000;
/** Caches whether a picture is transparent, by its address. */
const known = new Map<string, boolean>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** The grid is at rest when no picture has loaded for this time. */
const REST_MS = 250;
const waiting = new Set<HTMLImageElement>();
let rest: ReturnType<typeof setTimeout> | undefined;

/**
 * Sets `data-alpha` on a loaded picture that is partly transparent. The check takes as long as a decode. It therefore runs when the page is
 * idle, and skips pictures that have left the page.
 */
function markTransparent(image: HTMLImageElement): void {
  if (known.get(image.src)) image.dataset.alpha = "";
  if (known.has(image.src)) return;
  waiting.add(image);
  clearTimeout(rest);
  rest = setTimeout(() => {
    for (const each of waiting) whenIdle(() => look(each));
    waiting.clear();
  }, REST_MS);
}

function look(image: HTMLImageElement): void {
  if (!image.isConnected) return;
  const found = hasAlpha(image);
  if (known.size === MOST_KNOWN) known.clear();
  known.set(image.src, found);
  if (found) image.dataset.alpha = "";
}

/** @returns false if the picture is of another origin that forbids reading */
function hasAlpha(image: HTMLImageElement): boolean {
  canvas ??= Object.assign(document.createElement("canvas"), { width: SAMPLE, height: SAMPLE }).getContext("2d", {
    willReadFrequently: true,
  });
  if (!canvas || image.naturalWidth === 0) return false;
  try {
    canvas.clearRect(0, 0, SAMPLE, SAMPLE);
    canvas.drawImage(image, 0, 0, SAMPLE, SAMPLE);
    const { data } = canvas.getImageData(0, 0, SAMPLE, SAMPLE);
    for (let at = 3; at < data.length; at += 4) if ((data[at] as number) < 250) return true;
    return false;
  } catch {
    return false;
  }
}
