import Lock from "lucide-react/icons/lock";
import Star from "lucide-react/icons/star";
import { memo } from "react";
import { formatBytes, formatDate } from "../../design/format.ts";
import { splitName } from "../../uploads/split-name.ts";
import { nameType } from "../view/file-types.ts";
import { describe } from "./describe.ts";
import { Picture } from "./picture.tsx";
import { isSame, type RowProps } from "./row.tsx";
import styles from "./table-row.module.css";

interface TableRowProps extends RowProps {
  readonly folderName: (folderId: string | null) => string;
  /** The date in the last column. */
  readonly dated: "createdAt" | "takenAt";
}

const PREVIEW = 32;

const TableRow = memo(function TableRow({
  row,
  top,
  geometry,
  items,
  selected,
  focused,
  isFast,
  hrefOf,
  folderName,
  dated,
}: TableRowProps) {
  const item = items[0];
  const isSelected = selected === "1";
  const date = item?.[dated];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell
    <div
      role="row"
      className={styles.row}
      data-row={row}
      data-selected={isSelected || undefined}
      aria-rowindex={row + 2}
      style={{ transform: `translateY(${top}px)`, width: geometry.tile }}
    >
      <div
        role="gridcell"
        className={styles.name}
        data-position={row}
        tabIndex={focused === 0 ? 0 : -1}
        aria-selected={isSelected}
        aria-colindex={1}
        aria-label={item === undefined ? "Loading" : undefined}
      >
        <span className={styles.check} data-act="toggle" aria-hidden="true" />
        <span className={styles.preview}>
          {item !== undefined && !isFast && <Picture item={item} side={PREVIEW} />}
        </span>
        {item !== undefined && (
          <>
            <a className={styles.link} href={hrefOf(item)} tabIndex={-1} draggable={false} aria-label={describe(item)}>
              <Name name={item.prompt} />
            </a>
            {item.favorite && <Star className={styles.star} size={14} aria-hidden="true" />}
            {item.visibility === "private" && <Lock className={styles.lock} size={14} aria-hidden="true" />}
            <span className={styles.copy} data-act="copy" aria-hidden="true" title="Copy link" />
          </>
        )}
      </div>
      <Cell at={2} text={item && nameType(item.mimeType)} />
      <Cell at={3} text={item && formatBytes(item.fileSize)} isNumber />
      <Cell at={4} text={item && (item.size.width > 0 ? `${item.size.width} × ${item.size.height}` : "")} isNumber />
      <Cell at={5} text={item && folderName(item.folderId)} />
      <Cell at={6} text={item?.tags.join(", ")} />
      <Cell at={7} text={date ? formatDate(date, "short") : ""} isNumber />
    </div>
  );
}, isSame);
export default TableRow;

/** A name whose ending is visible at any width, because a camera's files differ only in their endings. */
function Name({ name }: { readonly name: string }) {
  const [stem, ending] = splitName(name);
  return (
    <bdi title={name}>
      <span className={styles.stem}>{stem}</span>
      <span className={styles.ending}>{ending}</span>
    </bdi>
  );
}

function Cell({
  at,
  text,
  isNumber,
}: {
  readonly at: number;
  readonly text: string | undefined;
  readonly isNumber?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell
    <div
      role="gridcell"
      className={styles.cell}
      data-column={at}
      data-number={isNumber}
      aria-colindex={at}
      title={text}
    >
      {text}
    </div>
  );
}
