import { readFile } from "node:fs/promises";
import { CredentialError, UsageError } from "../command-line/failures.ts";
import { configPath, readConfig } from "./config.ts";

export type Credential =
  | { readonly kind: "key"; readonly secret: string }
  | { readonly kind: "session"; readonly secret: string; readonly accountId: string };

interface Given {
  readonly host?: string | undefined;
  readonly "key-file"?: string | undefined;
}

/** @throws UsageError if it is not an HTTP address */
function toBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new UsageError(`"${text}" is no address of a service: it is like https://media.example`);
  }
  return url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
}

/**
 * @returns the service that is meant
 * @throws UsageError where none is named
 */
export async function findBaseUrl(env: NodeJS.ProcessEnv, given: Given): Promise<string> {
  const text = given.host || env.MEDIA_HOST_URL || (await readConfig(env)).host;
  if (!text) throw new UsageError("which service? Say --host URL, set MEDIA_HOST_URL, or run login once");
  return toBaseUrl(text);
}

/**
 * Finds the credential: a key file, the environment, else the stored login for this service. It is never an argument, because all users
 * of a machine see the arguments of every process.
 * @throws UsageError if the file cannot be read; CredentialError if there is no credential
 */
export async function findCredential(env: NodeJS.ProcessEnv, given: Given, baseUrl: string): Promise<Credential> {
  const path = given["key-file"];
  if (path !== undefined) {
    const text = await readFile(path, "utf8").catch((error: Error) => {
      throw new UsageError(`the key's file cannot be read: ${error.message}`);
    });
    return { kind: "key", secret: checkSecret(text, path) };
  }
  if (env.MEDIA_HOST_KEY) return { kind: "key", secret: checkSecret(env.MEDIA_HOST_KEY, "MEDIA_HOST_KEY") };
  const { host, key, session } = await readConfig(env);
  // The login of one service is not sent to another.
  if (host === undefined || toBaseUrl(host) !== baseUrl) {
    throw new CredentialError(`no key for ${baseUrl}: set MEDIA_HOST_KEY, say --key-file FILE, or run login`);
  }
  if (session !== undefined) return { kind: "session", secret: session.token, accountId: session.accountId };
  if (key !== undefined) return { kind: "key", secret: checkSecret(key, configPath(env)) };
  throw new CredentialError("you are logged out: run login");
}

/** @throws CredentialError if it cannot be a header's value */
export function checkSecret(text: string, from: string): string {
  const secret = text.trim();
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new CredentialError(`${from} holds no key`);
}
