import { PREVIEW_PARAMETER, verifyPreview } from "../domain/preview-token.ts";
import { readSecret, type SecretBindings, type SecretPair } from "../domain/secret-pair.ts";

type SourceBindings = Pick<Env, "CDN"> & SecretBindings<"PREVIEW_SECRET">;

/** Headers that a reader of ranges needs; the Container's other headers are dropped. */
const PASSED_ON = ["Range", "If-Range"];

/**
 * Answers the Container's requests to `SOURCE_HOST` from the CDN Worker. The Container can read only videos whose signed URL it was given.
 * Even if a hostile file takes over its decoder, no other account's file is within reach.
 */
export async function serveSource(request: Request, env: SourceBindings): Promise<Response> {
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { Allow: "GET" } });
  if (!(await isSigned(new URL(request.url), readSecret(env, "PREVIEW_SECRET", Date.now()))))
    return new Response(null, { status: 403 });
  const headers = new Headers();
  for (const name of PASSED_ON) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  // The Container speaks http inside the platform. The CDN Worker answers only https.
  const url = new URL(request.url);
  url.protocol = "https:";
  return env.CDN.fetch(url, { headers, redirect: "manual" });
}

async function isSigned({ pathname, searchParams }: URL, secret: SecretPair): Promise<boolean> {
  const token = searchParams.get(PREVIEW_PARAMETER);
  const objectKey = decodePath(pathname);
  if (token === null || objectKey === undefined) return false;
  return verifyPreview(secret, objectKey, token, Date.now() / 1000);
}

function decodePath(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return undefined;
  }
}
