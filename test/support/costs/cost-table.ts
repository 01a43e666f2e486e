import { toTable } from "../../../src/domain/to-table.ts";
import { type Bill, dollarsPerMillion } from "./prices.ts";

/** The columns between the request and the price of a million. */
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

/** The table of docs/operating/costs.md. */
export function costTable(bills: readonly (readonly [request: string, bill: Bill])[]): string {
  const rows = bills.map(([request, bill]) => [
    request,
    ...COLUMNS.map(([, name]) => String(Number(bill[name].toFixed(2)))),
    dollarsPerMillion(bill).toFixed(1),
  ]);
  return toTable(["request", ...COLUMNS.map(([heading]) => heading), "$ a million"], rows);
}
