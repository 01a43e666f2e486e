import { type Actor, actorOf, type Principal } from "./principal.ts";

/** The changes of a file that its history lists (HIST-1). */
export const HISTORY_TYPES = ["uploaded", "moved", "renamed", "replaced", "trashed", "restored"] as const;
export type HistoryType = (typeof HISTORY_TYPES)[number];

/** The changes of a file that are kept, without the upload itself: the newest ones. */
export const MAX_KEPT_CHANGES = 20;

export const ACTOR_TYPES = ["session", "key", "upload_token", "share"] as const;
type ActorType = (typeof ACTOR_TYPES)[number];

/** The caller of a change, null if it is unknown, and the time in milliseconds since the epoch. */
export interface ChangedBy {
  readonly by: Actor | null;
  readonly at: number;
}

/**
 * A change as the upload's row has it, with the time at which the row was changed: if the alarm finishes an interrupted replacement, the time
 * of the alarm. Only a move has a folder; null is Root.
 */
export type KeptChange = readonly [
  type: Exclude<HistoryType, "uploaded">,
  at: number,
  by: Actor | null,
  folderId?: string | null,
];

export interface HistoryEntry {
  readonly type: HistoryType;
  readonly at: number;
  readonly by: { readonly type: ActorType; readonly id: string | null } | null;
  /** A move has it; null is Root. */
  readonly folderId?: string | null;
}

/** @param keyId null for a session */
export function actorOfKey(keyId: string | null): Actor {
  return keyId === null ? "session" : `key:${keyId}`;
}

/** The caller of a request, now. */
export function changedBy({
  principal,
  now,
}: {
  readonly principal: Principal;
  readonly now: () => number;
}): ChangedBy {
  return { by: actorOf(principal), at: now() };
}

/**
 * The history of an upload, newest first. A file of earlier versions has only its upload, by an unknown caller.
 * @param history the kept changes as JSON text
 */
export function readHistory(
  { createdAt, uploadedBy }: { readonly createdAt: number; readonly uploadedBy: Actor | null },
  history: string | null,
): HistoryEntry[] {
  const kept = JSON.parse(history ?? "[]") as KeptChange[];
  const changes = kept.map(([type, at, by, folderId]) => ({
    type,
    at,
    by: readActor(by),
    ...(folderId === undefined ? {} : { folderId }),
  }));
  return [...changes.reverse(), { type: "uploaded", at: createdAt, by: readActor(uploadedBy) }];
}

function readActor(actor: Actor | null): HistoryEntry["by"] {
  if (actor === null) return null;
  const [type, id = null] = actor.split(":") as [ActorType, string?];
  return { type, id };
}
