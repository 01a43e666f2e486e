/** The library's sections of the sidebar: folders, tags. */
export function LibrarySidebar() {
  return null;
}
