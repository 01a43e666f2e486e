import Keyboard from "lucide-react/icons/keyboard";
import { Suspense, useEffect, useState } from "react";
import { useProofWanted } from "../api/proof-store.ts";
import { DialogWindow } from "../design/dialog.tsx";
import { lazyPart, sparePart } from "../design/lazy-part.tsx";
import { LOADING } from "../design/loading.tsx";
import { MenuPopup } from "../design/menu.tsx";
import { ToastList, Toasts } from "../design/toast.tsx";
import { TooltipLayer } from "../design/tooltip-layer.tsx";
import { whenIdle } from "../design/when-idle.ts";
import { registerCommands } from "./commands.ts";
import { LoginWindow } from "./login-dialog.tsx";
import { useCommandKeys } from "./use-command-keys.ts";
import { useGlobalCommands } from "./use-global-commands.ts";

const ProofWindow = sparePart(() => import("./proof-window.tsx"));
const Palette = lazyPart(() => import("./palette.tsx"));
const HelpSheet = lazyPart(() => import("./help-sheet.tsx"));

/** The palette, help sheet, toasts, tooltips and shortcuts of every page. They load in parallel with the page, which does not wait for them. */
export default function Overlays() {
  const [shown, setShown] = useState<"palette" | "help">();
  const [used, setUsed] = useState<readonly string[]>([]);
  useGlobalCommands();
  useCommandKeys();
  useEffect(() => {
    const show = (name: "palette" | "help") => {
      setUsed((before) => (before.includes(name) ? before : [...before, name]));
      setShown(name);
    };
    return registerCommands([
      { id: "palette", title: "All commands", keys: "$mod+k", run: () => show("palette") },
      { id: "help", title: "Keyboard shortcuts", keys: "?", icon: Keyboard, run: () => show("help") },
    ]);
  }, []);
  useEffect(() => loadWhenUsed([Palette]), []);
  const close = (open: boolean) => !open && setShown(undefined);
  return (
    <>
      <Suspense fallback={LOADING}>
        {used.includes("palette") && <Palette open={shown === "palette"} onOpenChange={close} />}
        {used.includes("help") && <HelpSheet open={shown === "help"} onOpenChange={close} />}
      </Suspense>
      <ProofDialog />
      <Toasts />
      <TooltipLayer />
    </>
  );
}

const AFTER_MS = 2500;
const INPUTS = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

interface Connection {
  readonly saveData?: boolean;
}

interface Part {
  load(): Promise<void>;
}

/**
 * Preloads the parts that a first click needs, at the user's first input after the page has loaded. A page that nobody uses loads none.
 * @param parts additional parts @returns the function that cancels it
 */
function loadWhenUsed(parts: readonly Part[]): () => void {
  const { connection } = navigator as Navigator & { readonly connection?: Connection };
  if (connection?.saveData) return () => undefined;
  const used = new AbortController();
  const load = () => {
    used.abort();
    // A part that fails to load is loaded again when it is needed, and then shows its error.
    for (const part of [MenuPopup, DialogWindow, ToastList, LoginWindow, ...parts]) {
      whenIdle(() => void part.load().catch(() => undefined));
    }
  };
  const timer = setTimeout(() => {
    for (const input of INPUTS) addEventListener(input, load, { passive: true, capture: true, signal: used.signal });
  }, AFTER_MS);
  return () => {
    clearTimeout(timer);
    used.abort();
  };
}

/** Opens over the page when a change needs a recent proof that the user is the owner. */
function ProofDialog() {
  const isWanted = useProofWanted();
  const [wasShown, setWasShown] = useState(isWanted);
  if (isWanted && !wasShown) setWasShown(true);
  return wasShown && <ProofWindow open={isWanted} />;
}
