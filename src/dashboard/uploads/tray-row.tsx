import X from "lucide-react/icons/x";
import { memo } from "react";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { CopyButton } from "../design/copy-button.tsx";
import { IconButton } from "../design/icon-button.tsx";
import { uploads } from "./queue.ts";
import { StateMark } from "./state-mark.tsx";
import styles from "./tray-row.module.css";
import { isOver, type UploadItem } from "./upload-item.ts";
import { statusOf } from "./words.ts";

/** How much of a name's end is always seen. */
const ENDING = 8;

/** One file: how far it is, or what became of it, and what can be done about it. */
export const TrayRow = memo(function TrayRow({ item }: { readonly item: UploadItem }) {
  const { id, name, state, remedy, result, target } = item;
  const cut = Math.max(0, name.length - ENDING);
  return (
    <li className={classNames(styles.row, state === "failed" && styles.failed, state === "waiting" && styles.waiting)}>
      <StateMark item={item} />
      <div>
        <div className={styles.name} title={name}>
          <span className={styles.stem}>{name.slice(0, cut)}</span>
          <span className={styles.ending}>{name.slice(cut)}</span>
        </div>
        <div className={styles.status}>{statusOf(item)}</div>
      </div>
      <div className={styles.actions}>
        {result !== undefined && <CopyButton text={result.url} label="Copy link" tone="quiet" size="small" />}
        {remedy === "retry" && (
          <Button tone="quiet" size="small" onClick={() => uploads.retry(id)}>
            Retry
          </Button>
        )}
        {remedy === "root" && (
          <Button tone="quiet" size="small" onClick={() => uploads.sendToRoot(target.folderId)}>
            Upload to Root
          </Button>
        )}
        {state !== "done" && (
          <IconButton
            size="small"
            label={`${isOver(state) ? "Remove" : "Cancel"} ${name}`}
            icon={X}
            onClick={() => uploads.cancel(id)}
          />
        )}
      </div>
    </li>
  );
}, isSame);

/** Snapshots copy their items, most of which are as they were. */
function isSame(
  { item: before }: { readonly item: UploadItem },
  { item: after }: { readonly item: UploadItem },
): boolean {
  const { state, sentBytes, message, remedy, target } = before;
  return (
    state === after.state &&
    sentBytes === after.sentBytes &&
    message === after.message &&
    remedy === after.remedy &&
    target === after.target
  );
}
