import type { ModerationRequested } from "../domain/queue-messages.ts";
import { retryQueue, type Sender } from "../isolate/calls.ts";

export interface ModerationQueueBindings {
  readonly MODERATION: Queue<ModerationRequested>;
  /** The address of the hook; empty if there is none. */
  readonly MODERATION_URL?: string;
}

/** The queue of requests to the moderation hook; undefined without a hook, so that nothing is sent. */
export function openModerationQueue(bindings: ModerationQueueBindings): Sender<ModerationRequested> | undefined {
  return (bindings.MODERATION_URL ?? "") === "" ? undefined : retryQueue(bindings.MODERATION);
}
