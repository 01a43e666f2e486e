import { replaceDatabases } from "../api/databases.ts";
import type { Faults } from "./faults.ts";

/** The real bindings, whose calls sometimes fail as the platform's do. */
export function faultyEnv(env: Env, faults: Faults): Env {
  return {
    ...env,
    ...replaceDatabases((real) => faultyDatabase(real, faults), env),
    FILES: faultyBucket(env.FILES, faults),
    UPLOADS: faultyQueue(env.UPLOADS, faults),
    ALERTS: faultyQueue(env.ALERTS, faults),
    MODERATION: faultyQueue(env.MODERATION, faults),
    MAILS: faultyQueue(env.MAILS, faults),
    ACCOUNT_METER: faultyNamespace(env.ACCOUNT_METER, faults),
    ADDRESS_METER: faultyNamespace(env.ADDRESS_METER, faults),
  };
}

const RUNS = ["run", "all", "raw", "first"];

function faultyDatabase(database: D1Database, faults: Faults): D1Database {
  const realOf = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const lost = () => new Error("D1_ERROR: Network connection lost.");
  const wrap = (real: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = new Proxy(real, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        const member = Reflect.get(target, name);
        if (typeof member !== "function" || !RUNS.includes(String(name))) return member;
        return (...args: unknown[]) => faults.call(() => member.apply(target, args), lost, faults.draw());
      },
    });
    realOf.set(wrapped, real);
    return wrapped;
  };
  return new Proxy(database, {
    get: (target, name) => {
      if (name === "prepare") return (sql: string) => wrap(target.prepare(sql));
      if (name === "batch") {
        return (statements: D1PreparedStatement[]) => {
          const real = statements.map((statement) => realOf.get(statement) ?? statement);
          return faults.call(() => target.batch(real), lost, faults.draw());
        };
      }
      return Reflect.get(target, name);
    },
  });
}

const CODES = [
  "We encountered an internal error. Please try again. (10001)",
  "Reduce your concurrent request rate for the same object. (10058)",
];

function faultyBucket(bucket: R2Bucket, faults: Faults): R2Bucket {
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        if (name === "resumeMultipartUpload") return (...args: unknown[]) => wrap(member.apply(target, args));
        const fail = () => new Error(`${String(name)}: ${faults.pick(CODES)}`);
        return async (...args: unknown[]) => {
          const result: unknown = await faults.call(() => member.apply(target, args), fail, faults.draw());
          return name === "createMultipartUpload" ? wrap(result as object) : result;
        };
      },
    });
  return wrap(bucket);
}

function faultyQueue<Queued extends Queue>(queue: Queued, faults: Faults): Queued {
  return new Proxy(queue, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      const fail = () => new Error(`Queue ${String(name)} failed: Too Many Requests`);
      return (...args: unknown[]) => faults.call(() => member.apply(target, args), fail, faults.draw());
    },
  });
}

/**
 * An object whose calls fail as in production. The connection is lost before or after the call, or the call resets the object
 * (`doomed`) at its beginning, in its middle or at its end.
 */
function faultyNamespace<Namespace extends DurableObjectNamespace<undefined>>(
  namespace: Namespace,
  faults: Faults,
): Namespace {
  const lost = () => Object.assign(new Error("Network connection lost."), { retryable: true });
  const wrap = (stub: object, objectName: string) =>
    new Proxy(stub, {
      get: (target, name) => {
        if (name === "then" || typeof name === "symbol") return Reflect.get(target, name);
        const methods = target as Record<string, (...args: unknown[]) => Promise<unknown>>;
        const run = async (...args: unknown[]) => methods[name]?.(...args);
        return (...args: unknown[]) => {
          const moment = faults.draw();
          if (moment === undefined || faults.pick([true, false])) return faults.call(() => run(...args), lost, moment);
          faults.doomed.set(objectName, moment);
          return run(...args);
        };
      },
    });
  return new Proxy(namespace, {
    get: (target, name) => {
      if (name === "getByName") return (objectName: string) => wrap(target.getByName(objectName), objectName);
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
