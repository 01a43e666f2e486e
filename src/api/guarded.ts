import { createRoute, type RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { type Access, SCOPES, type Scope } from "../domain/principal.ts";
import type { RequestKind } from "../services/auth/authenticate.ts";
import type { AppEnv } from "./app-env.ts";
import { openAccess } from "./middleware/open-access.ts";
import { requireAccess } from "./middleware/require-access.ts";
import { requireAdmin } from "./middleware/require-admin.ts";
import { type ErrorStatus, errorResponses } from "./responses.ts";

/**
 * Who may use an endpoint: anybody, whoever gives a password, whoever has a signed address, the operator, or an account's credential. A
 * password's service counts the request against the address by the call that begins the trial. `unmetered` is open to anybody and counted
 * by nobody, so that it is answered whatever is down: it must cost nothing. `signed` is not counted either, and its service looks at the
 * token of the address.
 */
export type EndpointAccess = Access | "open" | "unmetered" | "password" | "signed" | "admin";

/** An endpoint without what follows from its access. Its `responses` hold the errors of its own. */
type Endpoint<Path extends string> = Omit<RouteConfig, "path" | "security" | "middleware"> & {
  readonly path: Path;
  /** A verb and a noun, in camel case. Clients are generated from it, so that it never changes. */
  readonly operationId: string;
  /** The class of the endpoint's operations (specification, Operations), where it counts as any. */
  readonly "x-operation-class"?: "A";
  /** Where its requests are not counted with the others of the account (`PIECES_PER_MINUTE`). */
  readonly "x-rate-bucket"?: "pieces";
};

/**
 * Describes an endpoint and says who may use it. The guard that lets callers in, what the description says of `security`, and
 * the errors that follow are all made of this one word, so that they cannot differ.
 */
export function guarded<const Path extends string, const Config extends Endpoint<Path>>(
  access: EndpointAccess,
  endpoint: Config & { readonly path: Path },
) {
  return createRoute({
    ...endpoint,
    security: securityOf(access),
    middleware: guardOf(access, {
      isOperation: endpoint["x-operation-class"] === "A",
      isPiece: endpoint["x-rate-bucket"] === "pieces",
    }),
    responses: { ...endpoint.responses, ...errorResponses(...errorsOf(access, endpoint)) } as Config["responses"],
  });
}

function guardOf(access: EndpointAccess, kind: RequestKind): MiddlewareHandler<AppEnv> {
  switch (access) {
    case "open":
      return openAccess;
    case "unmetered":
    case "password":
    case "signed":
      return (_, next) => next();
    case "admin":
      return requireAdmin;
    default:
      return requireAccess(access, kind);
  }
}

/** Any one of these credentials; every one is a bearer token. The scopes of an API key are listed as its roles. */
export function securityOf(access: EndpointAccess): Record<string, string[]>[] {
  switch (access) {
    case "open":
    case "unmetered":
    case "password":
    case "signed":
      return [];
    case "admin":
      return [{ adminToken: [] }];
    case "session":
      return [{ session: [] }];
    case "upload":
      return [{ uploadKey: [] }, { apiKey: [] }, { session: [] }];
    default:
      return [{ apiKey: isScope(access) ? [access] : [] }, { session: [] }];
  }
}

function isScope(access: Access): access is Scope {
  return SCOPES.some((scope) => scope === access);
}

/** Every endpoint counts requests (429) and stands on stores that can be away (503). */
function errorsOf(access: EndpointAccess, { request }: Pick<RouteConfig, "request">): ErrorStatus[] {
  const credentials: ErrorStatus[] =
    access === "open" || access === "unmetered" || access === "signed"
      ? []
      : access === "admin" || access === "password"
        ? [401]
        : [401, 403];
  const input: ErrorStatus[] =
    request?.body !== undefined ? [400, 413, 415] : request?.query !== undefined ? [400] : [];
  return [...credentials, ...input, 429, 500, 503];
}
