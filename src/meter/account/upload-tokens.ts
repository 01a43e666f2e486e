import { MAX_UPLOAD_TOKENS } from "../../domain/upload-token.ts";
import type { Refused } from "../books/figures.ts";
import type { NewUploadToken, StoredUploadToken, TokenMaker, TokenSlice } from "../books/upload-token-store.ts";
import type { MeterContext } from "./context.ts";

/** Upload tokens live only in the account's object, so one transaction creates or revokes one. */

/** A token that a credential creates. */
export type CredentialToken = NewUploadToken & { readonly maker: Exclude<TokenMaker, { kind: "share" }> };

export type TokenCreation =
  | Refused
  | { readonly outcome: "created"; readonly expiresAt: number }
  | { readonly outcome: "too-many" };

/** A token of a key expires with the key. @returns `refused` if the credential that creates it has ended */
export async function createUploadToken(
  { storage, tables, load }: MeterContext,
  token: CredentialToken,
): Promise<TokenCreation> {
  if (!(await load())) return { outcome: "refused" };
  const { maker } = token;
  const credential =
    maker.kind === "session"
      ? ({ kind: "session", sessionId: maker.id } as const)
      : ({ kind: "key", keyId: maker.id, keyKind: maker.kind } as const);
  if (!tables.lives(credential, Date.now())) return { outcome: "refused" };
  const keyExpiresAt = maker.kind === "session" ? null : tables.credentials.expiryOf(maker.id);
  const expiresAt = Math.min(token.expiresAt, keyExpiresAt ?? Number.POSITIVE_INFINITY);
  const isAdded = storage.transactionSync(() => tables.uploadTokens.add({ ...token, expiresAt }, MAX_UPLOAD_TOKENS));
  return isAdded ? { outcome: "created", expiresAt } : { outcome: "too-many" };
}

/** The tokens that have not expired, newest first. */
export async function listUploadTokens(
  { tables, load }: MeterContext,
  slice: TokenSlice,
): Promise<StoredUploadToken[]> {
  return (await load()) ? tables.uploadTokens.list(Date.now(), slice) : [];
}

/** @param makerId as in `TokenSlice` @returns false if there is no such token */
export async function revokeUploadToken(
  { tables, load }: MeterContext,
  id: string,
  makerId?: string,
): Promise<boolean> {
  return (await load()) && tables.uploadTokens.remove(id, makerId);
}
