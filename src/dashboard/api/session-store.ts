import { useSyncExternalStore } from "react";
import { createStore } from "./create-store.ts";

/** `over`: there was a session in this page, and there is none any more. `none`: there was none when the page was opened. */
export type Session = "unknown" | "open" | "over" | "none";

interface Message {
  readonly session: "open" | "over";
  /** Whose session it is; a tab that shows another account starts anew. */
  readonly accountId?: string | undefined;
}

const store = createStore<Session>("unknown");
const tabs = new BroadcastChannel("session");
let accountId: string | undefined;
let isEnding = false;

export function useSession(): Session {
  return useSyncExternalStore(store.subscribe, store.get);
}

export function readSession(): Session {
  return store.get();
}

/** @returns what ends it */
export function subscribeSession(listener: () => void): () => void {
  return store.subscribe(listener);
}

/** An answer of 401 ends the session; before the first good answer, there was none. Other tabs learn of it. */
export function setSession(session: "open" | "over", ofAccount?: string): void {
  if (session === "over" && isEnding) return;
  const before = store.get();
  if (session === "over" && (before === "unknown" || before === "none")) {
    store.set("none");
    return;
  }
  if (ofAccount !== undefined && accountId !== undefined && accountId !== ofAccount) {
    // What the page holds is another account's.
    location.reload();
    return;
  }
  accountId = ofAccount ?? accountId;
  if (before === session) return;
  store.set(session);
  tabs.postMessage({ session, accountId } satisfies Message);
}

/** While a request of this page ends the session for good, what the others hear of it is no news. */
export function setEnding(ending: boolean): void {
  isEnding = ending;
}

/** Tells the other tabs that the session was ended here; this page is left. */
export function announceLogOut(): void {
  tabs.postMessage({ session: "over", accountId } satisfies Message);
}

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  const before = store.get();
  if (data.session === "open" && before !== "open") {
    if (accountId !== undefined && data.accountId !== undefined && accountId !== data.accountId) location.reload();
    else store.set("open");
  }
  if (data.session === "over" && before === "open") store.set("over");
});
