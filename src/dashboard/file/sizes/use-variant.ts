import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { noAnswer } from "../../../client/connection.ts";
import { MediaHostError, toError } from "../../../client/media-host-error.ts";
import type { PictureSize } from "../../../domain/variants/variant-geometry.ts";
import { uncountedUrl } from "../download-file.ts";
import type { FileFacts } from "../file-facts.ts";

/** A variant as the service answers it. */
export interface MadeVariant {
  readonly image: Blob;
  /** Pixels; undefined if this browser cannot decode it. */
  readonly size: PictureSize | undefined;
  /** Another picture is served, because this variant is not made yet or cannot be made (VAR-5, VAR-11). */
  readonly isSubstitute: boolean;
  /** The variant of an animation does not move (VAR-13). */
  readonly isFirstFrame: boolean;
}

/** The `Accept` of a browser's request for a picture, which chooses the format of `auto=format`. */
const ACCEPT = "image/avif,image/webp,image/*,*/*;q=0.8";
/** The time until the panel asks again for a variant that was not made yet. */
const AGAIN_MS = 4000;
/** Together more than a minute, which a changed preset takes. */
const MOST_TRIES = 18;

interface Wanted {
  /** `w=640&fm=webp`; undefined: none is chosen. */
  readonly query: string | undefined;
  /** Whether the variant is made from a video's thumbnail. */
  readonly isOfThumbnail: boolean;
  /** The size that a preset has since its last change, which takes effect within a minute. */
  readonly presetSize?: PictureSize | undefined;
}

/** The variant of a file, read by the session's URLs, which count no view. */
export function useVariant(file: FileFacts, { query, isOfThumbnail, presetSize }: Wanted) {
  return useQuery({
    queryKey: ["variant", file._id, file.url, isOfThumbnail, query],
    queryFn: async ({ signal }): Promise<MadeVariant> => {
      const url = isOfThumbnail ? (file.previewUrl ?? "") : await uncountedUrl(file);
      return readVariant(`${url}${url.includes("?") ? "&" : "?"}${query}`, signal);
    },
    enabled: query !== undefined && !(isOfThumbnail && !file.previewUrl),
    placeholderData: keepPreviousData,
    // A variant never changes.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, error, dataUpdateCount, errorUpdateCount } }) => {
      const isLater = data?.isSubstitute === true || isBeforeChange(data, presetSize) || isUnknown(error, presetSize);
      return isLater && dataUpdateCount + errorUpdateCount < MOST_TRIES ? AGAIN_MS : false;
    },
    refetchOnReconnect: true,
  });
}

/** Whether the service still answers a preset as it was before its last change. */
export function isBeforeChange(made: MadeVariant | undefined, presetSize: PictureSize | undefined): boolean {
  const { size } = made ?? {};
  if (size === undefined || presetSize === undefined) return false;
  return size.width !== presetSize.width || size.height !== presetSize.height;
}

/** Whether the service does not serve a new preset yet. */
export function isUnknown(error: Error | null, presetSize: PictureSize | undefined): boolean {
  return presetSize !== undefined && error instanceof MediaHostError && error.statusCode === 400;
}

/** @throws MediaHostError */
async function readVariant(url: string, signal: AbortSignal): Promise<MadeVariant> {
  try {
    // A substitute that the browser has kept is not read again.
    const answer = await fetch(url, { signal, headers: { Accept: ACCEPT }, cache: "no-cache" });
    if (!answer.ok) throw await toError(answer);
    const image = await answer.blob();
    const kind = answer.headers.get("X-Variant");
    return {
      image,
      size: await sizeOf(image),
      isSubstitute: kind === "substitute",
      isFirstFrame: kind === "first-frame",
    };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof MediaHostError ? error : noAnswer(error, url);
  }
}

async function sizeOf(image: Blob) {
  try {
    const bitmap = await createImageBitmap(image);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return undefined;
  }
}
