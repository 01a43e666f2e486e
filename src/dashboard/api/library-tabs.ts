/** Connects the browser's tabs that show the library. A tab does not get its own messages. */
export const libraryTabs = new BroadcastChannel("library");

/** Has other tabs refetch the library. */
export function tellOtherTabs(): void {
  libraryTabs.postMessage("changed");
}
