import { useEffect } from "react";
import { createKeybindingsHandler } from "tinykeys";
import { useCommands } from "./commands.ts";
import { isSingle, isTaken, toBinding } from "./key-rules.ts";
import { hasSingleKeys } from "./single-keys.ts";

/** Runs commands by their shortcuts. */
export function useCommandKeys(): void {
  const commands = useCommands();
  useEffect(() => {
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    for (const { keys, when, run } of commands) {
      if (keys === undefined) continue;
      bindings[toBinding(keys)] = (event) => {
        if (event.defaultPrevented || isTaken(event.target, keys) || (isSingle(keys) && !hasSingleKeys())) return;
        if (when?.() === false) return;
        event.preventDefault();
        run();
      };
    }
    const handle = createKeybindingsHandler(bindings, { ignore: ({ isComposing }) => isComposing });
    addEventListener("keydown", handle);
    return () => removeEventListener("keydown", handle);
  }, [commands]);
}
