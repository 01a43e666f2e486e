import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import { chooseSorting, sortedBy } from "../view/sort-choice.ts";
import type { SortBy, Sorting } from "../view/sorting.ts";
import type { Address } from "../view/use-address.ts";
import styles from "./table-row.module.css";

interface TableHeadProps {
  readonly address: Pick<Address, "filters" | "sorting" | "setSorting">;
}

interface Column {
  readonly title: string;
  readonly by?: SortBy;
  readonly isNumber?: boolean;
}

/** The table's column names. A column by which the service can sort is a button. */
export default function TableHead({ address }: TableHeadProps) {
  const { sorting } = address;
  return (
    <div role="rowgroup">
      {/* biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell */}
      <div role="row" className={styles.head} aria-rowindex={1}>
        {columnsOf(sorting).map(({ title, by, isNumber }, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus is on a cell
          <div
            key={title}
            role="columnheader"
            data-column={at + 1}
            data-number={isNumber}
            aria-colindex={at + 1}
            aria-sort={by === sorting.by ? (sorting.order === "asc" ? "ascending" : "descending") : undefined}
          >
            {by === undefined ? (
              title
            ) : (
              <button
                type="button"
                className={styles.sort}
                onClick={() => chooseSorting(address, sortedBy(by, sorting))}
              >
                {title}
                {by === sorting.by && (sorting.order === "asc" ? <ArrowUp {...MARK} /> : <ArrowDown {...MARK} />)}
              </button>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

const MARK = { size: 13, "aria-hidden": true } as const;

/** The last column has the date by which the files are sorted. */
function columnsOf({ by }: Sorting): readonly Column[] {
  return [
    { title: "Name", by: "name" },
    { title: "Type" },
    { title: "Size", by: "size", isNumber: true },
    { title: "Dimensions", isNumber: true },
    { title: "Folder" },
    { title: "Tags" },
    by === "takenAt"
      ? { title: "Taken", by: "takenAt", isNumber: true }
      : { title: "Uploaded", by: "createdAt", isNumber: true },
  ];
}
