import { findAddressedFile } from "../domain/file-address.ts";
import {
  DEFAULT_SIGNED_SECONDS,
  EXPIRES_PARAMETER,
  FILE_SIGNATURE_PARAMETER,
  signFile,
} from "../domain/file-signature.ts";
import { readParameters } from "../domain/variants/parameters.ts";
import { parseSigningKey, SIGNATURE_PARAMETER, type SigningKey, signContent } from "../domain/variants/signed-url.ts";

/** Signatures of URLs. They are loaded when the first URL is signed (`images.ts`). */

export interface SignOptions {
  /** The seconds for which the URL opens the file; an hour by default. */
  readonly expiresIn?: number | undefined;
}

export async function signUrl(url: string, key: string): Promise<string> {
  const [address = "", query] = url.split("?", 2);
  const parameters = readParameters(query ?? "");
  const path = decodeURIComponent(new URL(address, "http://host").pathname);
  const all = new URLSearchParams(query);
  all.set(SIGNATURE_PARAMETER, await signContent(toKey(key), { path, parameters }));
  return `${address}?${all}`;
}

export async function signSrcset(set: string, key: string): Promise<string> {
  const signed = set.split(", ").map(async (candidate) => {
    const [url = "", descriptor = ""] = candidate.split(" ");
    return `${await signUrl(url, key)} ${descriptor}`;
  });
  return (await Promise.all(signed)).join(", ");
}

export async function sign(
  url: string,
  key: string,
  { expiresIn = DEFAULT_SIGNED_SECONDS }: SignOptions = {},
): Promise<string> {
  const [address = "", query] = url.split("?", 2);
  const file = findAddressedFile(address);
  if (file === undefined) throw new TypeError("The URL is not a file's");
  const others = new URLSearchParams(query);
  for (const name of [EXPIRES_PARAMETER, FILE_SIGNATURE_PARAMETER]) others.delete(name);
  const expires = Math.floor(Date.now() / 1000) + expiresIn;
  const signature = await signFile(toKey(key), { ...file, expires });
  return `${address}?${[...(others.size === 0 ? [] : [others]), signature].join("&")}`;
}

/** @throws TypeError */
function toKey(text: string): SigningKey {
  const key = parseSigningKey(text);
  if (key === undefined) throw new TypeError("The key is no signing key");
  return key;
}
