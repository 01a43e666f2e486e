import type { Services } from "../context.ts";
import { type Bindings, openServices } from "../open-services.ts";
import type { ThumbnailContext } from "./make-thumbnail.ts";

/** The services of a job, which has no request: no URL is made, and the queue waits for all of its work. */
const NO_REQUEST = { origin: "", waitUntil: () => undefined };

/** What making a thumbnail needs, and handing on what was counted of it. */
export type JobContext = ThumbnailContext & Pick<Services, "serviceMeter" | "config">;

/** What jobs need of a Worker's bindings. */
export function openThumbnailContext(bindings: Bindings & { readonly PREVIEW_SECRET: string }): JobContext {
  return { ...openServices(bindings, NO_REQUEST), previewSecret: bindings.PREVIEW_SECRET };
}
