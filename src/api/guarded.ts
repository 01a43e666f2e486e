import { createRoute, type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { type Access, requiredScope, type Scope } from "../domain/principal.ts";
import type { AppEnv } from "./app-env.ts";
import { type GuardedKind, openAccess, requireAccess, thenCheckedNames } from "./middleware/access.ts";
import { requireAdmin, requireOperator } from "./middleware/require-admin.ts";
import { headersOf, ON_EVERY_ANSWER } from "./openapi/response-headers.ts";
import { type ErrorStatus, errorResponses } from "./responses.ts";

/**
 * The callers of an endpoint. Beyond `Access`:
 * - `open`: everyone; requests without an account count against their address
 * - `password`: everyone; the service counts the request against the address in the call that begins the attempt
 * - `signed`: everyone with a signed URL, whose token the service verifies; not counted
 * - `unmetered`: everyone, not counted, so that it answers when dependencies are down; it must cost nothing
 * - `operator`: the operator's token, and sessions of accounts with the operator's mark (OPER-12)
 * - `admin`: the operator's token
 */
export type EndpointAccess = Access | "open" | "unmetered" | "password" | "signed" | "operator" | "admin";

/** An endpoint without the parts that follow from its access. `responses` lists only its own errors. */
type Endpoint<Path extends string> = Omit<RouteConfig, "path" | "security" | "middleware"> & {
  readonly path: Path;
  /** A verb and a noun in camel case. Never changes, because clients are generated from it. */
  readonly operationId: string;
  readonly description: string;
  /** The class of the endpoint's operations (LIM-4), if it counts as an operation. */
  readonly "x-operation-class"?: "A";
  /** Set for a step of a restore: it is not in the audit log, which the restore itself writes. */
  readonly "x-unrecorded"?: true;
  /** Set if the endpoint's requests have their own limit (`PIECES_PER_MINUTE`). */
  readonly "x-rate-bucket"?: "pieces";
  /** Set if a session needs a proof of the last 15 minutes (SIGN-1). */
  readonly "x-recent-proof"?: true;
  /** Set if the endpoint's service keeps to the folder of a confined key. Such keys are refused without it. */
  readonly "x-confinable"?: true;
  /** Set if the endpoint accepts upload tokens. */
  readonly "x-upload-token"?: true;
  /** Set if the endpoint checks its query parameters' names itself, because it has better reasons to refuse some of them. */
  readonly "x-own-query"?: true;
};

/** Health probes add random parameters so that no cache answers. Signed URLs are URLs of files, and these ignore unknown parameters. */
const IGNORES_UNKNOWN: readonly EndpointAccess[] = ["unmetered", "signed"];

/**
 * Describes an endpoint and its access. The guard, `security` in the description and the errors of the access are all derived from
 * `access`, so that they cannot differ. `x-access` names it in the description, so that a test can check that every route has one.
 */
export function guarded<const Path extends string, const Config extends Endpoint<Path>>(
  access: EndpointAccess,
  endpoint: Config & { readonly path: Path },
) {
  const guard = guardOf(access, {
    isOperation: endpoint["x-operation-class"] === "A",
    isPiece: endpoint["x-rate-bucket"] === "pieces",
    isChange: isChange(access, endpoint),
    needsProof: endpoint["x-recent-proof"] === true,
    action: isRead(endpoint) || endpoint["x-unrecorded"] ? undefined : endpoint.operationId,
    isConfinable: endpoint["x-confinable"] === true,
    takesToken: endpoint["x-upload-token"] === true,
  });
  return createRoute({
    ...endpoint,
    description: `${endpoint.description}\n\n${callersOf(access, endpoint)}`,
    "x-access": access,
    security: [...securityOf(access), ...(endpoint["x-upload-token"] ? [{ uploadToken: [] }] : [])],
    middleware:
      endpoint["x-own-query"] === true
        ? guard
        : thenCheckedNames(guard, namesOf(endpoint.request?.query), IGNORES_UNKNOWN.includes(access)),
    responses: {
      ...withCommonHeaders(endpoint.responses),
      ...errorResponses(...errorsOf(access, endpoint)),
    } as Config["responses"],
  });
}

/** References to shared answers have the headers already. */
function withCommonHeaders(responses: RouteConfig["responses"]): RouteConfig["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      "$ref" in response
        ? response
        : {
            ...response,
            headers: { ...headersOf(ON_EVERY_ANSWER), ...("headers" in response ? response.headers : {}) },
          },
    ]),
  );
}

/** @throws Error at the start of the Worker, if a schema's names cannot be read */
function namesOf(query: unknown): string[] {
  if (query === undefined) return [];
  if (!(query instanceof z.ZodObject)) throw new Error("the query of an endpoint must be an object's schema");
  return Object.keys(query.shape);
}

function isRead({ method }: Pick<RouteConfig, "method">): boolean {
  return method === "get" || method === "head";
}

/** `signImage` writes nothing. */
const NO_CHANGES = ["deleteUploadToken", "signImage"];

/** An account without allowance can still log out, revoke keys and upload tokens, end sessions and be erased. */
function isChange(access: EndpointAccess, endpoint: Endpoint<string>): boolean {
  if (isRead(endpoint) || endpoint["x-operation-class"] !== undefined) return false;
  if (NO_CHANGES.includes(endpoint.operationId)) return false;
  return access !== "session" || (endpoint.method !== "delete" && endpoint.operationId !== "logOut");
}

/** @param kind `action`: the operation's id if it changes something */
function guardOf(
  access: EndpointAccess,
  { action, ...kind }: GuardedKind & { readonly action: string | undefined },
): MiddlewareHandler<AppEnv> {
  switch (access) {
    case "open":
      return openAccess;
    case "unmetered":
    case "password":
    case "signed":
      return (_, next) => next();
    case "operator":
      return requireOperator(action);
    case "admin":
      return requireAdmin(action);
    default:
      return requireAccess(access, kind);
  }
}

/** The callers of an endpoint, in words. */
function callersOf(access: EndpointAccess, endpoint: Endpoint<string>): string {
  const proof = endpoint["x-recent-proof"] === true ? ", with a proof of the last 15 minutes" : "";
  const keys = (scope: Scope) => `API keys with the scope \`${scope}\``;
  switch (access) {
    case "open":
    case "unmetered":
    case "password":
      return "Callers: everyone.";
    case "signed":
      return "Callers: everyone who has the signed URL.";
    case "operator":
      return `Callers: the operator, and sessions of accounts with the operator's mark${isRead(endpoint) ? "" : ", with a proof of the last 15 minutes"}.`;
    case "admin":
      return "Callers: the operator.";
    case "session":
      return `Callers: sessions${proof}.`;
    case "upload":
      return endpoint["x-upload-token"] === true
        ? `Callers: sessions, upload keys, upload tokens, and ${keys(access)}.`
        : `Callers: sessions, upload keys, and ${keys(access)}.`;
    case "account-of-api-tier":
      return `Callers: sessions and ${keys(requiredScope(access))}, of Pro and Business.`;
    default:
      return `Callers: sessions${proof}, and ${keys(requiredScope(access))}.`;
  }
}

/** Any of these bearer tokens is accepted. */
function securityOf(access: EndpointAccess): Record<string, string[]>[] {
  switch (access) {
    case "open":
    case "unmetered":
    case "password":
    case "signed":
      return [];
    case "operator":
      return [{ adminToken: [] }, { session: [] }];
    case "admin":
      return [{ adminToken: [] }];
    case "session":
      return [{ session: [] }];
    case "upload":
      return [{ uploadKey: [] }, { apiKey: [] }, { session: [] }];
    default:
      return [{ apiKey: [] }, { session: [] }];
  }
}

/** Every endpoint counts requests (429) and depends on stores that may be down (503). */
function errorsOf(access: EndpointAccess, { request }: Pick<RouteConfig, "request">): ErrorStatus[] {
  const credentials: ErrorStatus[] =
    access === "open" || access === "unmetered" || access === "signed"
      ? []
      : access === "admin" || access === "password"
        ? [401]
        : [401, 403];
  const input: ErrorStatus[] =
    request?.body !== undefined ? [400, 413, 415] : IGNORES_UNKNOWN.includes(access) ? [] : [400];
  return [...credentials, ...input, 429, 500, 503];
}
