import Upload from "lucide-react/icons/upload";
import styles from "./drop-overlay.module.css";
import type { Over } from "./use-window-drop.ts";

interface DropOverlayProps {
  readonly over: NonNullable<Over>;
  /** Where files go that are dropped on the page. */
  readonly folderName: string;
}

/** Says over the whole page where files would go. */
export function DropOverlay({ over, folderName }: DropOverlayProps) {
  return (
    <div className={styles.overlay} data-over={over}>
      <p className={styles.label}>
        <Upload size={20} aria-hidden />
        {over === "page" ? `Drop to upload to ${folderName}` : "Drop to upload into this folder"}
      </p>
    </div>
  );
}
