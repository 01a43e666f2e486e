/** The counts of one day, UTC. */
export interface OperationDay {
  /** Days since the epoch (`dayOf`). */
  readonly day: number;
  readonly classATenths: number;
  readonly classBTenths: number;
}

interface DayRow extends Record<string, SqlStorageValue> {
  day: number;
  class_a_tenths: number;
  class_b_tenths: number;
}

/**
 * The operations of past days, one row for each day with operations. The last day is in the account's row, which every operation writes
 * anyway, so a day costs one row for any number of operations. All calls are synchronous.
 */
export class OperationDays {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS operation_days (
        day INTEGER PRIMARY KEY,
        class_a_tenths INTEGER NOT NULL,
        class_b_tenths INTEGER NOT NULL
      );
    `);
  }

  add({ day, classATenths, classBTenths }: OperationDay): void {
    this.#sql.exec(
      `INSERT INTO operation_days (day, class_a_tenths, class_b_tenths) VALUES (?, ?, ?)
       ON CONFLICT (day) DO UPDATE SET
         class_a_tenths = class_a_tenths + excluded.class_a_tenths,
         class_b_tenths = class_b_tenths + excluded.class_b_tenths`,
      day,
      classATenths,
      classBTenths,
    );
  }

  /** Takes back Class A operations of a past day. */
  takeBack(day: number, tenths: number): void {
    this.#sql.exec("UPDATE operation_days SET class_a_tenths = max(0, class_a_tenths - ?) WHERE day = ?", tenths, day);
  }

  /** Sets a past day's Class A tenths. */
  setClassA(day: number, tenths: number): void {
    this.#sql.exec("UPDATE operation_days SET class_a_tenths = ? WHERE day = ?", tenths, day);
    if (tenths === 0) return;
    this.#sql.exec(
      "INSERT OR IGNORE INTO operation_days (day, class_a_tenths, class_b_tenths) VALUES (?, ?, 0)",
      day,
      tenths,
    );
  }

  /** The days in this range that have a row, both ends included. */
  list(from: number, to: number): OperationDay[] {
    return this.#sql
      .exec<DayRow>("SELECT * FROM operation_days WHERE day BETWEEN ? AND ? ORDER BY day", from, to)
      .toArray()
      .map((row) => ({ day: row.day, classATenths: row.class_a_tenths, classBTenths: row.class_b_tenths }));
  }

  dropBefore(day: number): void {
    this.#sql.exec("DELETE FROM operation_days WHERE day < ?", day);
  }
}
