import { FileImage, Film, ImageOff } from "lucide-react";
import type { SyntheticEvent } from "react";
import type { Item } from "./change.ts";
import { fitOf } from "./fit.ts";
import styles from "./picture.module.css";

/** A file's preview in its square. Loading sets attributes of the element and no state, so nothing is built again. */
export function Picture({ item, side }: { readonly item: Item; readonly side: number }) {
  const address = previewOf(item);
  const isVideo = item.mimeType.startsWith("video/");
  const Icon = item.thumbnail === "failed" ? ImageOff : isVideo ? Film : FileImage;
  return (
    <span className={styles.picture}>
      {/* Below the picture, so it is seen where there is none, and where one does not come. */}
      <span className={styles.icon} data-icon="">
        <Icon size={Math.min(32, Math.max(16, side / 4))} strokeWidth={1.5} aria-hidden="true" />
        {item.thumbnail === "pending" && side >= 120 && <span>Thumbnail is being made</span>}
      </span>
      {address !== undefined && (
        <img
          // Another file in the same place begins anew.
          key={item._id}
          className={styles.image}
          src={address}
          alt=""
          decoding="async"
          draggable={false}
          data-fit={fitOf(item.size)}
          onLoad={show}
          onError={hide}
        />
      )}
    </span>
  );
}

/** @returns undefined where there is no picture, or none yet */
export function previewOf({ previewUrl, thumbnailUrl, thumbnail }: Item): string | undefined {
  if (thumbnail === "pending") return undefined;
  return previewUrl ?? thumbnailUrl ?? undefined;
}

/** What may be transparent is shown on a checker, once it is seen to be. */
function show({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  image.dataset.state = "shown";
  if (image.naturalWidth > 0 && hasAlpha(image)) image.dataset.alpha = "";
}

function hide({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  image.dataset.state = "failed";
}

const SAMPLE = 12;
let canvas: CanvasRenderingContext2D | null | undefined;

/** @returns false also where another origin's picture must not be read */
function hasAlpha(image: HTMLImageElement): boolean {
  canvas ??= Object.assign(document.createElement("canvas"), { width: SAMPLE, height: SAMPLE }).getContext("2d", {
    willReadFrequently: true,
  });
  if (!canvas) return false;
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
