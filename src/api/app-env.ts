import type { AccountContext, Client, Services } from "../services/context.ts";

/** What Hono's context carries through a request. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    services: Services;
    client: Client;
    /** Set by `requireAccess`. */
    account?: AccountContext;
  };
}
