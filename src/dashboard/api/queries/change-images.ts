import { type ImageChange, type ImageFilter, MediaHostError } from "../../../client/index.ts";
import type { Visibility } from "../../../domain/visibility.ts";
import { api } from "../client.ts";

/** A change to files; `deleted` is permanent. */
interface ImagesPatch {
  readonly favorite?: boolean | undefined;
  readonly folderId?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  readonly status?: "active" | "trash" | "deleted" | undefined;
  /** A deletion keeps files that are not in the trash at its moment. */
  readonly onlyFrom?: "trash" | undefined;
  /** A change of it has no other field. */
  readonly visibility?: Visibility | undefined;
  /** The owner's facts about a single file. A change of them has no other field. */
  readonly facts?: ImageChange | undefined;
}

interface ChangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each step with the number of changed files. */
  readonly onStep?: ((done: number) => void) | undefined;
}

export interface Changed {
  /** The number of changed files. */
  readonly updated: number;
  /** The files that a deletion kept, because they were not in the trash any more. */
  readonly kept: number;
}

/** The maximum of ids in a request. */
const STEP = 1000;
const DELETED_STEP = 100;

/**
 * Changes files, in steps.
 * @throws MediaHostError; the signal's reason between two steps
 */
export async function changeImages(
  ids: readonly string[],
  patch: ImagesPatch,
  { signal, onStep }: ChangeOptions = {},
): Promise<Changed> {
  const step = patch.status === "deleted" ? DELETED_STEP : STEP;
  let updated = 0;
  let kept = 0;
  for (let at = 0; at < ids.length; at += step) {
    signal?.throwIfAborted();
    const some = ids.slice(at, at + step);
    if (patch.status === "deleted") {
      const deleted = await deleteStep(some, patch.onlyFrom);
      updated += deleted.updated;
      kept += deleted.kept;
    } else updated += await changeStep(some, patch, signal);
    onStep?.(Math.min(ids.length, at + step));
  }
  return { updated, kept };
}

/** More files are not looked up, because each takes a request. */
const MOST_LOOKED_UP = 20;

/** The ids of files that do not exist any more. Undefined if there are too many to look up. */
export async function findDeleted(ids: readonly string[]): Promise<ReadonlySet<string> | undefined> {
  if (ids.length > MOST_LOOKED_UP) return undefined;
  const isDeleted = (id: string) =>
    api.image(id).then(
      () => false,
      (error) => error instanceof MediaHostError && error.statusCode === 404,
    );
  const are = await Promise.all(ids.map(isDeleted));
  return new Set(ids.filter((_, at) => are[at]));
}

async function deleteStep(ids: readonly string[], onlyFrom: "trash" | undefined): Promise<Changed> {
  const { deleted, failed } = await api.deleteAll(ids, { onlyFrom });
  const kept = failed.filter(({ code }) => code === "image_not_in_trash").length;
  // A missing file counts as deleted: an earlier try whose response was lost may have deleted it.
  const [refused] = failed.filter(({ code }) => code !== "image_not_found" && code !== "image_not_in_trash");
  if (refused !== undefined) throw new MediaHostError(refused.error, refused);
  return { updated: deleted + failed.length - kept, kept };
}

async function changeStep(
  ids: readonly string[],
  { status, addTags, removeTags, visibility, facts, ...rest }: ImagesPatch,
  signal: AbortSignal | undefined,
) {
  if (facts !== undefined) {
    for (const id of ids) await api.update(id, facts);
    return ids.length;
  }
  if (visibility !== undefined) return changeVisibility(ids, visibility, signal);
  if (status === "trash") return (await api.trash(ids)).updated;
  if (status === "active") return (await api.restore(ids)).updated;
  const tags = { ...(addTags && { addTags: [...addTags] }), ...(removeTags && { removeTags: [...removeTags] }) };
  return (await api.updateAll({ ids: [...ids], ...rest, ...tags })).updated;
}

/** The service copies the files, so a request may leave some of them to the next one. */
async function changeVisibility(
  ids: readonly string[],
  visibility: Visibility,
  signal: AbortSignal | undefined,
): Promise<number> {
  let updated = 0;
  for (;;) {
    signal?.throwIfAborted();
    const step = await api.updateAll({ ids: [...ids], visibility });
    updated += step.updated;
    // Files that are being deleted remain.
    if ((step.remaining ?? 0) === 0 || step.updated === 0) return updated;
  }
}

/**
 * Changes all files that match a filter, in steps.
 * @param exceptIds files that stay unchanged, at most 1,000
 * @returns the number of changed files
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
