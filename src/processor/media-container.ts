import { Container } from "@cloudflare/containers";

/** The media processor as a Container: it sleeps while nobody needs it. */
export class MediaContainer extends Container<Env> {
  override defaultPort = 8080;
  override sleepAfter = "5m";
  override pingEndpoint = "container/health";

  constructor(state: DurableObjectState<Record<string, never>>, env: Env) {
    super(state, env);
    // It reads videos at the CDN's address and has no business anywhere else.
    this.envVars = { SOURCE_ORIGINS: env.CDN_URL === "" ? "" : new URL(env.CDN_URL).origin };
  }
}
