import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Whether a request has a valid signature of version 4, in its header or its query (AWS, "Authenticating Requests"). It shares no code
 * with the client that signs.
 */
export function isSigned(
  { method = "", url = "", headers }: IncomingMessage,
  secret: string,
  now = Date.now(),
): boolean {
  const [path = "", search = ""] = url.split("?");
  const query = search
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => pair.split("=").map((part) => decodeURIComponent(part.replaceAll("+", " "))))
    .map(([name = "", value = ""]) => [name, value] as const);
  const inQuery = new Map(query);
  const header: Readonly<Record<string, string | undefined>> = Object.fromEntries(
    [...(headers.authorization ?? "").matchAll(/(\w+)=([^,\s]+)/g)].map(([, name, value]) => [name, value]),
  );
  const credential = inQuery.get("X-Amz-Credential") ?? header.Credential ?? "";
  const signedHeaders = inQuery.get("X-Amz-SignedHeaders") ?? header.SignedHeaders ?? "";
  const signature = inQuery.get("X-Amz-Signature") ?? header.Signature ?? "";
  const date = inQuery.get("X-Amz-Date") ?? String(headers["x-amz-date"]);
  const seconds = Number(inQuery.get("X-Amz-Expires") ?? 900);
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, "$1-$2-$3:$4:$5"));
  if (!(now < signedAt + seconds * 1000) || seconds > 604_800) return false;
  const canonical = [
    method,
    path
      .split("/")
      .map((part) => encodeStrictly(decodeURIComponent(part)))
      .join("/"),
    query
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`)
      .sort()
      .join("&"),
    ...signedHeaders.split(";").map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signedHeaders,
    inQuery.has("X-Amz-Signature") ? "UNSIGNED-PAYLOAD" : String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const scope = credential.split("/").slice(1);
  const key = scope.reduce<string | Buffer>((last, part) => hmac(last, part), `AWS4${secret}`);
  const digest = createHash("sha256").update(canonical).digest("hex");
  const expected = hmac(key, ["AWS4-HMAC-SHA256", date, scope.join("/"), digest].join("\n")).toString("hex");
  return signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
