import { parseArgs } from "node:util";
import { COMMON_OPTIONS, type Command, type Options, type Values } from "./command.ts";
import { UsageError } from "./failures.ts";

/**
 * Reads a command's arguments. An option that the command does not have is refused: it may be the folder, misspelt.
 * @throws UsageError
 */
export function parse(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...COMMON_OPTIONS, ...command.options },
      allowPositionals: true,
    });
    return { values: values as Values<Options & typeof COMMON_OPTIONS>, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws UsageError where there is not exactly one argument */
export function onlyOne(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined || positionals.length > 1) throw new UsageError(`expected one ${what}`);
  return first;
}

/** @throws UsageError where the option's text is no whole number of this range */
export function wholeNumber(option: string, text: string | undefined, least: number, most: number) {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${option} is a whole number from ${least} to ${most}, not "${text}"`);
}
