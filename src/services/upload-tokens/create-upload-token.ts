import { ERRORS } from "../../domain/errors.ts";
import { newId } from "../../domain/ids.ts";
import type { Principal } from "../../domain/principal.ts";
import { MAX_UPLOAD_TOKENS, type UploadTokenLimits } from "../../domain/upload-token.ts";
import type { CredentialToken } from "../../meter/account/upload-tokens.ts";
import { hashSecret, randomText } from "../auth/secrets.ts";
import { toUploadTokenSecret } from "../auth/upload-token-secrets.ts";
import type { AccountContext } from "../context.ts";
import { resolveFolder } from "../folders/resolve-folder.ts";
import { refuseTakenId } from "../images/external-ids.ts";

export interface CreatedUploadToken {
  readonly id: string;
  readonly secret: string;
  readonly expiresAt: number;
}

/**
 * A token for uploads from a browser (TOK-1). A key's token is confined to the key's folder.
 * @throws ServiceError 400 if there are too many tokens, 401 if the credential has ended meanwhile, 404 for an unknown folder, 409 for a taken
 * `externalId`
 */
export async function createUploadToken(
  account: AccountContext,
  { expiresInSeconds, ...limits }: UploadTokenLimits & { readonly expiresInSeconds: number },
): Promise<CreatedUploadToken> {
  const { accountId, config, meter, principal } = account;
  const { externalId = null, maxFiles } = limits;
  if (externalId !== null && maxFiles !== 1) throw ERRORS.InvalidRequest({ externalId: "Requires `maxFiles` 1" });
  const folderId = await resolveFolder(account, limits.folderId);
  if (externalId !== null) await refuseTakenId(account, externalId);
  const createdAt = account.now();
  const id = newId(createdAt);
  const secret = await toUploadTokenSecret(accountId, randomText(), config.jwtSecret);
  const creation = await meter.createUploadToken({
    id,
    hash: await hashSecret(secret),
    maker: makerOf(principal),
    createdAt,
    expiresAt: createdAt + expiresInSeconds * 1000,
    limits: { ...limits, folderId },
  });
  if (creation.outcome === "refused") throw ERRORS.InvalidKey();
  if (creation.outcome === "too-many") throw ERRORS.TooManyOf("upload tokens", MAX_UPLOAD_TOKENS);
  return { id, secret, expiresAt: creation.expiresAt };
}

function makerOf(principal: Principal): CredentialToken["maker"] {
  switch (principal.kind) {
    case "session":
      return { kind: "session", id: principal.sessionId };
    case "upload-key":
      return { kind: "upload", id: principal.keyId };
    case "api-key":
      return { kind: "api", id: principal.keyId };
    case "upload-token":
      throw ERRORS.UploadTokenOnly();
  }
}
