import { ERRORS } from "../../domain/errors.ts";
import { MAX_SIGNING_KEYS } from "../../domain/file-rules.ts";
import { idTime, newId } from "../../domain/ids.ts";
import { deriveSigningKey, formatSigningKey } from "../../domain/variants/signed-url.ts";
import type { AccountContext } from "../context.ts";
import { type Page, type PageQuery, pageOfFew } from "../paging.ts";

/** A signing key without its secret. */
export interface ListedSigningKey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
}

/** The valid signing keys, newest first. */
export async function listSigningKeys(account: AccountContext, query: PageQuery): Promise<Page<ListedSigningKey>> {
  const { signingKeys = {} } = await account.meter.readFileRules();
  const keys = Object.entries(signingKeys)
    .map(([id, name]) => ({ id, name, createdAt: idTime(id) }))
    .sort((a, b) => (a.id > b.id ? -1 : 1));
  const list = { name: "listSigningKeys", accountId: account.accountId };
  return pageOfFew(account, query, { list, rows: keys, keyOf: ({ id }) => id, isDescending: true });
}

/**
 * Makes a signing key (VAR-9). Its signatures are accepted within a minute.
 * @returns the key, which is shown once
 * @throws ServiceError 400 if the account has too many, also for concurrent requests; 404 if the account was erased
 */
export async function createSigningKey(
  { accountId, meter, config, now }: AccountContext,
  name: string,
): Promise<{ readonly key: string; readonly listed: ListedSigningKey }> {
  const id = newId(now());
  const outcome = await meter.putNamedRule("signingKeys", id, name);
  if (outcome === "full") throw ERRORS.TooManyOf("signing keys", MAX_SIGNING_KEYS);
  if (outcome === undefined) throw ERRORS.AccountNotFound();
  const key = formatSigningKey(await deriveSigningKey(config.urlSigningSecret.current, accountId, id));
  return { key, listed: { id, name, createdAt: idTime(id) } };
}

/** Revokes a signing key: its signatures are refused within a minute. @throws ServiceError 404 */
export async function revokeSigningKey({ meter }: AccountContext, id: string): Promise<void> {
  if (!(await meter.deleteNamedRule("signingKeys", id))) throw ERRORS.KeyNotFound();
}
