import type { Context } from "../command-line/command.ts";
import { printable } from "./printable.ts";

/** Prints a message for people on stderr; stdout is for programs. */
export function say({ stderr }: Context, { quiet }: { readonly quiet?: boolean }, text: string): void {
  if (quiet !== true) stderr.write(`${printable(text)}\n`);
}
