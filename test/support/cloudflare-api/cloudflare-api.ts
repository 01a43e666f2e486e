import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CloudflareAccount } from "./account-state.ts";
import { type Answer, ok, REFUSALS, Refusal } from "./answer.ts";
import { ASSET_ROUTES } from "./asset-routes.ts";
import { CONTAINER_ROUTES } from "./container-routes.ts";
import { NOTIFICATION_ROUTES } from "./notification-routes.ts";
import { RESOURCE_ROUTES } from "./resource-routes.ts";
import { type Call, pageOf, route } from "./router.ts";
import { WORKER_ROUTES } from "./worker-routes.ts";

const BASE_PATH = "/client/v4";
const ACCOUNT_ROUTES = {
  ...RESOURCE_ROUTES,
  ...ASSET_ROUTES,
  ...WORKER_ROUTES,
  ...CONTAINER_ROUTES,
  ...NOTIFICATION_ROUTES,
};
/** Calls that change nothing in the account; a changeset only announces changes. */
const READS = /^GET |\/domains\/changeset$/;

/** A test's effect on the calls that it chooses, instead of the API's effect or before it. */
export interface Fault {
  /** Matches `POST /accounts/<id>/queues` and its like. */
  readonly matches: RegExp;
  /** The number of calls that the fault affects; every call if absent. */
  times?: number;
  /** @returns an answer in place of the API's; undefined lets the call through */
  strike(): Answer | undefined | Promise<Answer | undefined>;
  /** Whether the fault happens after the API has carried out the call, so that the answer is lost. */
  readonly isAfterwards?: boolean;
}

/**
 * Cloudflare's API as a deployment uses it (README.md beside this file): a server on loopback with its own accounts. It refuses unknown
 * calls with 404, as the real API does, and lists them in `unknown`.
 */
export class CloudflareApi implements AsyncDisposable {
  readonly token = "test-api-token-0123456789abcdefghijklmnop";
  readonly accounts: CloudflareAccount[];
  /** `METHOD path` of every call, in order. */
  readonly calls: string[] = [];
  /** Calls that this API does not know. */
  readonly unknown: string[] = [];
  readonly faults: Fault[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.accounts = [new CloudflareAccount("0123456789abcdef0123456789abcdef", "Acme")];
  }

  static async start(): Promise<CloudflareApi> {
    // A connection stays open when idle for longer than the usual five seconds, as Cloudflare's do.
    const server = createServer({ keepAliveTimeout: 60_000 });
    const api = new CloudflareApi(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => void api.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return api;
  }

  /** The account that tests use. */
  get account(): CloudflareAccount {
    const [account] = this.accounts;
    if (account === undefined) throw new Error("there is no account");
    return account;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${BASE_PATH}`;
  }

  /** The calls since the last time that changed the account. */
  takeWrites(): string[] {
    return this.calls.splice(0).filter((call) => !READS.test(call));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.#answer(await readCall(request));
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  }

  async #answer(call: Call): Promise<Answer> {
    const name = `${call.method} ${call.path}`;
    this.calls.push(name);
    try {
      const fault = this.faults.find(({ matches, times = 1 }) => times > 0 && matches.test(name));
      if (fault?.times !== undefined) fault.times -= 1;
      if (fault === undefined) return await this.#perform(call);
      if (!fault.isAfterwards) return (await fault.strike()) ?? (await this.#perform(call));
      const answer = await this.#perform(call);
      return (await fault.strike()) ?? answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.message.startsWith("Could not route")) this.unknown.push(name);
      return error.answer;
    }
  }

  async #perform(call: Call): Promise<Answer> {
    const { path, query, bearer } = call;
    // Uploads of assets carry their session's token.
    if (bearer !== this.token && !path.endsWith("/workers/assets/upload")) throw REFUSALS.invalidToken();
    if (path === "/accounts") {
      const { items, info } = pageOf(this.accounts, query);
      return ok(
        items.map(({ id, name }) => ({ id, name })),
        info,
      );
    }
    if (path === "/zones") return this.#listZones(query);
    const [, zone, records] = /^\/zones\/([^/]+)\/(dns_records)$/.exec(path) ?? [];
    if (zone !== undefined && records !== undefined) return this.#listRecords(query);
    const [, accountId, rest = ""] = /^\/accounts\/([^/]+)(\/.*)$/.exec(path) ?? [];
    const account = this.accounts.find(({ id }) => id === accountId);
    if (account === undefined) throw REFUSALS.noRoute(path);
    const { handler, params } = route(ACCOUNT_ROUTES, call.method, rest);
    return handler(call, params, account);
  }

  #listZones(query: URLSearchParams): Answer {
    const account = this.accounts.find(({ id }) => id === query.get("account.id"));
    const zones = [...(account?.zones ?? [])].filter(([name]) => name === query.get("name"));
    const { items, info } = pageOf(
      zones.map(([name, id]) => ({ id, name })),
      query,
    );
    return ok(items, info);
  }

  #listRecords(query: URLSearchParams): Answer {
    const types = this.accounts.flatMap(({ dnsRecords }) => dnsRecords.get(query.get("name") ?? "") ?? []);
    const { items, info } = pageOf(
      types.map((type) => ({ type })),
      query,
    );
    return ok(items, info);
  }
}

async function readCall(request: IncomingMessage): Promise<Call> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://api");
  const { authorization = "", "content-type": type = "", "cf-r2-jurisdiction": jurisdiction } = request.headers;
  return {
    method: request.method ?? "GET",
    path: pathname.slice(BASE_PATH.length),
    query: searchParams,
    type,
    body: Buffer.concat(chunks),
    jurisdiction: typeof jurisdiction === "string" ? jurisdiction : undefined,
    bearer: authorization.replace(/^Bearer /, ""),
  };
}
