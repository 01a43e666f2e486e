type AnyD1 = Pick<D1Database, "prepare" | "batch">;

/** A D1 database that counts its calls, and the rows that its statements read and write, as D1 bills them. */
export class CountedD1 {
  /** A batch is one call. */
  calls = 0;
  rowsRead = 0;
  /** The most rows that one statement read. */
  mostRowsRead = 0;
  rowsWritten = 0;
  readonly #database: AnyD1;

  constructor(database: AnyD1) {
    this.#database = database;
  }

  prepare(query: string): CountedStatement {
    return new CountedStatement(this.#database.prepare(query), (result) => {
      this.calls += 1;
      this.#count(result);
    });
  }

  async batch(statements: readonly CountedStatement[]): Promise<D1Result[]> {
    const results = await this.#database.batch(statements.map(({ statement }) => statement));
    this.calls += 1;
    for (const result of results) this.#count(result);
    return results;
  }

  #count({ meta }: D1Result): void {
    this.rowsRead += meta.rows_read;
    this.mostRowsRead = Math.max(this.mostRowsRead, meta.rows_read);
    this.rowsWritten += meta.rows_written;
  }
}

class CountedStatement {
  readonly statement: D1PreparedStatement;
  readonly #count: (result: D1Result) => void;

  constructor(statement: D1PreparedStatement, count: (result: D1Result) => void) {
    this.statement = statement;
    this.#count = count;
  }

  bind(...values: unknown[]): CountedStatement {
    return new CountedStatement(this.statement.bind(...values), this.#count);
  }

  async all(): Promise<D1Result<Record<string, unknown>>> {
    const result = await this.statement.all<Record<string, unknown>>();
    this.#count(result);
    return result;
  }

  run() {
    return this.all();
  }

  /** D1's own `raw` returns no figures. */
  async raw(): Promise<unknown[][]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }

  async first(): Promise<Record<string, unknown> | null> {
    return (await this.all()).results[0] ?? null;
  }
}
