import { clientAddressOf, isLocal } from "../../domain/client.ts";
import { ERRORS, type ErrorCode, ServiceError } from "../../domain/errors.ts";
import { toLogLine } from "../../domain/log-line.ts";
import { thumbnailKey } from "../../domain/object-key.ts";
import type { TierName } from "../../domain/tiers.ts";
import type { CdnEnv } from "../env.ts";
import type { RequestedFile } from "../object-path.ts";
import type { FoundObject } from "../read-object.ts";
import type { MadeVariant, Payer } from "./variant-maker.ts";
import type { WantedVariant } from "./wanted-variant.ts";

/** The object that answers a request. */
export interface Target {
  readonly objectKey: string;
  readonly object: FoundObject;
  /** Whether the object is a substitute for a variant that cannot be made now. */
  readonly isSubstitute: boolean;
}

interface Request {
  readonly file: RequestedFile;
  /** Undefined: the file itself. */
  readonly wanted: WantedVariant | undefined;
  readonly headers: Headers;
  /** The tier of the file's account. */
  readonly tier: TierName;
}

type VariantBindings = Pick<CdnEnv, "VARIANT_MAKER" | "VARIANTS_BY_ADDRESS" | "VARIANTS_BY_ACCOUNT">;

const NOT_FOUND: ErrorCode = "file_not_found";

/**
 * Reads the object that answers a request: the file, or a variant, which is made if it is not stored yet (VAR-3). A hit costs one R2
 * operation, like the file itself.
 * @throws ServiceError 404, 503
 */
export async function findTarget(
  env: VariantBindings,
  { file, wanted, headers, tier }: Request,
  read: (objectKey: string) => Promise<FoundObject>,
): Promise<Target> {
  const { objectKey: fileKey } = file;
  if (wanted === undefined) return { objectKey: fileKey, object: await read(fileKey), isSubstitute: false };
  const { objectKey } = wanted;
  const stored = await readIfStored(objectKey, read);
  if (stored !== undefined) return { objectKey, object: stored, isSubstitute: false };
  const address = clientAddressOf(headers);
  const made = (await mayMake(env, file, address))
    ? await make(env, file, wanted, { address, tier })
    : notNow(wanted, fileKey);
  if (made.outcome === "gone") throw ERRORS.FileNotFound();
  if (made.outcome === "no-frame") return findThumbnail(file, read);
  if (made.outcome === "stored") return { objectKey, object: await read(objectKey), isSubstitute: false };
  // The substitute may have been deleted just now. The file itself stays.
  const substitute = await readIfStored(made.objectKey, read);
  if (substitute !== undefined) return { objectKey: made.objectKey, object: substitute, isSubstitute: true };
  return { objectKey: fileKey, object: await read(fileKey), isSubstitute: true };
}

/**
 * The video's thumbnail is the substitute for a frame. The video itself would not do, because a page shows a picture here.
 * @throws ServiceError 404
 */
async function findThumbnail(
  { accountId, uploadId }: RequestedFile,
  read: (objectKey: string) => Promise<FoundObject>,
): Promise<Target> {
  const objectKey = thumbnailKey(accountId, uploadId);
  const object = await readIfStored(objectKey, read);
  if (object === undefined) throw ERRORS.FrameNotFound();
  return { objectKey, object, isSubstitute: true };
}

async function readIfStored(
  objectKey: string,
  read: (objectKey: string) => Promise<FoundObject>,
): Promise<FoundObject | undefined> {
  try {
    return await read(objectKey);
  } catch (error) {
    if (error instanceof ServiceError && error.code === NOT_FOUND) return undefined;
    throw error;
  }
}

/** Bounds the processor time that an address and an account's visitors cause. The counters are the platform's, and approximate. */
async function mayMake(
  { VARIANTS_BY_ADDRESS, VARIANTS_BY_ACCOUNT }: VariantBindings,
  { accountId }: RequestedFile,
  address: string,
): Promise<boolean> {
  const counts = [
    VARIANTS_BY_ACCOUNT.limit({ key: accountId }),
    ...(isLocal(address) ? [] : [VARIANTS_BY_ADDRESS.limit({ key: address })]),
  ].map((count) => count.catch(() => ({ success: true })));
  return (await Promise.all(counts)).every(({ success }) => success);
}

/** If a variant cannot be made, the file itself is served. */
async function make(
  { VARIANT_MAKER }: Pick<CdnEnv, "VARIANT_MAKER">,
  { accountId, uploadId, objectKey: fileKey }: RequestedFile,
  { objectKey, variant }: WantedVariant,
  payer: Payer,
): Promise<MadeVariant> {
  try {
    return await VARIANT_MAKER.getByName(uploadId).make({ accountId, uploadId, fileKey, objectKey }, variant, payer);
  } catch (error) {
    console.error(toLogLine("variant.not-made", { accountId, uploadId }, error));
    return notNow({ variant }, fileKey);
  }
}

function notNow({ variant }: Pick<WantedVariant, "variant">, fileKey: string): MadeVariant {
  return variant.frameMs === undefined ? { outcome: "instead", objectKey: fileKey } : { outcome: "no-frame" };
}
