import { isShard, type Shard } from "../../domain/shard.ts";
import type { Retry } from "../session.ts";
import { Library, type Locate } from "./library.ts";

const BINDING = /^LIBRARY_(\d\d)$/;

/** The shards that this Worker has a database for. */
export interface Libraries {
  readonly shards: readonly Shard[];
  /**
   * @param locate where it is opened for one account: follows the account's library when it moves
   * @throws Error where there is no such shard
   */
  open(shard: Shard, locate?: Locate): Library;
  /** The database itself, for changes of its schema. */
  bindingOf(shard: Shard): D1Database;
}

/**
 * A Worker's bindings `LIBRARY_00`, `LIBRARY_01`, ...
 * @param retry how failures that may pass are answered; by default they are the caller's
 */
export function openLibraries(bindings: object, retry: Retry = (attempt) => attempt()): Libraries {
  const databases = new Map<Shard, D1Database>();
  for (const [name, binding] of Object.entries(bindings)) {
    const shard = BINDING.exec(name)?.[1];
    if (shard !== undefined && isShard(shard)) databases.set(shard, binding as D1Database);
  }
  const bindingOf = (shard: Shard) => {
    const binding = databases.get(shard);
    if (binding === undefined) throw new Error(`There is no binding LIBRARY_${shard}`);
    return binding;
  };
  return {
    shards: [...databases.keys()].sort(),
    open: (shard, locate) => new Library(shard, bindingOf, retry, locate),
    bindingOf,
  };
}
