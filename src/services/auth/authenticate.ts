import type { Admission, Credential } from "../../account/account-meter.ts";
import { ERRORS, type ServiceError } from "../../domain/errors.ts";
import { isId } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import type { AccountContext, Services } from "../context.ts";
import { findKeyFacts, type KeyFacts } from "./key-facts.ts";
import { hashSecret, isKeySecret } from "./secrets.ts";
import { verifySessionToken } from "./session-tokens.ts";

/** Of a limited account its figures are still told: the answer's headers need them. */
export type Authentication =
  | { readonly outcome: "admitted"; readonly account: AccountContext }
  | { readonly outcome: "limited"; readonly account: AccountContext; readonly error: ServiceError };

/**
 * Says whose a bearer token is and admits one request of theirs: one call to the account's Durable Object.
 * @throws ServiceError 401 for a key or session that is unknown, revoked, expired or not of the account's tier
 */
export async function authenticate(token: string, services: Services): Promise<Authentication> {
  const { principal, credential, refusal } = isKeySecret(token)
    ? await identifyKey(token, services)
    : await identifySession(token, services);
  const meter = services.meterOf(principal.accountId);
  const admission: Admission = await meter.admit(credential);
  if (admission.outcome === "refused") throw refusal;
  const account: AccountContext = {
    ...services,
    accountId: principal.accountId,
    principal,
    meter,
    figures: admission.figures,
  };
  return admission.outcome === "admitted"
    ? { outcome: "admitted", account }
    : { outcome: "limited", account, error: ERRORS.RateLimited(admission.retryAfterSeconds) };
}

interface Identity {
  readonly principal: Principal;
  readonly credential: Credential;
  /** What a client is told whose credential no longer lives. */
  readonly refusal: ServiceError;
}

async function identifyKey(token: string, { db }: Services): Promise<Identity> {
  const facts = await findKeyFacts(db, await hashSecret(token));
  if (facts === undefined) throw ERRORS.InvalidKey();
  return {
    principal: toPrincipal(facts),
    credential: { kind: "key", keyId: facts.keyId, keyKind: facts.kind },
    refusal: ERRORS.InvalidKey(),
  };
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
