import { whenIdle } from "../design/when-idle.ts";

const SAMPLE = 12;
const MOST_KNOWN = 2000;
/** By address, whether one sees through it. */
const known = new Map<string, boolean>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** No picture has come for so long: the grid rests, or is all there. */
const REST_MS = 250;
const waiting = new Set<HTMLImageElement>();
let rest: ReturnType<typeof setTimeout> | undefined;

/**
 * Sets `data-alpha` of a loaded picture that is transparent somewhere. To look at one takes as long as to decode it, so that is done
 * when nothing else is, and not for pictures that have gone by then.
 */
export function markTransparent(image: HTMLImageElement): void {
  if (known.get(image.src) === true) image.dataset.alpha = "";
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

/** @returns false also where another origin's picture must not be read */
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
