import type { ViewsCollected } from "../../../src/domain/queue-messages.ts";
import { newViewId, packViews, type View } from "../../../src/domain/view-pack.ts";

export const VIEWED_UPLOAD = "01hzy3v7k9q4r5s6t7v8w9x0yb";

export function newView(at = Date.now()): View {
  return { id: newViewId(), at, resourceId: VIEWED_UPLOAD };
}

export function newViews(count: number, at = Date.now()): View[] {
  return Array.from({ length: count }, () => newView(at));
}

/** A journal's message of one sequence. */
export function collected(
  views: Readonly<Record<string, readonly View[]>>,
  { journal = "0123456789ab", sequence = 1, sentBytes = 0 } = {},
): ViewsCollected {
  const packs = new Map(Object.entries(views).map(([accountId, own]) => [accountId, packViews(own, sentBytes)]));
  return { type: "views.collected", journal, sequence, packs };
}
