import type { Result, Router } from "hono/router";
import { TrieRouter } from "hono/router/trie-router";

/** A path that matches only itself. */
const PLAIN_PATH = /^[\w./-]+$/;

/**
 * A router that walks its tree once for each path without parameters, of which there is a fixed number, and then knows the handlers. Hono's
 * fast router refuses our paths, because `/images/{id}` has siblings with parameters of their own.
 */
export class KeptRouter<Handler> implements Router<Handler> {
  readonly name = "KeptRouter";
  readonly #tree = new TrieRouter<Handler>();
  readonly #routes = new Set<string>();
  readonly #found = new Map<string, Result<Handler>>();

  add(method: string, path: string, handler: Handler): void {
    this.#tree.add(method, path, handler);
    this.#found.clear();
    if (PLAIN_PATH.test(path)) this.#routes.add(`${method} ${path}`);
  }

  match(method: string, path: string): Result<Handler> {
    const route = `${method} ${path}`;
    const kept = this.#found.get(route);
    if (kept !== undefined) return kept;
    const found = this.#tree.match(method, path);
    if (this.#routes.has(route)) this.#found.set(route, found);
    return found;
  }
}
