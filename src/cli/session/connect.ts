import { createClient } from "../../client/index.ts";
import type { Connected, Context } from "../command-line/command.ts";
import { findBaseUrl, findCredential } from "./credential.ts";

/** @throws UsageError, CredentialError */
export async function connect(
  { env }: Context,
  values: { readonly host?: string; readonly "key-file"?: string },
): Promise<Connected> {
  const baseUrl = await findBaseUrl(env, values);
  const credential = await findCredential(env, values, baseUrl);
  return { baseUrl, credential, host: createClient({ baseUrl, key: credential.secret }) };
}
