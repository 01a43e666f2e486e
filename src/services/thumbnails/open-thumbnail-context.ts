import type { Services } from "../context.ts";
import { type Bindings, NO_REQUEST, openServices } from "../open-services.ts";
import type { ThumbnailContext } from "./make-thumbnail.ts";

/** The context of thumbnail jobs, which also flush their counts. */
export type JobContext = ThumbnailContext & Pick<Services, "serviceMeter" | "config">;

/** Opens the context over a Worker's bindings. */
export function openThumbnailContext(bindings: Bindings): JobContext {
  const services = openServices(bindings, NO_REQUEST);
  return { ...services, previewSecret: services.config.previewSecret };
}
