import { replaceLibraries } from "../api/databases.ts";

/** The rows that a statement returned wrongly. There is one list for the isolate of tests, Worker and Durable Objects. */
declare global {
  var shardLeaks: string[];
  var shardsWatched: { statements: number; withIds: number };
}

globalThis.shardLeaks ??= [];
globalThis.shardsWatched ??= { statements: 0, withIds: 0 };

export const leaks = globalThis.shardLeaks;
export const watched = globalThis.shardsWatched;

const RUNS = ["run", "all", "raw", "first"];
const ID = /\b[0-7][0-9a-hjkmnp-tv-z]{25}\b/g;
/** The operator's sums, and the operator's question for the account of one file, are allowed. (The query across accounts names its ids itself.) */
const OF_EVERYBODY =
  /count\(DISTINCT|^\s*(SELECT 1|CREATE|PRAGMA)|d1_migrations|^select "account_id" from "uploads" where "uploads"\."id" = \?/i;

/** The bindings, whose shards fail if a statement shows a row of an account that it does not name. */
export function watchedEnv(env: Env): Env {
  return { ...env, ...replaceLibraries(watchedDatabase, env) };
}

interface Asked {
  readonly sql: string;
  readonly values: readonly unknown[];
}

function watchedDatabase(real: D1Database): D1Database {
  const known = new WeakMap<object, { readonly statement: D1PreparedStatement; readonly asked: Asked }>();
  const wrap = (statement: D1PreparedStatement, asked: Asked): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values), { ...asked, values });
        const member = Reflect.get(target, name);
        if (typeof member !== "function" || !RUNS.includes(String(name))) return member;
        return async (...args: unknown[]) => {
          const result: unknown = await member.apply(target, args);
          await refuseForeign(real, asked, result);
          return result;
        };
      },
    });
    known.set(wrapped, { statement, asked });
    return wrapped;
  };
  return {
    prepare: (sql: string) => wrap(real.prepare(sql), { sql, values: [] }),
    batch: async (statements: D1PreparedStatement[]) => {
      const all = statements.map((statement) => known.get(statement));
      const results = await real.batch(all.map((one, at) => one?.statement ?? (statements[at] as D1PreparedStatement)));
      for (const [at, result] of results.entries()) {
        const asked = all[at]?.asked;
        if (asked !== undefined) await refuseForeign(real, asked, result.results);
      }
      return results;
    },
  } as unknown as D1Database;
}

/** @throws Error if the result has the id of another account's upload or folder */
async function refuseForeign(real: D1Database, { sql, values }: Asked, result: unknown): Promise<void> {
  watched.statements += 1;
  if (OF_EVERYBODY.test(sql)) return;
  const named = JSON.stringify(values);
  const shown = [...new Set(JSON.stringify(result ?? null).match(ID) ?? [])].filter((id) => !named.includes(id));
  if (shown.length === 0) return;
  watched.withIds += 1;
  const { results } = await real
    .prepare(
      `SELECT DISTINCT account_id FROM uploads WHERE id IN (SELECT value FROM json_each(?1))
       UNION SELECT account_id FROM folders WHERE id IN (SELECT value FROM json_each(?1))
       UNION SELECT id FROM libraries WHERE id IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(shown))
    .all<{ account_id: string }>();
  const foreign = results.filter(({ account_id }) => !named.includes(account_id));
  if (foreign.length === 0) return;
  const leak = `shown of ${foreign.map(({ account_id }) => account_id).join(", ")}: ${sql} (${named})`;
  leaks.push(leak);
  throw new Error(leak);
}
