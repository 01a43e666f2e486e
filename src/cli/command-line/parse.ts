import { parseArgs } from "node:util";
import { COMMON_OPTIONS, type Command, type Options, type Values } from "./command.ts";
import { UsageError } from "./failures.ts";
import { didYouMean } from "./nearest.ts";

export const KEY_IS_NO_ARGUMENT =
  "a key is never an argument, because every user of this machine can read those. Run media-host login --key and paste it, or give it " +
  "on standard input (media-host login --key < FILE). Other commands take it from MEDIA_HOST_KEY or --key-file FILE";

/** Reads a command's arguments. An unknown option is refused, because it may be a misspelt `--folder`. @throws UsageError */
export function parse(command: Command, args: readonly string[]) {
  const options: Options = { ...COMMON_OPTIONS, ...command.options };
  const config = { args: [...args], options, allowPositionals: true } as const;
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind === "option") expectKnown(options, token);
  }
  try {
    const { values, positionals } = parseArgs(config);
    return { values: values as Values<Options & typeof COMMON_OPTIONS>, positionals };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
}

/** @throws UsageError for an option that is not there, or a value that is too much or missing; none repeats a value: it may be a secret */
function expectKnown(options: Options, { name, rawName, value }: OptionToken): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (name === "key" && (option === undefined || value !== undefined)) throw new UsageError(KEY_IS_NO_ARGUMENT);
  if (option === undefined) {
    const isLong = rawName === `--${name}`;
    throw new UsageError(`there is no option ${rawName}${isLong ? didYouMean(name, Object.keys(options), "--") : ""}`);
  }
  if (option.type === "boolean" && value !== undefined) throw new UsageError(`${rawName} takes no value`);
  if (option.type === "string" && value === undefined) {
    throw new UsageError(`${rawName} needs a value: ${rawName} ${option.value ?? "TEXT"}`);
  }
}

/** @throws UsageError unless there is exactly one argument */
export function onlyOne(positionals: readonly string[], what: string): string {
  const [first] = positionals;
  if (first === undefined || positionals.length > 1) throw new UsageError(`expected one ${what}`);
  return first;
}

/** @throws UsageError unless the option is a whole number in this range */
export function wholeNumber(option: string, text: string | undefined, least: number, most: number) {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${option} is a whole number from ${least} to ${most}, not "${text}"`);
}
