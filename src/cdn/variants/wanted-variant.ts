import { ERRORS } from "../../domain/errors.ts";
import { type FileRules, PRESET_NAME } from "../../domain/file-rules.ts";
import type { MediaType } from "../../domain/media-types.ts";
import { readParameters, type VariantParameters } from "../../domain/variants/parameters.ts";
import { toVariantRequest } from "../../domain/variants/parse-variant.ts";
import { deriveSigningKey, isSignedBy, SIGNATURE_PARAMETER, signatureKeyId } from "../../domain/variants/signed-url.ts";
import { type AcceptedFormats, type Variant, variantFor, variantName } from "../../domain/variants/variant.ts";
import type { RequestedFile } from "../object-path.ts";
import { sourceTypeOf } from "./source-type.ts";

/** The values of `dpr` that a URL with a preset may have. A preset's sizes are exact, so strangers cannot choose others. */
const DENSITIES: ReadonlySet<string> = new Set(["1", "2", "3"]);

/** A variant of a stored file, as a request wants it. */
export interface WantedVariant {
  /** The name of its object below the upload's variants. */
  readonly name: string;
  readonly variant: Variant;
  /** Whether a request with another `Accept` may get another variant (RFC 9110, 12.5.5). */
  readonly variesByAccept: boolean;
  /** The type of the file, for which this is the variant. */
  readonly sourceType: MediaType;
  /** The variant that the request wants if the file has this type. */
  of(sourceType: MediaType): WantedVariant;
}

/**
 * The image types of `Accept` that matter. `image/*` and a missing header are not enough: old browsers send them. The weight 0 refuses a type
 * (RFC 9110, 12.4.2).
 */
const WEBP = named("webp");
const AVIF = named("avif");
/** The rest of a longer header is ignored. */
const MAX_ACCEPT_LENGTH = 1000;

/** The parameters of the variant that a URL asks for (VAR-1); undefined if it asks for the file itself. */
export function askedParameters({ query }: RequestedFile): VariantParameters | undefined {
  if (query === "") return undefined;
  const parameters = readParameters(query);
  return parameters.size === 0 ? undefined : parameters;
}

interface Circumstances {
  readonly rules: FileRules;
  readonly headers: Headers;
  /** The values of `URL_SIGNING_SECRET` that are accepted. */
  readonly signingSecrets: readonly string[];
  /** Whether there is a media processor. AVIF needs one. */
  readonly hasProcessor: boolean;
}

/**
 * The variant that answers a request, if the account's rules allow it (VAR-7, VAR-8, VAR-9).
 * @throws ServiceError 400 that names each wrong parameter; 403 if the owner does not offer such variants, or the signature is not valid
 */
export async function wantedVariant(
  file: RequestedFile,
  asked: VariantParameters,
  { rules, headers, signingSecrets, hasProcessor }: Circumstances,
): Promise<WantedVariant> {
  const { variants, presets = {} } = rules;
  if (variants === "off") throw ERRORS.VariantRefused(variants);
  const isSigned = await hasSignature(file, asked, rules, signingSecrets);
  const isPreset = asked.has("p");
  if (variants !== undefined && !isSigned && !(variants === "presets" && isPreset))
    throw ERRORS.VariantRefused(variants);
  const parsed = toVariantRequest(isPreset ? withPreset(asked, presets, isSigned) : asked);
  if ("errors" in parsed) throw ERRORS.InvalidQuery(parsed.errors);
  const { request } = parsed;
  const accepted = request.autoFormat ? acceptedBy(headers.get("Accept")) : { webp: false, avif: false };
  const of = (sourceType: MediaType): WantedVariant => {
    const variant = variantFor(request, { sourceType, accepted, isExact: isPreset || isSigned, hasProcessor });
    const name = (file.kind === "thumbnail" ? "thumb-" : "") + variantName(variant);
    return { name, variant, variesByAccept: request.autoFormat, sourceType, of };
  };
  return of(sourceTypeOf(file.objectKey));
}

function named(type: string): RegExp {
  return new RegExp(`\\bimage/${type}\\b(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))`);
}

function acceptedBy(accept: string | null): AcceptedFormats {
  const read = (accept ?? "").slice(0, MAX_ACCEPT_LENGTH).toLowerCase();
  return { webp: WEBP.test(read), avif: AVIF.test(read) };
}

/**
 * Whether a URL is signed by one of the account's keys (VAR-9). This reads no store: the rules have the ids of valid keys, and the secret
 * of a key is derived from its id.
 * @throws ServiceError 403 if its signature is not valid, or its key unknown or revoked
 */
async function hasSignature(
  { accountId, objectKey, query }: RequestedFile,
  parameters: VariantParameters,
  { signingKeys = {} }: FileRules,
  signingSecrets: readonly string[],
): Promise<boolean> {
  const signature = new URLSearchParams(query).get(SIGNATURE_PARAMETER);
  if (signature === null) return false;
  const keyId = signatureKeyId(signature);
  if (keyId === undefined || !Object.hasOwn(signingKeys, keyId)) throw ERRORS.InvalidSignature();
  for (const secret of signingSecrets) {
    const key = await deriveSigningKey(secret, accountId, keyId);
    if (await isSignedBy(key, signature, { path: `/${objectKey}`, parameters })) return true;
  }
  throw ERRORS.InvalidSignature();
}

/**
 * The parameters of a URL with a preset (VAR-8). The URL's own parameters replace the preset's.
 * @throws ServiceError 400 for an unknown preset, and for parameters other than `dpr` in a URL that is not signed
 */
function withPreset(
  asked: VariantParameters,
  presets: NonNullable<FileRules["presets"]>,
  isSigned: boolean,
): VariantParameters {
  const { name: parameter = "p", value: preset = "" } = asked.get("p") ?? {};
  const query = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (query === undefined) {
    const named = PRESET_NAME.test(preset) ? `There is no preset ${preset}` : "Must be the name of a preset";
    throw ERRORS.InvalidQuery({ [parameter]: named });
  }
  if (!isSigned) requireDensityAlone(asked);
  return new Map([...readParameters(query), ...asked]);
}

function requireDensityAlone(asked: VariantParameters): void {
  const wrong: Record<string, string> = {};
  for (const [known, { name, value }] of asked) {
    if (known === "p" || (known === "dpr" && DENSITIES.has(value))) continue;
    wrong[name] = known === "dpr" ? "Must be 1, 2 or 3 beside a preset" : "Must not be beside a preset";
  }
  if (Object.keys(wrong).length > 0) throw ERRORS.InvalidQuery(wrong);
}
