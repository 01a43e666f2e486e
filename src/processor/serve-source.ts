import { PREVIEW_PARAMETER, verifyPreview } from "../domain/preview-token.ts";

/** The headers that a reader of ranges needs; the Container sends no others on. */
const PASSED_ON = ["Range", "If-Range"];

/**
 * Answers what the Container asks of `SOURCE_HOST`, from the CDN Worker. The Container may read the videos that it was given the signed
 * address of, and nothing else: whatever a hostile file makes of its decoder, no other account's file is within its reach.
 */
export async function serveSource(request: Request, env: Pick<Env, "CDN" | "PREVIEW_SECRET">): Promise<Response> {
  if (request.method !== "GET") return new Response(null, { status: 405, headers: { Allow: "GET" } });
  if (!(await isSigned(new URL(request.url), env.PREVIEW_SECRET))) return new Response(null, { status: 403 });
  const headers = new Headers();
  for (const name of PASSED_ON) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return env.CDN.fetch(request.url, { headers, redirect: "manual" });
}

async function isSigned({ pathname, searchParams }: URL, secret: string): Promise<boolean> {
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
