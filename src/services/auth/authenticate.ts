import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import type { Shard } from "../../domain/shard.ts";
import type { Admission, Credential } from "../../meter/answers.ts";
import { isSuspect, noteUnknownCredential } from "../addresses/known-addresses.ts";
import { refuseUsedUp, takeAddressRate } from "../addresses/take-address-rate.ts";
import type { AccountContext, Client, Services } from "../context.ts";
import { findCachedFacts, findKeyFacts, type KeyFacts } from "./key-facts.ts";
import { hashSecret, isKeySecret } from "./secrets.ts";
import { verifySessionToken } from "./session-tokens.ts";

/** A limited account is known all the same: the answer's headers are made of its figures. */
export type Authentication =
  | { readonly outcome: "admitted"; readonly account: AccountContext }
  | { readonly outcome: "limited"; readonly account: AccountContext; readonly error: ServiceError };

/** What kind of request an endpoint gets. */
export interface RequestKind {
  /** It counts as an operation of class A: over the month's operations its 429 says when the month ends, not when the minute does. */
  readonly isOperation?: boolean;
  /** It is about an unfinished upload: these have a minute's limit of their own. */
  readonly isPiece?: boolean;
}

/**
 * Says whose a bearer token is and admits one request of theirs: one call to the account's Durable Object.
 * @throws ServiceError 401 for a key or session that is unknown, revoked, expired or not of the account's tier
 */
export async function authenticate(
  token: string,
  { services, client }: { readonly services: Services; readonly client: Client },
  { isOperation = false, isPiece = false }: RequestKind = {},
): Promise<Authentication> {
  const { principal, credential, refusal } = isKeySecret(token)
    ? await identifyKey(token, services, client)
    : await identifySession(token, services);
  const meter = services.meterOf(principal.accountId);
  const admission: Admission = await meter.admit(credential, isOperation, isPiece);
  if (admission.outcome === "refused") throw refusal;
  const account: AccountContext = {
    ...services,
    accountId: principal.accountId,
    principal,
    meter,
    shard: admission.shard,
    library: services.libraries.open(admission.shard, () => locate(meter)),
    settings: admission.settings,
    rate: admission.rate,
    figures: admission.figures,
    operations: 0,
  };
  switch (admission.outcome) {
    case "admitted":
      return { outcome: "admitted", account };
    case "limited":
      return { outcome: "limited", account, error: ERRORS.RateLimited(admission.retryAfterSeconds) };
    case "operations-exhausted":
      return { outcome: "limited", account, error: ERRORS.OperationsExhausted(admission.retryAfterSeconds) };
  }
}

/** @throws ServiceError 401 where the account was erased meanwhile */
async function locate(meter: AccountContext["meter"]): Promise<Shard> {
  const shard = await meter.locate();
  if (shard === undefined) throw ERRORS.InvalidKey();
  return shard;
}

interface Identity {
  readonly principal: Principal;
  readonly credential: Credential;
  /** What a client is told whose credential no longer lives. */
  readonly refusal: ServiceError;
}

/**
 * A key that this isolate does not know is looked up in D1, unless the address has used up its minute: whoever makes keys
 * up is refused before the database is asked. The address's meter is asked first only where the address has lately sent a
 * key that does not exist, so that a good key costs no call more; and an isolate remembers which addresses are over their
 * limit until the minute ends. (In an isolate that has seen nothing of the address, one unknown key passes.)
 */
async function identifyKey(token: string, services: Services, client: Client): Promise<Identity> {
  const hash = await hashSecret(token);
  const facts = findCachedFacts(hash) ?? (await lookUpKey(hash, services, client));
  return {
    principal: toPrincipal(facts),
    credential: { kind: "key", keyId: facts.keyId, keyKind: facts.kind },
    refusal: ERRORS.InvalidKey(),
  };
}

async function lookUpKey(hash: string, services: Services, client: Client): Promise<KeyFacts> {
  refuseUsedUp(services, client);
  if (isSuspect(client.address, services.now())) await takeAddressRate(services, client);
  const facts = await findKeyFacts(services.directory, hash);
  if (facts !== undefined) return facts;
  noteUnknownCredential(client.address, services.now());
  throw ERRORS.InvalidKey();
}

async function identifySession(token: string, { config }: Services): Promise<Identity> {
  // A JWT has two dots; anything else was meant to be a key.
  if (token.split(".", 4).length !== 3) throw ERRORS.InvalidKey();
  const claims = await verifySessionToken(token, config.jwtSecret);
  if (claims === undefined || !isId(claims.accountId)) throw ERRORS.InvalidSession();
  const { accountId, sessionId } = claims;
  return {
    principal: { kind: "session", accountId, sessionId },
    credential: { kind: "session", sessionId },
    refusal: ERRORS.InvalidSession(),
  };
}

function toPrincipal({ kind, keyId, accountId, scopes }: KeyFacts): Principal {
  return kind === "upload" ? { kind: "upload-key", accountId, keyId } : { kind: "api-key", accountId, keyId, scopes };
}
