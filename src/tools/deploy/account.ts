import type { CloudflareApi } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
}

/**
 * The account to deploy to: the chosen account, else the token's only account.
 * @throws DeployError if there are several accounts, or none
 */
export async function chooseAccount(api: CloudflareApi, chosenId: string | undefined): Promise<Account> {
  // A token of one account may not list accounts, and need not if the account is known.
  if (chosenId !== undefined) return { id: chosenId, name: chosenId };
  const accounts = await api.list<Account>("/accounts", { permission: "account" });
  const [account, ...others] = accounts;
  if (account === undefined) {
    throw new DeployError("The token reaches no account, or may not list them; set CLOUDFLARE_ACCOUNT_ID to its id.");
  }
  if (others.length === 0) return account;
  const lines = accounts.map(({ id, name }) => `  CLOUDFLARE_ACCOUNT_ID=${id}   ${name}`);
  throw new DeployError(`The token reaches ${accounts.length} accounts. Set one of these:\n${lines.join("\n")}`);
}
