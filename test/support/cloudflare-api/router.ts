import type { CloudflareAccount } from "./account-state.ts";
import { type Answer, REFUSALS, Refusal } from "./answer.ts";

export interface Call {
  readonly method: string;
  /** The path without the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
  /** The token of `Authorization`. */
  readonly bearer: string;
  /** The jurisdiction of the call's bucket; undefined for other calls. */
  readonly jurisdiction: string | undefined;
}

/** Parts of the path, by their names in the pattern. */
export type Params = Readonly<Record<string, string>>;
export type Handler = (call: Call, params: Params, account: CloudflareAccount) => Answer | Promise<Answer>;
/** Keys are like `POST /d1/database`, below the account; `:name` stands for one part of the path. */
export type Routes = Readonly<Record<string, Handler>>;

/** The handler of a call below an account. @throws Refusal 404 if there is none */
export function route(routes: Routes, method: string, path: string): { handler: Handler; params: Params } {
  for (const [pattern, handler] of Object.entries(routes)) {
    const [verb, template = ""] = pattern.split(" ", 2);
    if (verb !== method) continue;
    const params = match(template, path);
    if (params !== undefined) return { handler, params };
  }
  throw REFUSALS.noRoute(`${method} ${path}`);
}

function match(template: string, path: string): Params | undefined {
  const [wanted, parts] = [template.split("/"), path.split("/")];
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const part = decodeURIComponent(parts[index] ?? "");
    if (want.startsWith(":")) params[want.slice(1)] = part;
    else if (want !== part) return undefined;
  }
  return params;
}

/** A list as the API pages it. */
export function pageOf<T>(all: readonly T[], query: URLSearchParams): { items: T[]; info: Record<string, number> } {
  const page = Number(query.get("page") ?? 1);
  const perPage = Number(query.get("per_page") ?? 20);
  // The limit of accounts and zones; other lists take more.
  if (perPage > 50) throw new Refusal(400, 1003, "Invalid or missing per_page");
  return {
    items: all.slice((page - 1) * perPage, page * perPage),
    info: {
      page,
      per_page: perPage,
      count: Math.min(perPage, Math.max(0, all.length - (page - 1) * perPage)),
      total_count: all.length,
      total_pages: Math.max(1, Math.ceil(all.length / perPage)),
    },
  };
}

export function json<T>({ body }: Call): T {
  return JSON.parse(body.toString("utf8")) as T;
}
