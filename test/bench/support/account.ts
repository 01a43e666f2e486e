import { ADMIN_TOKEN } from "../../support/stack/miniflare.ts";
import { Client } from "./client.ts";

export interface BenchAccount {
  readonly id: string;
  /** Sends the account's API key. */
  readonly client: Client;
}

/** An account of the highest tier with an API key, made over the API by its owner and the operator. */
export async function openBusinessAccount(url: URL, email = "bench@example.com"): Promise<BenchAccount> {
  const anyone = new Client(url);
  const { token, account } = await anyone.callJson<{ token: string; account: { _id: string } }>(
    201,
    "POST",
    "/auth/register",
    undefined,
    { email, password: "correct horse battery staple" },
  );
  await anyone.callJson(200, "PUT", `/admin/accounts/${email}`, ADMIN_TOKEN, {
    tier: "business",
    accountId: account._id,
  });
  const { key } = await anyone.callJson<{ key: string }>(201, "POST", "/keys", token, {
    name: "bench",
    scopes: ["folders:read", "folders:write"],
  });
  anyone.close();
  return { id: account._id, client: new Client(url, { Authorization: `Bearer ${key}` }) };
}
