import { Container } from "@cloudflare/containers";
import { serveSource } from "./serve-source.ts";
import { SOURCE_HOST, SOURCE_ORIGIN } from "./source-origin.ts";

/** Together the instances take the jobs that the queue has in work at once; none waits longer than the Worker waits for its answer. */
const MAX_WAITING = 8;

/**
 * The media processor as a Container. It sleeps a minute after its last job, and ends on SIGTERM once its running jobs are done, for
 * which the platform gives it 15 minutes (Cloudflare Containers, "Rollouts"). It reaches `SOURCE_HOST` and nothing else.
 */
export class MediaContainer extends Container<Env> {
  override defaultPort = 8080;
  override sleepAfter = "60s";
  override pingEndpoint = "container/health";
  override enableInternet = false;
  override envVars = { SOURCE_ORIGINS: SOURCE_ORIGIN, MAX_WAITING: String(MAX_WAITING) };
}

// Assigned and not a static field: a field would define a property, where the base class has a setter that registers the handlers.
MediaContainer.outboundByHost = { [SOURCE_HOST]: serveSource };
