/** The types that the service stores. */
export const ACCEPT = "image/*,video/mp4,video/webm,video/quicktime,video/x-msvideo";

/**
 * Whether a file fits an `accept` attribute (HTML, 4.10.5.1.18): types, `image/*`, and extensions. Dropped files are not checked by the
 * browser.
 */
export function accepts(accept: string, { name, type }: Pick<File, "name" | "type">): boolean {
  const wanted = accept.split(",").map((each) => each.trim().toLowerCase());
  // The browser does not know every type: the service looks at the bytes.
  if (type === "" && !wanted.every((each) => each.startsWith("."))) return true;
  return wanted.some((each) => {
    if (each === "" || each === "*/*") return true;
    if (each.startsWith(".")) return name.toLowerCase().endsWith(each);
    return each.endsWith("/*") ? type.startsWith(each.slice(0, -1)) : type === each;
  });
}
