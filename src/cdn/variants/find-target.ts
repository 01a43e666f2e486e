import { clientAddressOf, isLocal } from "../../domain/client.ts";
import { ERRORS, type ErrorCode, ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { keyAs, thumbnailKey, toPath, versionOf, visibleVariantsPrefix } from "../../domain/object-key.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { CdnEnv, VariantsByTier } from "../env.ts";
import type { RequestedFile } from "../object-path.ts";
import type { FoundObject } from "../read-object.ts";
import { learnSourceType } from "./source-type.ts";
import type { MadeVariant, Payer, VariantSource } from "./variant-maker.ts";
import type { WantedVariant } from "./wanted-variant.ts";

/** The object that answers a request. */
export interface Target {
  /** Whether it belongs to a public or to a private file. */
  readonly place: Visibility;
  /** Its key in R2. */
  readonly objectKey: string;
  readonly object: FoundObject;
  /** Whether the object is a substitute for a variant that cannot be made now. */
  readonly isSubstitute: boolean;
}

export interface TargetRequest {
  readonly file: RequestedFile;
  /** The places in R2 that the request may read, the likelier one first. */
  readonly places: readonly Visibility[];
  /** Undefined: the file itself. */
  readonly wanted: WantedVariant | undefined;
  readonly headers: Headers;
  /** The tier of the file's account. */
  readonly tier: TierName;
}

type VariantBindings = Pick<CdnEnv, "VARIANT_MAKER" | "VARIANTS_BY_ADDRESS" | VariantsByTier>;

const NOT_FOUND: ErrorCode = "file_not_found";

type Read = (objectKey: string) => Promise<FoundObject>;

/**
 * Reads the object that answers a request: the file, or a variant, which is made if it is not stored yet (VAR-3). A hit at the first place
 * costs one R2 operation, like the file itself.
 * @param isCounted whether the limits of new variants have counted the request
 * @throws ServiceError 404, 503
 */
export async function findTarget(
  env: VariantBindings,
  request: TargetRequest,
  read: Read,
  isCounted = false,
): Promise<Target> {
  const { file, wanted, places } = request;
  if (wanted === undefined) {
    const found = await readFirst(
      places.map((place) => toTarget(place, keyAs(file.objectKey, place))),
      read,
    );
    if (found === undefined) throw ERRORS.FileNotFound();
    return found;
  }
  const stored = await readFirst(
    places.map((place) => toTarget(place, variantKey(file, wanted, place))),
    read,
  );
  if (stored !== undefined) return stored;
  const address = clientAddressOf(request.headers);
  const payer = { address, tier: request.tier };
  const may = isCounted || (await mayMake(env, file, payer));
  for (const place of places) {
    const source = toSource(file, wanted, place);
    const made = may ? await make(env, source, wanted, payer) : notNow(wanted, source.fileKey);
    if (made.outcome === "other-type") {
      learnSourceType(file.objectKey, made.type);
      return findTarget(env, { ...request, wanted: wanted.of(made.type) }, read, true);
    }
    const target = await readMade(made, { file, source, place }, read);
    if (target !== undefined) return target;
  }
  throw ERRORS.FileNotFound();
}

function variantKey({ accountId, version }: RequestedFile, { name }: WantedVariant, place: Visibility): string {
  return visibleVariantsPrefix(accountId, version, place) + name;
}

function toSource(file: RequestedFile, wanted: WantedVariant, place: Visibility): VariantSource {
  const { accountId, uploadId } = file;
  const { sourceType } = wanted;
  const fileKey = keyAs(file.objectKey, place);
  return { accountId, uploadId, fileKey, sourceType, objectKey: variantKey(file, wanted, place) };
}

function toTarget(place: Visibility, objectKey: string, isSubstitute = false): Omit<Target, "object"> {
  return { place, objectKey, isSubstitute };
}

/** @returns undefined if there is no file at this place */
async function readMade(
  made: Exclude<MadeVariant, { outcome: "other-type" }>,
  { file, source, place }: { readonly file: RequestedFile; readonly source: VariantSource; readonly place: Visibility },
  read: Read,
): Promise<Target | undefined> {
  switch (made.outcome) {
    case "gone":
      return undefined;
    case "no-frame":
      return findThumbnail(file, place, read);
    case "stored":
      return readFirst([toTarget(place, source.objectKey)], read);
    case "instead": {
      // The substitute may have been deleted just now. The file itself stays.
      const found = await readFirst(
        [made.objectKey, source.fileKey].map((key) => toTarget(place, key, true)),
        read,
      );
      if (found?.objectKey === source.fileKey) learnSourceType(file.objectKey, found.object.httpMetadata?.contentType);
      return found;
    }
  }
}

/**
 * The video's thumbnail is the substitute for a frame. The video itself would not do, because a page shows a picture here.
 * @throws ServiceError 404
 */
async function findThumbnail({ accountId, version }: RequestedFile, place: Visibility, read: Read): Promise<Target> {
  const found = await readFirst([toTarget(place, keyAs(thumbnailKey(accountId, version), place), true)], read);
  if (found === undefined) throw ERRORS.FrameNotFound();
  return found;
}

/** Reads the first of these objects that is stored. */
async function readFirst(candidates: readonly Omit<Target, "object">[], read: Read): Promise<Target | undefined> {
  for (const candidate of candidates) {
    const object = await readIfStored(candidate.objectKey, read);
    if (object !== undefined) return { ...candidate, object };
  }
  return undefined;
}

async function readIfStored(objectKey: string, read: Read): Promise<FoundObject | undefined> {
  try {
    return await read(objectKey);
  } catch (error) {
    if (error instanceof ServiceError && error.code === NOT_FOUND) return undefined;
    throw error;
  }
}

/**
 * Bounds the processor time that an address and an account's visitors cause. The counters are the platform's, and approximate. A request
 * that its address's counter refuses does not count for the account, so one address cannot use up the minute of all visitors.
 */
async function mayMake(
  bindings: VariantBindings,
  { accountId }: RequestedFile,
  { address, tier }: Payer,
): Promise<boolean> {
  const byAccount = bindings[`VARIANTS_BY_${tier.toUpperCase() as Uppercase<TierName>}`];
  if (!isLocal(address) && !(await isBelow(bindings.VARIANTS_BY_ADDRESS, address))) return false;
  return isBelow(byAccount, accountId);
}

/** A counter that fails refuses nothing. */
async function isBelow(counter: RateLimit, key: string): Promise<boolean> {
  const { success } = await counter.limit({ key }).catch(() => ({ success: true }));
  return success;
}

/** If a variant cannot be made, the file itself is served. */
async function make(
  { VARIANT_MAKER }: Pick<CdnEnv, "VARIANT_MAKER">,
  source: VariantSource,
  { variant }: WantedVariant,
  payer: Payer,
): Promise<MadeVariant> {
  const { accountId, uploadId, fileKey } = source;
  try {
    return await VARIANT_MAKER.getByName(versionOf(toPath(fileKey).path)).make(source, variant, payer);
  } catch (error) {
    console.error(toLogLine("variant.not-made", { accountId, uploadId }, error));
    return notNow({ variant }, fileKey);
  }
}

function notNow({ variant }: Pick<WantedVariant, "variant">, fileKey: string): MadeVariant {
  return variant.frameMs === undefined ? { outcome: "instead", objectKey: fileKey } : { outcome: "no-frame" };
}
