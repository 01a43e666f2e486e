import type { Party, Scheduler } from "./scheduler.ts";
import type { SqlDatabase } from "./sql.ts";

/** D1's documented error that is retried, and an error that is not. */
const PASSING = "D1_ERROR: Network connection lost.";
const LASTING = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
const LASTING_SHARE = 0.15;
const SHOWN_LENGTH = 70;

/** A statement as D1's client prepares it. */
class Statement {
  readonly #database: D1Simulation;
  readonly query: string;
  readonly values: readonly unknown[];

  constructor(database: D1Simulation, query: string, values: readonly unknown[] = []) {
    this.#database = database;
    this.query = query;
    this.values = values;
  }

  bind(...values: unknown[]): Statement {
    return new Statement(this.#database, this.query, values);
  }

  run() {
    return this.#database.call([this], (database) => toResult(database.run(this.query, this.values)));
  }

  all() {
    return this.run();
  }

  async first() {
    const { results } = await this.run();
    return results[0] ?? null;
  }

  raw() {
    return this.#database.call([this], (database) => database.values(this.query, this.values));
  }
}

/** The binding of one party to a D1 database. A batch is a transaction. */
export class D1Simulation {
  readonly #name: string;
  readonly #party: Party;
  readonly #scheduler: Scheduler;
  readonly #database: SqlDatabase;

  constructor(name: string, database: SqlDatabase, { party, scheduler }: { party: Party; scheduler: Scheduler }) {
    this.#name = name;
    this.#database = database;
    this.#party = party;
    this.#scheduler = scheduler;
  }

  prepare(query: string): Statement {
    return new Statement(this, query);
  }

  batch(statements: readonly Statement[]) {
    return this.call(statements, (database) => {
      database.script("BEGIN");
      try {
        const results = statements.map(({ query, values }) => toResult(database.run(query, values)));
        database.script("COMMIT");
        return results;
      } catch (error) {
        database.script("ROLLBACK");
        throw error;
      }
    });
  }

  call<T>(statements: readonly Statement[], effect: (database: SqlDatabase) => T): Promise<T> {
    const label = () => `${this.#name} ${statements.map(describe).join(" | ")}`;
    return this.#scheduler.call(this.#party, label, this.#failure, () => effect(this.#database));
  }

  readonly #failure = () => new Error(this.#scheduler.random() < LASTING_SHARE ? LASTING : PASSING);
}

function toResult({ rows, changes }: ReturnType<SqlDatabase["run"]>) {
  return { success: true as const, results: rows, meta: { changes, rows_written: changes, duration: 0 } };
}

function describe({ query }: Statement): string {
  return query.replaceAll(/["\n]|\s(?=\s)/g, "").slice(0, SHOWN_LENGTH);
}
