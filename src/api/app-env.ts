import type { AccountContext, Client, Services } from "../services/context.ts";

/** The variables of Hono's context. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    services: Services;
    client: Client;
    /** The request's URL, parsed once. */
    url: URL;
    /** The id of this request. The answer, the body of a 500 and the log have it. */
    requestId: string;
    /** An unforeseen error, which is logged. */
    failure?: Error;
    /** Set by `requireAccess`. */
    account?: AccountContext;
    /** The actor of an operator's action, as in the audit log. Set by `recordAround`. */
    actor?: string;
  };
}
