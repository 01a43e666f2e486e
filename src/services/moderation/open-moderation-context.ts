import { type Bindings, NO_REQUEST, openServices } from "../open-services.ts";
import { openHook } from "./ask-hook.ts";
import type { ModerationContext } from "./moderate-upload.ts";

/** The context of moderation jobs over a Worker's bindings. */
export function openModerationContext(bindings: Bindings): ModerationContext {
  const services = openServices(bindings, NO_REQUEST);
  return { ...services, ask: openHook(services) };
}
