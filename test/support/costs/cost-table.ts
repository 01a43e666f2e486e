import { toTable } from "../../../src/domain/tables.ts";
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

/** The README's table. */
export function costTable(bills: readonly (readonly [request: string, bill: Bill])[]): string {
  const rows = bills.map(([request, bill]) => [
    request,
    ...COLUMNS.map(([, name]) => String(Number(bill[name].toFixed(2)))),
    dollarsPerMillion(bill).toFixed(1),
  ]);
  return toTable(["request", ...COLUMNS.map(([heading]) => heading), "$ a million"], rows);
}
