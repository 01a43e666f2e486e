import { Container } from "@cloudflare/containers";
import { AWAKE_SECONDS } from "../domain/allowance.ts";
import { serveSource } from "./serve-source.ts";
import { SOURCE_HOST, SOURCE_ORIGIN } from "./source-origin.ts";

/** Together the instances take the jobs that the queue delivers at once. No job waits longer than the Worker waits for its answer. */
const MAX_WAITING = 8;
/** The instance has half a processor. */
const MAX_CONCURRENCY = 1;
const HEALTH_TIMEOUT_MS = 2000;
const FFMPEG_KEY = "ffmpeg-version";

/**
 * The media processor as a Container. It sleeps half a minute after its last job. On SIGTERM it ends when its running jobs are done; the
 * platform allows 15 minutes for that (Cloudflare Containers, "Rollouts"). It can reach only `SOURCE_HOST`.
 */
export class MediaContainer extends Container<Env> {
  override defaultPort = 8080;
  override sleepAfter = `${AWAKE_SECONDS}s`;
  override pingEndpoint = "container/health";
  override enableInternet = false;
  override envVars = {
    SOURCE_ORIGINS: SOURCE_ORIGIN,
    MAX_CONCURRENCY: String(MAX_CONCURRENCY),
    MAX_WAITING: String(MAX_WAITING),
  };

  /** Keeps the version of ffmpeg, so that reading it later does not start the Container. A start never fails because of it. */
  override async onStart(): Promise<void> {
    try {
      const port = this.ctx.container?.getTcpPort(this.defaultPort);
      const answer = await port?.fetch("http://container/health", { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
      const health = (await answer?.json()) as { readonly ffmpeg?: string } | undefined;
      const ffmpeg = health?.ffmpeg;
      if (ffmpeg !== undefined) await this.ctx.storage.put(FFMPEG_KEY, ffmpeg);
    } catch {
      // The next start reads it.
    }
  }

  /** The version of ffmpeg at the last start; undefined before the first. Throws if the object's state cannot be read. */
  async readFfmpegVersion(): Promise<string | undefined> {
    await this.getState();
    return this.ctx.storage.get<string>(FFMPEG_KEY);
  }
}

// An assignment instead of a static field: a field would define a property, but the base class's setter registers the handlers.
MediaContainer.outboundByHost = { [SOURCE_HOST]: serveSource };
