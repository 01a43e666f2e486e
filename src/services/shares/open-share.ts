import type { Library } from "../../db/library/library.ts";
import { ERRORS } from "../../domain/errors.ts";
import type { StoredShare } from "../../meter/books/share-store.ts";
import { takeAddressRate } from "../addresses/take-address-rate.ts";
import type { Client, Services } from "../context.ts";
import { isSharePass, readShareToken } from "./share-secrets.ts";

/** A share that a visitor has opened. */
export interface OpenShare {
  readonly accountId: string;
  readonly share: StoredShare;
  readonly library: Library;
  /** The stored hash of the guests' token, if they have one. */
  readonly tokenHash: string | undefined;
}

export type ShareOpening =
  | { readonly outcome: "open"; readonly opened: OpenShare }
  /** The visitor has not given the password yet. */
  | { readonly outcome: "locked"; readonly accountId: string; readonly share: LockedStored }
  | { readonly outcome: "unknown" | "expired" | "suspended" };

export type LockedStored = StoredShare & { readonly passwordHash: string };

/**
 * Opens a share for a visitor: one call to the object of the address, and one to the object of the account. A made-up token causes only the first call.
 * @param pass the visitor's right, from an earlier password
 * @param isView whether the request is for the page itself
 * @throws ServiceError 429 for too many requests of the address or visits of the account's shares
 */
export async function openShare(
  services: Services,
  client: Client,
  {
    token,
    pass,
    isView = false,
  }: { readonly token: string; readonly pass: string | undefined; readonly isView?: boolean },
): Promise<ShareOpening> {
  await takeAddressRate(services, client);
  const { urlSigningSecret } = services.config;
  const name = readShareToken(token, urlSigningSecret);
  if (name === undefined) return { outcome: "unknown" };
  const { accountId } = name;
  const meter = services.meterOf(accountId);
  const visit = await meter.visitShare(name.id, { isView, hasPass: pass !== undefined });
  if (visit.outcome === "limited") throw ERRORS.RateLimited(visit.retryAfterSeconds);
  if (visit.outcome !== "open") return visit;
  const { share, shard, tokenHash } = visit;
  const nowSeconds = Math.floor(services.now() / 1000);
  if (
    isLocked(share) &&
    !isSharePass(
      pass ?? "",
      { accountId, id: share.id, passwordHash: share.passwordHash },
      nowSeconds,
      urlSigningSecret,
    )
  )
    return { outcome: "locked", accountId, share };
  const library = services.libraries.open(shard, async () => (await meter.locate()) ?? shard);
  return { outcome: "open", opened: { accountId, share, library, tokenHash } };
}

function isLocked(share: StoredShare): share is LockedStored {
  return share.passwordHash !== null;
}
