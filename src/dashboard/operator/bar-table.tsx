import { classNames } from "../design/class-names.ts";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import styles from "./operator.module.css";

export interface BarRow {
  readonly name: string;
  readonly value: number;
  /** The value as text: "3 messages". */
  readonly text: string;
  /** A second figure, such as an age. */
  readonly note?: string;
  readonly tone?: "accent" | "danger";
}

interface BarTableProps {
  /** The table's accessible name. */
  readonly label: string;
  /** The headings of the name, the value and the note. */
  readonly columns: readonly [name: string, value: string, note?: string];
  readonly rows: readonly BarRow[];
  /** The value of a full bar; by default the largest one. */
  readonly max?: number;
}

/** A horizontal bar for each row. It is a table, so a screen reader reads its figures without the picture. */
export function BarTable({ label, columns, rows, max }: BarTableProps) {
  const [name, value, note] = columns;
  const most = max ?? Math.max(1, ...rows.map((row) => row.value));
  return (
    <TableScroll label={label}>
      <table className={classNames(table.table, table.cards, styles.bars)}>
        <thead>
          <tr>
            <th scope="col">{name}</th>
            <th scope="col">{value}</th>
            {note !== undefined && (
              <th scope="col" className={table.number}>
                {note}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row" className={table.lead}>
                {row.name}
              </th>
              <td className={table.line}>
                <span className={styles.barCell}>
                  <svg className={styles.bar} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden>
                    <rect className={styles.track} width="100" height="8" />
                    <rect
                      className={row.tone === "danger" ? styles.dangerBar : styles.accentBar}
                      width={row.value <= 0 ? 0 : Math.min(100, Math.max(1.5, (row.value / most) * 100))}
                      height="8"
                    />
                  </svg>
                  <span className={styles.barText}>{row.text}</span>
                </span>
              </td>
              {note !== undefined && <td className={classNames(table.number, table.soft, table.act)}>{row.note}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
