import { env } from "cloudflare:workers";

const RUNS: readonly (string | symbol)[] = ["run", "all", "raw", "first"];

/** The real D1 with a gate before every UPDATE. A test can hold the UPDATE there, or let it fail. */
export function gatedDatabase(gate: (values: readonly unknown[]) => Promise<void>): D1Database {
  const statements = new WeakMap<object, { statement: D1PreparedStatement; values: readonly unknown[] | undefined }>();
  const wrap = (sql: string, statement: D1PreparedStatement, values: readonly unknown[] = []): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...bound: unknown[]) => wrap(sql, target.bind(...bound), bound);
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        if (!RUNS.includes(name) || !/^update/i.test(sql)) return member.bind(target);
        return async (...args: unknown[]) => {
          await gate(values);
          return member.apply(target, args);
        };
      },
    });
    statements.set(wrapped, { statement, values: /^update/i.test(sql) ? values : undefined });
    return wrapped;
  };
  const batch = async (wrapped: readonly D1PreparedStatement[]) => {
    const found = wrapped.flatMap((one) => statements.get(one) ?? []);
    for (const { values } of found) if (values !== undefined) await gate(values);
    return env.DB.batch(found.map(({ statement }) => statement));
  };
  return new Proxy(env.DB, {
    get: (target, name) => {
      if (name === "prepare") return (sql: string) => wrap(sql, target.prepare(sql));
      if (name === "batch") return batch;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
