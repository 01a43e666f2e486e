import { useEffect } from "react";
import { createKeybindingsHandler } from "tinykeys";
import { type Command, useCommands } from "./commands.ts";
import { isSingle, isTaken, toBinding } from "./key-rules.ts";
import { hasSingleKeys } from "./single-keys.ts";

/** Runs commands by their shortcuts. */
export function useCommandKeys(): void {
  const commands = useCommands();
  useEffect(() => {
    const bindings: Record<string, (event: KeyboardEvent) => void> = {};
    for (const { keys, when, run } of sequencesFirst(commands)) {
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

type KeyedCommand = Command & { readonly keys: string };

/** A key runs one command, so the T that ends "g t" must meet "g t" before "t". Pages register their commands in any order. */
function sequencesFirst(commands: readonly Command[]): KeyedCommand[] {
  const keyed = commands.filter((command): command is KeyedCommand => command.keys !== undefined);
  return keyed.toSorted((one, other) => pressesOf(other) - pressesOf(one));
}

function pressesOf({ keys }: KeyedCommand): number {
  return keys.split(" ").length;
}
