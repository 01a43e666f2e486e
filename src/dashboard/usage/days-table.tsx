import type { OperationDays } from "../../client/index.ts";
import { classNames } from "../design/class-names.ts";
import { formatCount } from "../design/format.ts";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import styles from "./days-table.module.css";

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });

interface DaysTableProps {
  readonly days: OperationDays["days"];
}

/** The days of the chart in numbers, the newest first. */
export function DaysTable({ days }: DaysTableProps) {
  return (
    <TableScroll label="Operations by day" className={styles.scroll}>
      <table className={classNames(table.table, styles.table)}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" className={table.number}>
              Uploads and deletions
            </th>
            <th scope="col" className={table.number}>
              Views
            </th>
            <th scope="col" className={table.number}>
              Operations
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ date, classA, classB, operations }) => (
            <tr key={date}>
              <th scope="row">{DAY.format(Date.parse(date))}</th>
              <td className={table.number}>{formatCount(classA)}</td>
              <td className={table.number}>{formatCount(Math.round(classB * 10))}</td>
              <td className={table.number}>{formatCount(operations)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
