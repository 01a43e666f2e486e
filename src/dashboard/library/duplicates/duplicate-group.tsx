import { useId } from "react";
import { Link } from "wouter";
import type { DuplicateGroup, MediaObject } from "../../../client/index.ts";
import { Button } from "../../design/button.tsx";
import { formatBytes, formatCount, formatDate, formatPlural } from "../../design/format.ts";
import section from "../../design/section.module.css";
import styles from "./duplicates.module.css";

interface DuplicateGroupProps {
  readonly group: DuplicateGroup;
  readonly nameOf: (folderId: string | null) => string;
  /** The file that is being kept. */
  readonly keepingId: string | undefined;
  readonly onKeep: (image: MediaObject) => void;
  readonly onOpen: (id: string) => void;
}

/** Files with the same bytes, as tiles. */
export function DuplicateGroupSection({ group, nameOf, keepingId, onKeep, onOpen }: DuplicateGroupProps) {
  const { sha256, count, freedBytes, images } = group;
  const titleId = useId();
  const hidden = count - images.length;
  return (
    <section id={sha256} tabIndex={-1} aria-labelledby={titleId} className={section.section}>
      <h2 id={titleId}>
        {formatPlural(count, "file")}, {formatBytes(freedBytes)} in copies
      </h2>
      <ul className={styles.tiles}>
        {images.map((image) => (
          <li key={image._id} className={styles.tile}>
            <Link
              href={`/duplicates/${image._id}`}
              className={styles.square}
              aria-label={`Open ${image.prompt}`}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                onOpen(image._id);
              }}
            >
              <Preview image={image} />
            </Link>
            <bdi className={styles.name} title={image.prompt}>
              {image.prompt}
            </bdi>
            <span className={styles.facts}>{nameOf(image.folderId)}</span>
            <span className={styles.facts}>
              {formatDate(image.createdAt)}
              {image.visibility === "private" && ", private"}
            </span>
            <Button
              size="small"
              busy={keepingId === image._id}
              disabled={keepingId !== undefined && keepingId !== image._id}
              aria-label={`Keep this one: ${image.prompt}, in ${nameOf(image.folderId)}`}
              onClick={() => onKeep(image)}
            >
              Keep this one
            </Button>
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className={styles.facts}>And {formatCount(hidden)} newer.</p>}
    </section>
  );
}

/** An icon is under the picture, for files that have no preview. */
function Preview({ image }: { readonly image: MediaObject }) {
  const { takedown, previewUrl, mimeType } = image;
  return (
    <>
      <span className={styles.icon} data-icon={mimeType.startsWith("video/") ? "film" : "image"} />
      {!takedown && previewUrl && <img src={previewUrl} alt="" loading="lazy" decoding="async" draggable={false} />}
    </>
  );
}
