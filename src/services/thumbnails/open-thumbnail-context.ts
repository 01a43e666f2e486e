import type { Services } from "../context.ts";
import { type Bindings, NO_REQUEST, openServices } from "../open-services.ts";
import type { ThumbnailContext } from "./make-thumbnail.ts";

/** What making a thumbnail needs, and handing on what was counted of it. */
export type JobContext = ThumbnailContext & Pick<Services, "serviceMeter" | "config">;

/** What jobs need of a Worker's bindings. */
export function openThumbnailContext(bindings: Bindings & { readonly PREVIEW_SECRET: string }): JobContext {
  return { ...openServices(bindings, NO_REQUEST), previewSecret: bindings.PREVIEW_SECRET };
}
