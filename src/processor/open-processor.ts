import { MediaProcessor, type SendToProcessor } from "./media-processor.ts";
import { SOURCE_ORIGIN } from "./source-origin.ts";

/** How many Containers share the work (`max_instances` in wrangler.toml). */
const INSTANCES = 3;
const BUSY = 503;
/** `MEDIA_PROCESSOR_URL` of a deployment without one (`npm run deploy -- --without-container`). */
const NONE = "none";

/** What of a Worker's bindings leads to the media processor. */
export type ProcessorBindings = Pick<Env, "MEDIA_PROCESSOR_URL" | "MEDIA_SOURCE_URL" | "MEDIA_PROCESSOR" | "CODECS">;

/** The media processor as this deployment has it: a server at an address, none at all, else the Container. */
export function openProcessor(env: ProcessorBindings): MediaProcessor {
  const { MEDIA_PROCESSOR_URL, MEDIA_SOURCE_URL, MEDIA_PROCESSOR, CODECS } = env;
  if (MEDIA_PROCESSOR_URL === "") {
    // A request would start it, and be billed a minute of it.
    const probe = () => MEDIA_PROCESSOR.getByName("media-processor-0").getState();
    return new MediaProcessor(sendToContainers(MEDIA_PROCESSOR), SOURCE_ORIGIN, CODECS, probe);
  }
  if (MEDIA_PROCESSOR_URL === NONE) return new MediaProcessor(undefined, SOURCE_ORIGIN, CODECS);
  const send: SendToProcessor = async (path, makeRequest) =>
    fetch(new URL(path, MEDIA_PROCESSOR_URL), await makeRequest());
  return new MediaProcessor(send, MEDIA_SOURCE_URL.replace(/\/$/, ""), CODECS, () => probeServer(MEDIA_PROCESSOR_URL));
}

/** @throws Error where it does not answer 200 */
async function probeServer(url: string): Promise<void> {
  const answer = await fetch(new URL("/health", url));
  await answer.body?.cancel();
  if (answer.status !== 200) throw new Error(`The media processor answered ${answer.status}`);
}

/** Always asks the same instance first, so that the others can sleep, and the next one only where that one is busy. */
function sendToContainers(instances: Env["MEDIA_PROCESSOR"]): SendToProcessor {
  return async (path, makeRequest) => {
    const url = new URL(path, "http://container");
    const ask = async (index: number): Promise<Response> => {
      const answer = await instances.getByName(`media-processor-${index}`).fetch(url, await makeRequest());
      if (answer.status !== BUSY || index === INSTANCES - 1) return answer;
      await answer.body?.cancel();
      return ask(index + 1);
    };
    return ask(0);
  };
}
