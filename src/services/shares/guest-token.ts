import { newId } from "../../domain/ids.ts";
import type { GuestToken } from "../../meter/account/shares.ts";
import { hashSecret, randomText } from "../auth/secrets.ts";
import { toUploadTokenSecret } from "../auth/upload-token-secrets.ts";
import type { AccountContext, Services } from "../context.ts";
import type { OpenShare } from "./open-share.ts";

/** A token that the account's object takes if a share needs one. */
export async function newGuestToken({ accountId, config, now }: AccountContext): Promise<GuestToken> {
  const random = randomText();
  const hash = await hashSecret(await toUploadTokenSecret(accountId, random, config.jwtSecret));
  return { id: newId(now()), random, hash };
}

/**
 * The upload token of a share's guests, for a visitor who has opened the share; undefined if they upload nothing (SHARE-8). It is made again
 * for each visit, because nothing at rest has it.
 */
export async function guestToken(
  { config, meterOf }: Pick<Services, "config" | "meterOf">,
  { accountId, share, tokenHash }: OpenShare,
): Promise<string | undefined> {
  if (share.guests === null) return undefined;
  const { random } = share.guests;
  const token = await toUploadTokenSecret(accountId, random, config.jwtSecret);
  const hash = await hashSecret(token);
  // JWT_SECRET was changed, or a backup was restored.
  if (hash !== tokenHash) await meterOf(accountId).renewGuestToken(share.id, { random, hash });
  return token;
}
