import type { AccountContext, Client, Services } from "../services/context.ts";

/** What Hono's context carries through a request. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    services: Services;
    client: Client;
    /** Of this request: in its answer, in a 500's body and in the log. */
    requestId: string;
    /** What was not foreseen, for the log. */
    failure?: Error;
    /** Set by `requireAccess`. */
    account?: AccountContext;
  };
}
