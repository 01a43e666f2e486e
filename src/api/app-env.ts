import type { AccountContext, Client, Services } from "../services/context.ts";

/** The variables of Hono's context. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    services: Services;
    client: Client;
    /** The id of this request: in its answer, in a 500's body and in the log. */
    requestId: string;
    /** An unforeseen error, for the log. */
    failure?: Error;
    /** Set by `requireAccess`. */
    account?: AccountContext;
  };
}
