import Keyboard from "lucide-react/icons/keyboard";
import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "../design/lazy-part.tsx";
import { Toasts } from "../design/toast.tsx";
import { TooltipLayer } from "../design/tooltip-layer.tsx";
import { registerCommands } from "./commands.ts";
import { loadWhenIdle } from "./load-when-idle.ts";
import { useCommandKeys } from "./use-command-keys.ts";
import { useGlobalCommands } from "./use-global-commands.ts";

const Palette = lazyPart(() => import("./palette.tsx"));
const HelpSheet = lazyPart(() => import("./help-sheet.tsx"));

/** What lies over every page: palette, help, toasts, tooltips; and the keys. It is loaded beside the page, of which nothing waits for it. */
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
  useEffect(() => loadWhenIdle([Palette]), []);
  const close = (open: boolean) => !open && setShown(undefined);
  return (
    <>
      <Suspense fallback={null}>
        {used.includes("palette") && <Palette open={shown === "palette"} onOpenChange={close} />}
        {used.includes("help") && <HelpSheet open={shown === "help"} onOpenChange={close} />}
      </Suspense>
      <Toasts />
      <TooltipLayer />
    </>
  );
}
