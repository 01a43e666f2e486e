import { MediaProcessor } from "./media-processor.ts";

/** The media processor as this deployment has it: a server at an address, or none. */
export function openProcessor({ MEDIA_PROCESSOR_URL }: Env): MediaProcessor | undefined {
  if (MEDIA_PROCESSOR_URL === "") return undefined;
  return new MediaProcessor((path, init) => fetch(new URL(path, MEDIA_PROCESSOR_URL), init));
}
