import { ERRORS, type ErrorCode, ServiceError } from "../domain/errors.ts";
import { toLogLine } from "../domain/log-line.ts";
import { keyAs } from "../domain/object-key.ts";
import { PREVIEW_PARAMETER, verifyPreview } from "../domain/preview-token.ts";
import { readSecret } from "../domain/secret-pair.ts";
import { evaluatePreconditions, ifRangeHolds } from "./conditional.ts";
import { addUncounted, takeUncounted } from "./egress.ts";
import type { CdnEnv, VariantsByTier } from "./env.ts";
import { isForPerson, toErrorPage } from "./error-page.ts";
import { findMoved, MovedError } from "./find-moved.ts";
import {
  ALLOWED_METHODS,
  type AnswerTerms,
  cacheControlOf,
  errorHeaders,
  fileHeaders,
  movedHeaders,
  PREFLIGHT_HEADERS,
  unchangedHeaders,
} from "./headers.ts";
import { readRules, requireAllowed } from "./judge-rules.ts";
import { parseFileUrl, type RequestedFile } from "./object-path.ts";
import { isSignedForFile, NO_PASS, openPass, type Pass, PREVIEW_PASS } from "./open-pass.ts";
import { contentRange, parseRange, type RequestedRange, resolveRange } from "./range.ts";
import { discard, type FoundObject, readFacts, readObject } from "./read-object.ts";
import { findTarget, type Target, type TargetRequest } from "./variants/find-target.ts";
import { hasProcessor } from "./variants/variant-maker.ts";
import { askedParameters, type WantedVariant, wantedVariant } from "./variants/wanted-variant.ts";
import { isWithinSignedReads, limitAddress } from "./view-limit.ts";

type FileBindings = Pick<
  CdnEnv,
  | "FILES"
  | "PREVIEW_SECRET"
  | "PREVIEW_SECRET_2"
  | "URL_SIGNING_SECRET"
  | "URL_SIGNING_SECRET_2"
  | "FILE_MAX_AGE_SECONDS"
  | "REPORT_URL"
  | "VIEWS_BY_ADDRESS"
  | "RANGES_BY_ADDRESS"
  | "SIGNED_READS_BY_FILE"
  | "VARIANT_MAKER"
  | "MEDIA_PROCESSOR"
  | "VARIANTS_BY_ADDRESS"
  | VariantsByTier
>;

type Read = (objectKey: string) => Promise<FoundObject>;

const NOT_FOUND: ErrorCode = "file_not_found";

/** @param bytes the answer's length, and those of the account's earlier answers that were no views */
type OnView = (file: RequestedFile, bytes: number) => void;

/**
 * Answers a request for a stored file (FILE-1): ranges, preconditions and HEAD follow RFC 9110, every error is JSON. A view or a range
 * costs one R2 operation. The body is never held in memory.
 * @param onView is called for a view: a GET that is answered with the file or with a range that includes its first byte, and is neither a
 * signed preview nor a player's probe (FILE-2)
 */
export async function serveFile(request: Request, env: FileBindings, onView: OnView): Promise<Response> {
  try {
    switch (request.method) {
      case "GET":
        return await getFile(request, env, onView);
      case "HEAD":
        return await headFile(request, env);
      case "OPTIONS":
        return new Response(null, { status: 204, headers: PREFLIGHT_HEADERS });
      default:
        throw ERRORS.MethodNotAllowed(ALLOWED_METHODS);
    }
  } catch (error) {
    if (error instanceof MovedError) return toRedirect(error, env);
    return toErrorResponse(error, request, env.REPORT_URL);
  }
}

async function getFile(request: Request, env: FileBindings, onView: OnView): Promise<Response> {
  const file = parseFileUrl(request.url);
  let range = parseRange(request.headers.get("Range"));
  const isOwners = await isSignedPreview(file, env);
  const isPreview = isOwners && (!mayHaveFirstByte(range) || (await isWithinSignedReads(env, file.objectKey)));

  await limitAddress(env, request.headers, !isPreview && mayHaveFirstByte(range));
  const choice = await readAllowed(request, env, { file, isOwners, isPreview }, (key) =>
    readObject(env.FILES, key, range),
  );
  const { found } = choice;
  const terms = termsOf(file, choice, env);
  let { object } = found;
  const verdict = evaluatePreconditions(request.headers, object);
  if (verdict !== "perform") {
    await discard(object);
    return refuse(verdict, object, terms);
  }
  if (range !== undefined && !ifRangeHolds(request.headers, object)) {
    await discard(object);
    range = undefined;
    object = await readObject(env.FILES, found.objectKey);
  }

  const part = range === undefined ? { offset: 0, length: object.size } : resolveRange(range, object.size);
  if (part === undefined) {
    await discard(object);
    throw ERRORS.RangeNotSatisfiable(object.size);
  }
  const headers = fileHeaders(object, terms, part.length);
  if (range !== undefined) headers["Content-Range"] = contentRange(part, object.size);
  const response = new Response(object.body, { status: range === undefined ? 200 : 206, headers });
  if (part.offset === 0 && !isPreview && !isProbe(range)) onView(file, part.length + takeUncounted(file.accountId));
  else addUncounted(file.accountId, part.length);
  return response;
}

/** A player requests the first two bytes (`bytes=0-1`) to test whether ranges work. That request is not a view yet. */
function isProbe(range: RequestedRange | undefined): boolean {
  return range !== undefined && "offset" in range && range.offset === 0 && range.length === 2;
}

/** A suffix may be the whole file; its size is not known yet. */
function mayHaveFirstByte(range: RequestedRange | undefined): boolean {
  return range === undefined || ("offset" in range && range.offset === 0 && !isProbe(range));
}

async function headFile(request: Request, env: FileBindings): Promise<Response> {
  const file = parseFileUrl(request.url);
  const isOwners = await isSignedPreview(file, env);

  await limitAddress(env, request.headers, false);
  const choice = await readAllowed(request, env, { file, isOwners, isPreview: isOwners }, (key) =>
    readFacts(env.FILES, key),
  );
  const terms = termsOf(file, choice, env);
  const { object } = choice.found;
  const verdict = evaluatePreconditions(request.headers, object);
  if (verdict !== "perform") return refuse(verdict, object, terms);
  return new Response(null, { headers: fileHeaders(object, terms, object.size) });
}

/** A request's file and its right to it. */
interface Asked {
  readonly file: RequestedFile;
  /** Whether the URL is the dashboard's or the service's own. */
  readonly isOwners: boolean;
  /** Whether the request counts no view. */
  readonly isPreview: boolean;
}

/**
 * Reads a file or a variant if the account's rules allow it. If the isolate does not know the rules, it reads them at the same time as a
 * file, but before a variant, because the rules decide which variant is served. A signature of a signing key needs them, too.
 * @throws ServiceError 400, 403, 404, 503
 */
async function readAllowed(request: Request, env: FileBindings, asked: Asked, read: Read): Promise<Choice> {
  const { file, isOwners, isPreview } = asked;
  const rules = readRules(env.FILES, file.accountId, request.url);
  const pass = isOwners ? PREVIEW_PASS : await passOf(file, env, rules);
  const parameters = askedParameters(file);
  const choice = { isPreview, pass };
  if (parameters !== undefined) {
    const known = await rules;
    requireAllowed(known, request, isPreview);
    const { headers } = request;
    const wanted = await wantedVariant(file, parameters, {
      rules: known,
      headers,
      signingSecrets: signingSecretsOf(env),
      hasProcessor: hasProcessor(env),
    });
    const { tier = "free" } = known;
    const target: TargetRequest = { file, places: pass.places, wanted, headers, tier };
    return { ...choice, wanted, found: await orRefuse(env, file, pass, () => findTarget(env, target, read)) };
  }
  const readFile = () =>
    orRefuse(env, file, pass, () =>
      findTarget(env, { file, places: pass.places, wanted: undefined, headers: request.headers, tier: "free" }, read),
    );
  if (!(rules instanceof Promise)) {
    requireAllowed(rules, request, isPreview);
    return { ...choice, wanted: undefined, found: await readFile() };
  }
  const [known, found] = await Promise.allSettled([rules, readFile()]);
  try {
    if (known.status === "rejected") throw known.reason;
    requireAllowed(known.value, request, isPreview);
  } catch (error) {
    if (found.status === "fulfilled") await discard(found.value.object);
    throw error;
  }
  if (found.status === "rejected") throw found.reason;
  return { ...choice, wanted: undefined, found: found.value };
}

async function passOf(file: RequestedFile, env: FileBindings, rules: ReturnType<typeof readRules>): Promise<Pass> {
  if (!isSignedForFile(file)) return NO_PASS;
  return openPass(file, { secrets: signingSecretsOf(env), rules, nowSeconds: Date.now() / 1000 });
}

function signingSecretsOf(env: FileBindings): readonly string[] {
  return readSecret(env, "URL_SIGNING_SECRET", Date.now()).accepted;
}

/**
 * Reads a target. If there is none, the file may be private (PRIV-2), or its bytes were replaced (REPL-2), which takes more operations.
 * @throws ServiceError 403, 404, 451, 503; MovedError
 */
async function orRefuse(
  { FILES }: Pick<FileBindings, "FILES">,
  file: RequestedFile,
  pass: Pass,
  find: () => Promise<Target>,
): Promise<Target> {
  try {
    return await find();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (!pass.places.includes("private") && (await isPrivate(FILES, file))) throw pass.refusal();
    throw (await findMoved(FILES, file, pass)) ?? error;
  }
}

async function isPrivate(files: R2Bucket, { objectKey }: RequestedFile): Promise<boolean> {
  try {
    await readFacts(files, keyAs(objectKey, "private"));
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.code === NOT_FOUND;
}

/** An expired or forged token counts as absent: the file is public, and the request is a view. */
async function isSignedPreview({ query, objectKey }: RequestedFile, env: FileBindings): Promise<boolean> {
  const token = query === "" ? null : new URLSearchParams(query).get(PREVIEW_PARAMETER);
  if (token === null) return false;
  const now = Date.now();
  return verifyPreview(readSecret(env, "PREVIEW_SECRET", now), objectKey, token, now / 1000);
}

interface Choice {
  readonly isPreview: boolean;
  readonly pass: Pass;
  readonly wanted: WantedVariant | undefined;
  readonly found: Target;
}

function termsOf(
  file: RequestedFile,
  { isPreview, pass, wanted, found }: Choice,
  { FILE_MAX_AGE_SECONDS }: FileBindings,
): AnswerTerms {
  const { isSubstitute, place } = found;
  return {
    cacheControl: cacheControlOf(
      { kind: file.kind, isPreview, isSubstitute, isPrivate: place === "private" },
      { fileMaxAgeSeconds: FILE_MAX_AGE_SECONDS, leftSeconds: secondsLeft(pass) },
    ),
    file,
    variesByAccept: wanted?.variesByAccept === true,
    isSubstitute,
  };
}

/** The whole seconds for which a signature is still valid. */
function secondsLeft({ expires }: Pass): number {
  return expires === undefined ? 0 : Math.max(0, Math.floor(expires - Date.now() / 1000));
}

function refuse(verdict: "not-modified" | "failed", object: FoundObject, terms: AnswerTerms): Response {
  if (verdict === "failed") throw ERRORS.PreconditionFailed();
  return new Response(null, { status: 304, headers: unchangedHeaders(object, terms) });
}

/**
 * A temporary redirect (RFC 9110, 15.4.8), because the next replacement gives the file another URL. Caches keep it for as long as they keep
 * files. A redirect to a private file is not cached, because only requests with a signature get it.
 */
function toRedirect(
  { location, isPrivate }: MovedError,
  { FILE_MAX_AGE_SECONDS: fileMaxAgeSeconds }: FileBindings,
): Response {
  const kind = { kind: "file", isPreview: isPrivate, isSubstitute: false, isPrivate } as const;
  const cacheControl = cacheControlOf(kind, { fileMaxAgeSeconds, leftSeconds: 0 });
  return new Response(null, { status: 307, headers: movedHeaders(location, cacheControl) });
}

function toErrorResponse(error: unknown, request: Request, reportUrl?: string): Response {
  const known = error instanceof ServiceError ? error : ERRORS.Internal();
  if (known !== error) console.error(toLogLine("file.not-served", {}, error));
  if (isForPerson(request)) return toErrorPage(known, reportUrl);
  return new Response(request.method === "HEAD" ? null : JSON.stringify(known.toBody()), {
    status: known.statusCode,
    headers: errorHeaders(known),
  });
}
