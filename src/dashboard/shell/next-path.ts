import { BASE } from "./base.ts";

const HOME = "/library";

/**
 * The page after the log-in: `?next=` if it is a dashboard page, else the library. The result has no base path. Addresses of other sites are
 * rejected, also in the forms "//host" and "/dashboard/..//host".
 */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "";
  if (!next.startsWith(`${BASE}/`) || next.includes("\\")) return HOME;
  const url = new URL(next, "https://own.invalid");
  if (url.host !== "own.invalid" || !url.pathname.startsWith(`${BASE}/`)) return HOME;
  const path = url.pathname.slice(BASE.length);
  if (path.startsWith("//") || /^\/(login|register)\b/.test(path)) return HOME;
  return path + url.search;
}
