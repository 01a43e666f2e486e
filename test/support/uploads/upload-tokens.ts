import { runInDurableObject } from "cloudflare:test";
import { MAX_UPLOAD_TOKENS } from "../../../src/domain/upload-token.ts";
import { meterOf } from "../api/account-state.ts";
import { bearer, call, callJson } from "../api/api.ts";

export interface CreatedToken {
  readonly _id: string;
  readonly token: string;
  readonly expiresAt: string;
  readonly uploadUrl: string;
}

export interface ListedToken {
  readonly _id: string;
  readonly usedFiles: number;
  readonly usedBytes: number;
  readonly [field: string]: unknown;
}

export async function createToken(key: string, body: object = {}): Promise<CreatedToken> {
  const response = await callJson("POST", "/upload-tokens", key, body);
  if (response.status !== 201)
    throw new Error(`POST /upload-tokens answered ${response.status}: ${await response.text()}`);
  return response.json();
}

export async function listTokens(key: string, query = ""): Promise<ListedToken[]> {
  const response = await call(`/upload-tokens${query}`, { headers: bearer(key) });
  if (response.status !== 200)
    throw new Error(`GET /upload-tokens answered ${response.status}: ${await response.text()}`);
  return (await response.json<{ uploadTokens: ListedToken[] }>()).uploadTokens;
}

/** The stored files and bytes of a token. */
export async function usesOf(key: string, id: string): Promise<[files: number, bytes: number]> {
  const found = (await listTokens(key)).find(({ _id }) => _id === id);
  if (found === undefined) throw new Error(`there is no token ${id}`);
  return [found.usedFiles, found.usedBytes];
}

/** Copies a token of the account until it has as many as it may have. */
export function fillTokens(accountId: string): Promise<void> {
  return runInDurableObject(meterOf(accountId), (_, { storage: { sql } }) => {
    const { n } = sql.exec<{ n: number }>("SELECT count(*) AS n FROM upload_tokens").one();
    for (let number = n; number < MAX_UPLOAD_TOKENS; number++)
      sql.exec(
        "INSERT INTO upload_tokens (id, hash, maker_kind, maker_id, created_at, expires_at, limits) SELECT ?, ?, maker_kind, maker_id, created_at, expires_at, limits FROM upload_tokens LIMIT 1",
        `z${number}`,
        `z${number}`,
      );
  });
}

/** An answer's status and code. */
export async function outcomeOf(response: Response): Promise<[status: number, code: string | undefined]> {
  return [response.status, (await response.json<{ code?: string }>()).code];
}
