import type { LucideIcon } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";

/** An action of the keyboard, the palette and menus. */
export interface Command {
  /** A name such as "upload". A later command with the same id replaces an earlier one. */
  readonly id: string;
  readonly title: string;
  /** Shortcut in tinykeys syntax: "u", "$mod+k", "g l". */
  readonly keys?: string;
  readonly icon?: LucideIcon;
  /** A control beside the command's button. */
  readonly beside?: ReactNode;
  /** Heading in the help sheet; "General" by default. */
  readonly group?: string;
  /** Whether the command is available now; always by default. */
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

/** Registers commands. They replace earlier commands with the same ids. @returns the function that removes them */
export function registerCommands(commands: readonly Command[]): () => void {
  replace([...registered, ...commands]);
  return () => replace(registered.filter((command) => !commands.includes(command)));
}

/** All registered commands, the latest of each id. */
export function listCommands(): readonly Command[] {
  return known;
}

/** Runs a command if it is registered and available. @returns whether it ran */
export function runCommand(id: string): boolean {
  const command = listCommands().find((each) => each.id === id);
  if (command === undefined || command.when?.() === false) return false;
  command.run();
  return true;
}

/** All commands; renders again when they change. */
export function useCommands(): readonly Command[] {
  return useSyncExternalStore(subscribeToCommands, listCommands);
}

function subscribeToCommands(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
