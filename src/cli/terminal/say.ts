import type { Context } from "../command-line/command.ts";
import { printable } from "./printable.ts";

/** Tells people what was done; stdout is for programs. */
export function say({ stderr }: Context, { quiet }: { readonly quiet?: boolean }, text: string): void {
  if (quiet !== true) stderr.write(`${printable(text)}\n`);
}
