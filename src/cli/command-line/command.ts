import type { Client } from "../../client/index.ts";
import type { Credential } from "../session/credential.ts";
import type { Output } from "../terminal/output.ts";

/** An option of the command line, as `node:util` parses it. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: true;
  /** The value's name in the help. */
  readonly value?: string;
  readonly summary: string;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<Each extends Option> = Each extends { type: "boolean" }
  ? boolean
  : Each extends { multiple: true }
    ? readonly string[]
    : string;

export type Values<Given extends Options> = { readonly [Name in keyof Given]?: ValueOf<Given[Name]> };

/** Options that every command has. */
export const COMMON_OPTIONS = {
  host: { type: "string", value: "URL", summary: "the service; else MEDIA_HOST_URL, else where you logged in" },
  "key-file": { type: "string", value: "FILE", summary: "a file with the key; else MEDIA_HOST_KEY, else the login" },
  json: { type: "boolean", summary: "one JSON object a line" },
  quiet: { type: "boolean", short: "q", summary: "say on stderr what fails, and nothing else" },
  help: { type: "boolean", short: "h", summary: "show this" },
} as const satisfies Options;

/** The context of a command. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  /** Results: stdout. */
  readonly output: Output;
  /** Aborts on Ctrl-C, and when the reader of stdout is gone. */
  readonly signal: AbortSignal;
}

export interface Call<Given extends Options> {
  readonly context: Context;
  readonly values: Values<Given & typeof COMMON_OPTIONS>;
  readonly positionals: readonly string[];
  /** @throws UsageError, CredentialError */
  connect(): Promise<Connected>;
}

export interface Connected {
  readonly host: Client;
  readonly baseUrl: string;
  readonly credential: Credential;
}

/** One verb of the command line. */
export interface Command<Given extends Options = Options> {
  readonly name: string;
  readonly summary: string;
  /** Its arguments, as the help shows them: `[PATH...]`. */
  readonly args: string;
  readonly options: Given;
  /** Lines of the help, below its options. */
  readonly notes?: readonly string[];
  /** Another line of the command's help: its arguments and its effect. */
  readonly examples: readonly (readonly [args: string, does: string])[];
  run(call: Call<Given>): Promise<void>;
}

/** @returns the command, its options' values typed by its options */
export function defineCommand<const Given extends Options>(command: Command<Given>): Command {
  return command as unknown as Command;
}
