import { useSyncExternalStore } from "react";
import { createStore } from "./create-store.ts";

/**
 * `over`: the session ended while the page was open. `none`: there was no session when the page was opened. `other`: the session is another
 * account's, and the page is about to load again.
 */
type Session = "unknown" | "open" | "over" | "none" | "other";

interface Message {
  readonly session: "open" | "over";
  /** The session's account; a tab that shows another account reloads. */
  readonly accountId?: string | undefined;
}

const store = createStore<Session>("unknown");
const tabs = new BroadcastChannel("session");
let accountId: string | undefined;
let isEnding = false;
let openings = 0;

export function useSession(): Session {
  return useSyncExternalStore(store.subscribe, store.get);
}

export function readSession(): Session {
  return store.get();
}

/** How often a session was opened, here or in another tab. A 401 to a request from before the latest opening says nothing about it. */
export function countOpenings(): number {
  return openings;
}

/** @returns the unsubscribe function */
export function subscribeSession(listener: () => void): () => void {
  return store.subscribe(listener);
}

/** Records whether the session is open and informs the other tabs. `over` without an earlier `open` means that there was no session. */
export function setSession(session: "open" | "over", ofAccount?: string): void {
  if (session === "over" && isEnding) return;
  const before = store.get();
  if (session === "over" && (before === "unknown" || before === "none")) {
    store.set("none");
    return;
  }
  if (isLeaving(ofAccount)) return;
  accountId = ofAccount ?? accountId;
  if (before === session) return;
  if (session === "open") openings += 1;
  store.set(session);
  tabs.postMessage({ session, accountId } satisfies Message);
}

/** Ignores 401 responses to other requests while this page erases the account. */
export function setEnding(ending: boolean): void {
  isEnding = ending;
}

/** Informs the other tabs that the session has ended. The caller leaves this page. */
export function announceLogOut(): void {
  tabs.postMessage({ session: "over", accountId } satisfies Message);
}

tabs.addEventListener("message", ({ data }: MessageEvent<Message>) => {
  const isOpen = store.get() === "open";
  if (data.session === "over") {
    if (isOpen) store.set("over");
  } else if (!isLeaving(data.accountId) && !isOpen) {
    openings += 1;
    store.set("open");
  }
});

/**
 * Loads the page again if the session is another account's. The cookie is already the other account's, also if this page's own session never
 * ended.
 */
function isLeaving(id: string | undefined): boolean {
  if (!id || !accountId || id === accountId) return false;
  store.set("other");
  location.reload();
  return true;
}
