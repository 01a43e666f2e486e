import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

type Row = Record<string, unknown>;

export interface Executed {
  readonly rows: Row[];
  readonly changes: number;
  /** Whether the statement may have changed data. */
  readonly isWrite: boolean;
}

interface Cached {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
  readonly isWrite: boolean;
}

/** A SQLite database that keeps its statements. */
export class SqlDatabase {
  readonly raw: DatabaseSync;
  readonly #statements = new Map<string, Cached>();

  constructor(raw: DatabaseSync) {
    this.raw = raw;
  }

  run(query: string, values: readonly unknown[]): Executed {
    const { statement, hasRows, isWrite } = this.#prepare(query);
    const bound = values.map(toBound);
    if (!hasRows) {
      const changes = Number(statement.run(...bound).changes);
      return { rows: [], changes: isWrite ? changes : 0, isWrite };
    }
    const rows = statement.all(...bound) as Row[];
    return { rows, changes: isWrite ? rows.length : 0, isWrite };
  }

  /** Rows are arrays, because columns of two tables may have one name. */
  values(query: string, values: readonly unknown[]): unknown[][] {
    const { statement } = this.#prepare(query);
    statement.setReturnArrays(true);
    try {
      return statement.all(...values.map(toBound)) as unknown as unknown[][];
    } finally {
      statement.setReturnArrays(false);
    }
  }

  /** Several statements that bind nothing. */
  script(queries: string): void {
    this.raw.exec(queries);
  }

  #prepare(query: string): Cached {
    const known = this.#statements.get(query);
    if (known !== undefined) return known;
    const statement = this.raw.prepare(query);
    const hasRows = statement.columns().length > 0;
    const cached = { statement, hasRows, isWrite: !/^\s*(?:select|pragma)\b/i.test(query) };
    this.#statements.set(query, cached);
    return cached;
  }
}

function toBound(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value as SQLInputValue;
}
