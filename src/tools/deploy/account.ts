import type { CloudflareApi } from "./cloudflare-api.ts";
import { DeployError } from "./deploy-error.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
}

/**
 * The account to deploy to: the one that was chosen, else the only one that the token reaches.
 * @throws DeployError where there are several, or none
 */
export async function chooseAccount(api: CloudflareApi, chosenId: string | undefined): Promise<Account> {
  // A token that belongs to an account may not list accounts, and need not where the account is known.
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
