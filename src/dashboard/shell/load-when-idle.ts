import { DialogWindow } from "../design/dialog.tsx";
import { MenuPopup } from "../design/menu.tsx";
import { ToastList } from "../design/toast.tsx";
import { whenIdle } from "../design/when-idle.ts";
import { LoginWindow } from "./login-dialog.tsx";

const AFTER_MS = 2500;

interface Connection {
  readonly saveData?: boolean;
}

interface Part {
  load(): Promise<void>;
}

/** Loads what the first press would have to wait for, once the page has nothing else to do. @param parts more of that @returns what calls it off */
export function loadWhenIdle(parts: readonly Part[]): () => void {
  const { connection } = navigator as Navigator & { readonly connection?: Connection };
  if (connection?.saveData) return () => undefined;
  const timer = setTimeout(() => {
    // What cannot be loaded now is loaded when it is wanted, and says then that it cannot.
    for (const part of [MenuPopup, DialogWindow, ToastList, LoginWindow, ...parts]) {
      whenIdle(() => void part.load().catch(() => undefined));
    }
  }, AFTER_MS);
  return () => clearTimeout(timer);
}
