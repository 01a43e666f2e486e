import type { Bill } from "./prices.ts";

type RowBill = Pick<Bill, "objectRowsRead" | "objectRowsWritten">;

/** Setting an alarm writes a row, and so does the key-value part of the storage. */
export function countRows(storage: DurableObjectStorage, bill: RowBill): void {
  const exec = storage.sql.exec.bind(storage.sql);
  const setAlarm = storage.setAlarm.bind(storage);
  const { kv } = storage;
  const [get, put, remove] = [kv.get.bind(kv), kv.put.bind(kv), kv.delete.bind(kv)];
  const counted = (...args: Parameters<typeof exec>) => {
    const cursor = exec(...args);
    const rows = cursor.toArray();
    bill.objectRowsRead += cursor.rowsRead;
    bill.objectRowsWritten += cursor.rowsWritten;
    return {
      toArray: () => rows,
      one: () => rows[0],
      [Symbol.iterator]: () => rows[Symbol.iterator](),
      rowsRead: cursor.rowsRead,
      rowsWritten: cursor.rowsWritten,
      columnNames: cursor.columnNames,
    };
  };
  Object.defineProperty(storage.sql, "exec", { value: counted });
  Object.defineProperty(storage, "setAlarm", {
    value: (...args: Parameters<typeof setAlarm>) => {
      bill.objectRowsWritten += 1;
      return setAlarm(...args);
    },
  });
  Object.defineProperty(kv, "get", {
    value: (...args: Parameters<typeof get>) => {
      bill.objectRowsRead += 1;
      return get(...args);
    },
  });
  Object.defineProperty(kv, "put", {
    value: (...args: Parameters<typeof put>) => {
      bill.objectRowsWritten += 1;
      put(...args);
    },
  });
  Object.defineProperty(kv, "delete", {
    value: (...args: Parameters<typeof remove>) => {
      bill.objectRowsWritten += 1;
      return remove(...args);
    },
  });
}
