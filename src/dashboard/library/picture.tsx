import type { SyntheticEvent } from "react";
import type { Item } from "./change.ts";
import { fitOf } from "./fit.ts";
import { markTransparent } from "./mark-transparent.ts";
import styles from "./picture.module.css";

/** A file's preview in its square. Loading sets attributes of the element and no state, so nothing is built again. */
export function Picture({ item, side }: { readonly item: Item; readonly side: number }) {
  const address = previewOf(item);
  const type = item.mimeType.startsWith("video/") ? "film" : "image";
  return (
    <span className={styles.picture}>
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
          onLoad={mayBeTransparent(item) ? showOnChecker : show}
          onError={hide}
        />
      )}
      {/* Seen where there is no picture, and where one does not come. */}
      <span className={styles.icon} data-icon={item.thumbnail === "failed" ? "off" : type}>
        {item.thumbnail === "pending" && side >= 120 && <span>Thumbnail is being made</span>}
      </span>
    </span>
  );
}

/** @returns undefined where there is no picture, or none yet */
export function previewOf({ previewUrl, thumbnailUrl, thumbnail }: Item): string | undefined {
  if (thumbnail === "pending") return undefined;
  return previewUrl ?? thumbnailUrl ?? undefined;
}

/** Of no JPEG and no film. */
function mayBeTransparent({ mimeType }: Item): boolean {
  return mimeType !== "image/jpeg" && mimeType.startsWith("image/");
}

function show({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  image.dataset.state = "shown";
}

/** What may be transparent is shown on a checker, once it is seen to be. */
function showOnChecker(event: SyntheticEvent<HTMLImageElement>) {
  show(event);
  markTransparent(event.currentTarget);
}

function hide({ currentTarget: image }: SyntheticEvent<HTMLImageElement>) {
  image.dataset.state = "failed";
}
