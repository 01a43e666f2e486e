import { type ImageFilter, MediaHostError } from "../../../client/index.ts";
import { api } from "../client.ts";

/** What is done to files; `deleted` is for good. */
export interface ImagesPatch {
  readonly favorite?: boolean | undefined;
  readonly folderId?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  readonly status?: "active" | "trash" | "deleted" | undefined;
}

export interface ChangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Told of the files that are done, after each step. */
  readonly onStep?: ((done: number) => void) | undefined;
}

/** The most ids of one request. */
const STEP = 1000;
const DELETED_STEP = 100;

/**
 * Changes files, in steps.
 * @returns how many were changed
 * @throws MediaHostError; the signal's reason between two steps
 */
export async function changeImages(
  ids: readonly string[],
  patch: ImagesPatch,
  { signal, onStep }: ChangeOptions = {},
): Promise<number> {
  const step = patch.status === "deleted" ? DELETED_STEP : STEP;
  let updated = 0;
  for (let at = 0; at < ids.length; at += step) {
    signal?.throwIfAborted();
    updated += await changeStep(ids.slice(at, at + step), patch);
    onStep?.(Math.min(ids.length, at + step));
  }
  return updated;
}

async function changeStep(ids: readonly string[], { status, addTags, removeTags, ...rest }: ImagesPatch) {
  if (status === "deleted") {
    const { deleted, failed } = await api.deleteAll(ids);
    // What is gone already, maybe by a try whose answer was lost, is gone as was asked.
    const [refused] = failed.filter(({ statusCode }) => statusCode !== 404);
    if (refused !== undefined) throw new MediaHostError(refused.error, { statusCode: refused.statusCode });
    return deleted + failed.length;
  }
  if (status === "trash") return (await api.trash(ids)).updated;
  if (status === "active") return (await api.restore(ids)).updated;
  const tags = { ...(addTags && { addTags: [...addTags] }), ...(removeTags && { removeTags: [...removeTags] }) };
  return (await api.updateAll({ ids: [...ids], ...rest, ...tags })).updated;
}

/**
 * Changes all files that a filter lets through but some, in steps.
 * @param exceptIds at most 1,000
 * @returns how many were changed
 * @throws MediaHostError; the signal's reason between two steps
 */
export async function changeMatching(
  filter: ImageFilter,
  exceptIds: readonly string[],
  { status, addTags, removeTags, ...rest }: ImagesPatch,
  { signal, onStep }: ChangeOptions = {},
): Promise<number> {
  const tags = { ...(addTags && { addTags: [...addTags] }), ...(removeTags && { removeTags: [...removeTags] }) };
  let updated = 0;
  let cursor: string | undefined;
  do {
    signal?.throwIfAborted();
    const which = { filter, ...(exceptIds.length > 0 && { exceptIds: [...exceptIds] }), cursor };
    const step = await (status === "trash"
      ? api.trash(which)
      : status === "active"
        ? api.restore(which)
        : api.updateAll({ ...which, ...rest, ...tags }));
    updated += step.updated;
    onStep?.(updated);
    cursor = step.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return updated;
}
