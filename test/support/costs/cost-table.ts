import { type Bill, dollarsPerMillion } from "./prices.ts";

/** The columns, after what was asked for and before what a million of it costs. */
const COLUMNS: readonly (readonly [heading: string, name: keyof Bill])[] = [
  ["Worker requests", "workerRequests"],
  ["object calls", "objectCalls"],
  ["object rows", "objectRowsWritten"],
  ["D1 calls", "d1Calls"],
  ["D1 rows", "d1RowsWritten"],
  ["R2 A", "r2ClassA"],
  ["R2 B", "r2ClassB"],
  ["queue", "queueOperations"],
];

/** The README's table, as the formatter of Markdown writes it. */
export function costTable(bills: readonly (readonly [request: string, bill: Bill])[]): string {
  const rows = [
    ["request", ...COLUMNS.map(([heading]) => heading), "$ a million"],
    ...bills.map(([request, bill]) => [
      request,
      ...COLUMNS.map(([, name]) => String(Number(bill[name].toFixed(2)))),
      dollarsPerMillion(bill).toFixed(1),
    ]),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map(line)].join("\n");
}
