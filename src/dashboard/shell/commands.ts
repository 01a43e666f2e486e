import type { LucideIcon } from "lucide-react";
import { useSyncExternalStore } from "react";

/** Something that can be done, by a key, in the palette, from a menu. */
export interface Command {
  /** Unique among those that are registered: "upload". */
  readonly id: string;
  readonly title: string;
  /** As tinykeys writes them: "u", "$mod+k", "g l". */
  readonly keys?: string;
  readonly icon?: LucideIcon;
  /** Its heading in the help sheet and the palette; "General" where it is not given. */
  readonly group?: string;
  /** Whether it can be done now; always where it is not given. */
  readonly when?: () => boolean;
  readonly run: () => void;
}

let registered: readonly Command[] = [];
let known: readonly Command[] = [];
const listeners = new Set<() => void>();

function replace(next: readonly Command[]): void {
  registered = next;
  known = next.filter((command, index) => !next.some(({ id }, later) => later > index && id === command.id));
  for (const listener of listeners) listener();
}

/** Makes commands known as long as their page is shown. One with the id of another stands before it. @returns what takes them back */
export function registerCommands(commands: readonly Command[]): () => void {
  replace([...registered, ...commands]);
  return () => replace(registered.filter((command) => !commands.includes(command)));
}

/** Those that are known, the latest of each id. */
export function listCommands(): readonly Command[] {
  return known;
}

/** Does what an id names, if it is known and can be done now. @returns whether it was */
export function runCommand(id: string): boolean {
  const command = listCommands().find((each) => each.id === id);
  if (command === undefined || command.when?.() === false) return false;
  command.run();
  return true;
}

/** Renders again when commands come or go. */
export function useCommands(): readonly Command[] {
  return useSyncExternalStore(subscribeToCommands, listCommands);
}

export function subscribeToCommands(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
