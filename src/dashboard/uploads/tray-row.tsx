import X from "lucide-react/icons/x";
import { memo } from "react";
import { foldersQuery } from "../api/queries/folders.ts";
import { queryClient } from "../api/query-client.ts";
import { Button } from "../design/button.tsx";
import { classNames } from "../design/class-names.ts";
import { IconButton } from "../design/icon-button.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { CopyLinks } from "./copy-links.tsx";
import { splitName } from "./split-name.ts";
import { StateMark } from "./state-mark.tsx";
import styles from "./tray-row.module.css";
import { isOver, type UploadItem } from "./upload-item.ts";
import { uploads } from "./uploads-store.ts";
import { optionsOf, placeOf, statusOf } from "./words.ts";

export const TrayRow = memo(function TrayRow({ item }: { readonly item: UploadItem }) {
  const { id, name, state, remedy, result, target, picture } = item;
  const folders = queryClient.getQueryData(foldersQuery.queryKey);
  const nameOfFolder = (folderId: string | null) => folders?.find(({ _id }) => _id === folderId)?.name;
  const duplicate = result?.deduplicated ? result : undefined;
  const options = duplicate
    ? placeOf(duplicate, name, nameOfFolder(duplicate.folderId))
    : optionsOf(target, nameOfFolder(target.folderId));
  const [stem, ending] = splitName(name);
  return (
    <li className={classNames(styles.row, state === "failed" && styles.failed, state === "waiting" && styles.waiting)}>
      <span className={styles.look}>
        {picture !== undefined && <img className={styles.picture} src={picture} alt="" />}
        <StateMark item={item} />
      </span>
      <div>
        <div className={styles.name} title={name}>
          <bdi className={styles.stem}>{stem}</bdi>
          <bdi className={styles.ending}>{ending}</bdi>
        </div>
        <div className={styles.status}>{statusOf(item)}</div>
        {options !== "" && <div className={styles.options}>{options}</div>}
      </div>
      <div className={styles.actions}>
        {duplicate !== undefined && (
          <>
            <LinkButton size="small" to={`/library/${duplicate._id}`}>
              Open
            </LinkButton>
            <Button tone="quiet" size="small" onClick={() => uploads.keepBoth(id)}>
              Keep both
            </Button>
          </>
        )}
        {result !== undefined && duplicate === undefined && <CopyLinks files={[result]} label="Copy link" />}
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

/** Snapshots copy their items, most of which are unchanged. */
function isSame(
  { item: before }: { readonly item: UploadItem },
  { item: after }: { readonly item: UploadItem },
): boolean {
  const { state, sentBytes, message, remedy, target, picture } = before;
  return (
    state === after.state &&
    sentBytes === after.sentBytes &&
    message === after.message &&
    remedy === after.remedy &&
    target === after.target &&
    picture === after.picture
  );
}
