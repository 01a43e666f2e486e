import styles from "./table-row.module.css";

const COLUMNS = ["Name", "Type", "Size", "Dimensions", "Folder", "Tags", "Uploaded"];
const NUMBERS = ["Size", "Dimensions", "Uploaded"];

/** The table's column names. They do not sort: the service lists the newest first. */
export default function TableHead() {
  return (
    <div role="rowgroup">
      {/* biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell */}
      <div role="row" className={styles.head} aria-rowindex={1}>
        {COLUMNS.map((title, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell
          <div
            key={title}
            role="columnheader"
            data-column={at + 1}
            data-number={NUMBERS.includes(title) || undefined}
            aria-colindex={at + 1}
          >
            {title}
          </div>
        ))}
      </div>
    </div>
  );
}
