import { BASE } from "./base.ts";

const HOME = "/library";

/**
 * Where to go after the log-in: `?next=` if it is a page of ours, else the library; below the router's base. Another site's address, or one
 * that a browser reads as such ("//host", "/dashboard/..//host"), is not followed.
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
