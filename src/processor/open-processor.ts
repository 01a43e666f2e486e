import { MediaProcessor } from "./media-processor.ts";

/** How many Containers share the work (`max_instances` in wrangler.toml). */
const INSTANCES = 3;

/** The media processor as this deployment has it: a server at an address, else the Container. */
export function openProcessor({ MEDIA_PROCESSOR_URL, MEDIA_PROCESSOR }: Env): MediaProcessor {
  if (MEDIA_PROCESSOR_URL !== "") {
    return new MediaProcessor((path, init) => fetch(new URL(path, MEDIA_PROCESSOR_URL), init));
  }
  return new MediaProcessor((path, init) => {
    const instance = Math.floor(Math.random() * INSTANCES);
    return MEDIA_PROCESSOR.getByName(`media-processor-${instance}`).fetch(new URL(path, "http://container"), init);
  });
}
