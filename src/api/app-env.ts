import type { RateFigures } from "../account/figures.ts";
import type { AccountContext, Services } from "../services/context.ts";

/** What Hono's context carries through a request. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    services: Services;
    /** Set by `requireAccess`. */
    account?: AccountContext;
    /** The address's own bucket, once it was asked. */
    addressRate?: RateFigures;
  };
}
