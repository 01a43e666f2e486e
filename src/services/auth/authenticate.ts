import type { Directory } from "../../db/directory/directory.ts";
import { findKeyByHash } from "../../db/directory/keys.ts";
import type { Library } from "../../db/library/library.ts";
import { CHANGE_MICRODOLLARS, PIECE_MICRODOLLARS } from "../../domain/allowance.ts";
import { MINUTE_MS, secondsUntil } from "../../domain/calendar.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { isId, type Shard } from "../../domain/ids.ts";
import type { Principal, Scope } from "../../domain/principal.ts";
import type { KeyKind } from "../../domain/tiers.ts";
import { KeptUntil } from "../../isolate/kept-until.ts";
import type { Admission } from "../../meter/account/outcomes.ts";
import type { Credential } from "../../meter/books/credential-store.ts";
import type { StoredUploadToken } from "../../meter/books/upload-token-store.ts";
import { takeKeyLookup } from "../addresses/take-key-lookup.ts";
import type { AccountContext, Client, Services } from "../context.ts";
import { hashSecret, isKeySecret } from "./secrets.ts";
import { verifySessionToken } from "./session-tokens.ts";
import { isUploadToken, readUploadToken } from "./upload-token-secrets.ts";

/** A limited or suspended account is returned, too, for the answer's headers. */
type Authentication =
  | { readonly outcome: "admitted"; readonly account: AccountContext }
  | { readonly outcome: "limited" | "suspended"; readonly account: AccountContext; readonly error: ServiceError };

/** The kind of an endpoint's requests. */
export interface RequestKind {
  /**
   * The request is an operation of class A: over the month's limit, its 429 names the month's end instead of the
   * minute's.
   */
  readonly isOperation?: boolean;
  /** The request is about an unfinished upload, which has its own limit a minute. */
  readonly isPiece?: boolean;
  /** The request changes something and is no operation: its price is taken from the account's allowance (LIM-10). */
  readonly isChange?: boolean;
}

/**
 * Finds the account of a bearer token and admits a request. It makes one call to the account's Durable Object, or none if
 * this isolate has kept a refusal.
 * @throws ServiceError 401 for a key or session that is unknown, revoked, expired or not of the account's tier
 */
export async function authenticate(
  token: string,
  { services, client }: { readonly services: Services; readonly client: Client },
  kind: RequestKind = {},
): Promise<Authentication> {
  const { accountId, credential, refuse, forget, ...identity } = await identify(token, services, client);
  const meter = services.meterOf(accountId);
  const now = services.now();
  const admission = findRefusal(credential, kind, now) ?? (await admit(meter, credential, kind, now));
  if (admission.outcome === "expired") throw ERRORS.KeyExpired();
  if (admission.outcome === "refused") {
    forget?.();
    throw refuse();
  }
  const principal = identity.principal ?? toTokenPrincipal(accountId, admission.token);
  let library: Library | undefined;
  const account: AccountContext = {
    ...services,
    accountId,
    client,
    principal,
    meter,
    shard: admission.shard,
    // A piece of an upload does not need it.
    get library() {
      library ??= services.libraries.open(admission.shard, () => locate(meter));
      return library;
    },
    settings: admission.settings,
    rate: admission.rate,
    figures: admission.figures,
    provedAt: admission.provedAt,
    wantsChanges: admission.wantsChanges ?? false,
    operations: 0,
  };
  switch (admission.outcome) {
    case "admitted":
      return { outcome: "admitted", account };
    case "limited":
      return { outcome: "limited", account, error: ERRORS.RateLimited(admission.retryAfterSeconds) };
    case "suspended":
      return { outcome: "suspended", account, error: ERRORS.AccountSuspended(admission.reason) };
    case "operations-exhausted":
      return { outcome: "limited", account, error: ERRORS.OperationsExhausted(admission.retryAfterSeconds) };
  }
}

async function admit(
  meter: AccountContext["meter"],
  credential: Credential,
  kind: RequestKind,
  now: number,
): Promise<Admission> {
  const { isOperation = false, isPiece = false, isChange = false } = kind;
  const admission: Admission = await meter.admit(credential, isOperation, isPiece, priceOf(isPiece, isChange));
  noteAdmission(credential, kind, admission, now);
  return admission;
}

function priceOf(isPiece: boolean, isChange: boolean): number {
  if (!isChange) return 0;
  return isPiece ? PIECE_MICRODOLLARS : CHANGE_MICRODOLLARS;
}

/** @throws ServiceError 401 if the account was erased */
async function locate(meter: AccountContext["meter"]): Promise<Shard> {
  const shard = await meter.locate();
  if (shard === undefined) throw ERRORS.InvalidKey();
  return shard;
}

interface Identity {
  readonly accountId: string;
  /** Undefined for an upload token, whose limits the account's object knows. */
  readonly principal?: Principal;
  readonly credential: Credential;
  /** The answer if the credential was revoked. */
  refuse(): ServiceError;
  /** Makes this isolate forget a key that is refused, so that its next look-up is limited for the address. */
  readonly forget?: () => void;
}

function identify(token: string, services: Services, client: Client): Promise<Identity> {
  if (isKeySecret(token)) return identifyKey(token, services, client);
  return isUploadToken(token) ? identifyUploadToken(token, services) : identifySession(token, services, client);
}

/** @throws ServiceError 401 for a token that this service has not signed */
async function identifyUploadToken(token: string, { config }: Services): Promise<Identity> {
  const accountId = await readUploadToken(token, config.jwtSecret);
  if (accountId === undefined) throw ERRORS.InvalidKey();
  return { accountId, credential: { kind: "token", hash: await hashSecret(token) }, refuse: ERRORS.InvalidKey };
}

function toTokenPrincipal(accountId: string, token: StoredUploadToken | undefined): Principal {
  if (token === undefined) throw ERRORS.InvalidKey();
  const { id, limits, maker } = token;
  const guests = maker.kind === "share" ? { shareId: maker.id } : {};
  return { kind: "upload-token", accountId, keyId: id, limits, ...guests };
}

/**
 * Finds a key among the keys that this isolate knows, before its address is checked. Look-ups of other keys are limited for the address, so
 * a flood of guessed keys calls neither an object nor D1.
 */
async function identifyKey(token: string, services: Services, client: Client): Promise<Identity> {
  const hash = await hashSecret(token);
  const facts = findCachedFacts(hash) ?? (await lookUpKey(hash, services, client));
  return {
    accountId: facts.accountId,
    principal: toPrincipal(facts),
    credential: { kind: "key", keyId: facts.keyId, keyKind: facts.kind, expiresAt: facts.expiresAt },
    refuse: ERRORS.InvalidKey,
    forget: () => cache.delete(hash),
  };
}

async function lookUpKey(hash: string, services: Services, client: Client): Promise<KeyFacts> {
  await takeKeyLookup(services, client);
  const facts = await findKeyFacts(services.directory, hash);
  if (facts === undefined) throw ERRORS.InvalidKey();
  return facts;
}

async function identifySession(token: string, { config }: Services, client: Client): Promise<Identity> {
  // A JWT has two dots; other texts are treated as keys.
  if (token.split(".", 4).length !== 3) throw ERRORS.InvalidKey();
  const claims = await verifySessionToken(token, config.jwtSecret);
  if (claims === undefined || !isId(claims.accountId)) throw ERRORS.InvalidSession();
  const { accountId, sessionId } = claims;
  return {
    accountId,
    principal: { kind: "session", accountId, sessionId },
    credential: { kind: "session", sessionId, address: client.address },
    refuse: ERRORS.InvalidSession,
  };
}

function toPrincipal({ kind, keyId, accountId, scopes, folderId }: KeyFacts): Principal {
  return kind === "upload"
    ? { kind: "upload-key", accountId, keyId }
    : { kind: "api-key", accountId, keyId, scopes, folderId };
}

/** The immutable facts of a key. The account's Durable Object knows whether it is revoked. */
interface KeyFacts {
  readonly keyId: string;
  readonly accountId: string;
  readonly kind: KeyKind;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly folderId: string | null;
}

const MAX_CACHED = 2000;
/** Facts by the key's hash, least recently used first. */
const cache = new Map<string, KeyFacts>();

/** The facts of a key that this isolate has seen: a warm request does not query D1. */
function findCachedFacts(hash: string): KeyFacts | undefined {
  const cached = cache.get(hash);
  if (cached === undefined) return undefined;
  cache.delete(hash);
  cache.set(hash, cached);
  return cached;
}

/** Forgets all keys and refusals, for tests. */
export function forgetCredentials(): void {
  cache.clear();
  refusals.clear();
}

/** Looks a key up in D1 by its hash. Unknown keys are not cached, because they may be created at any time. */
async function findKeyFacts(directory: Directory, hash: string): Promise<KeyFacts | undefined> {
  const key = await findKeyByHash(directory, hash);
  if (key === undefined) return undefined;
  const { id: keyId, accountId, kind, scopes, expiresAt, folderId } = key;
  const facts: KeyFacts = { keyId, accountId, kind, scopes, expiresAt, folderId };
  cache.set(hash, facts);
  if (cache.size > MAX_CACHED) {
    const oldest = cache.keys().next().value;
    if (oldest !== undefined) cache.delete(oldest);
  }
  return facts;
}

/**
 * Refusals of this isolate's keys and sessions, by credential and kind of request. Requests for operations have an answer of their own, and
 * requests about unfinished uploads a window of their own.
 */
const refusals = new KeptUntil<Admission>();

/** The account's last answer, if it is still valid: a used-up minute frees nothing before it ends (LIM-13). */
function findRefusal(credential: Credential, kind: RequestKind, now: number): Admission | undefined {
  const found = refusals.find(nameOf(credential, kind), now);
  if (found === undefined || !("retryAfterSeconds" in found)) return found;
  const endsAt = found.outcome === "limited" ? found.rate.resetAt : found.figures.operationsResetAt;
  return { ...found, retryAfterSeconds: secondsUntil(endsAt, now) };
}

/**
 * Keeps a refusal by the minute, at most until the key expires. It also keeps the end of a session, of an upload token and of an expired
 * key, which never live again. A refusal for want of allowance is not kept.
 */
function noteAdmission(credential: Credential, kind: RequestKind, admission: Admission, now: number): void {
  const name = nameOf(credential, kind);
  const isOver = admission.outcome === "expired" || (admission.outcome === "refused" && credential.kind !== "key");
  if (isOver) refusals.keep(name, admission, now + MINUTE_MS);
  if (!("retryAfterSeconds" in admission) || admission.rate.remaining > 0) return;
  const { expiresAt } = credential.kind === "key" ? credential : { expiresAt: null };
  refusals.keep(name, admission, Math.min(admission.rate.resetAt, expiresAt ?? Number.POSITIVE_INFINITY));
}

function nameOf(credential: Credential, { isOperation = false, isPiece = false }: RequestKind): string {
  return `${idOf(credential)} ${isOperation} ${isPiece}`;
}

function idOf(credential: Credential): string {
  if (credential.kind === "token") return credential.hash;
  return credential.kind === "key" ? credential.keyId : credential.sessionId;
}
