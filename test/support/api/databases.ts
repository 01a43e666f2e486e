import { env } from "cloudflare:workers";
import { type Libraries, type Library, openLibraries } from "../../../src/db/library/library.ts";

/** The databases of the API: the directory, and the shards with the libraries. */

export const libraries: Libraries = openLibraries(env);

/** Reads every shard, because an account's library may be in any of them. */
export async function inLibraries<Row = Record<string, unknown>>(query: string, ...values: unknown[]): Promise<Row[]> {
  const answers = await Promise.all(
    libraries.shards.map((shard) =>
      libraries
        .bindingOf(shard)
        .prepare(query)
        .bind(...values)
        .all<Row>(),
    ),
  );
  return answers.flatMap(({ results }) => results);
}

/** The shard that an account's library is in. */
export async function libraryOf(accountId: string): Promise<Library> {
  return libraries.open(await shardOf(accountId));
}

export async function shardOf(accountId: string) {
  const shard = await env.ACCOUNT_METER.getByName(accountId).locate();
  if (shard === undefined) throw new Error(`There is no account ${accountId}`);
  return shard;
}

/** Every database of the bindings, replaced by the result of `replace`. */
export function replaceDatabases(replace: (real: D1Database) => D1Database, bindings: Env = env): Partial<Env> {
  return replaceNamed(/^(DB|LIBRARY_\d\d)$/, replace, bindings);
}

/** The shards alone, replaced. */
export function replaceLibraries(replace: (real: D1Database) => D1Database, bindings: Env = env): Partial<Env> {
  return replaceNamed(/^LIBRARY_\d\d$/, replace, bindings);
}

function replaceNamed(names: RegExp, replace: (real: D1Database) => D1Database, bindings: Env): Partial<Env> {
  const databases = Object.entries(bindings).filter(([name]) => names.test(name));
  return Object.fromEntries(databases.map(([name, real]) => [name, replace(real as D1Database)]));
}

/** A store whose calls all fail, like in an outage. */
export function failingStore<Store extends D1Database | R2Bucket | Queue>(): Store {
  const fail = () => {
    throw new Error("D1_ERROR: the store is out of order");
  };
  return new Proxy({}, { get: () => fail }) as Store;
}

/** No database answers. */
export function failingDatabases(): Partial<Env> {
  return replaceDatabases(() => failingStore<D1Database>());
}
