import { createClient, MediaHostError } from "../client/index.ts";
import type { Command, Connected, Context } from "./command-line/command.ts";
import {
  CredentialError,
  EXIT,
  Interrupted,
  isCredentialRefused,
  needsSession,
  UsageError,
} from "./command-line/failures.ts";
import { commandHelp, programHelp } from "./command-line/help.ts";
import { didYouMean } from "./command-line/nearest.ts";
import { parse } from "./command-line/parse.ts";
import { version } from "./command-line/version.ts";
import { COMMANDS } from "./commands/index.ts";
import { findBaseUrl, findCredential } from "./session/credential.ts";
import { Output } from "./terminal/output.ts";
import { printable } from "./terminal/printable.ts";
import { failureText, toFailure } from "./upload/outcome.ts";

/** @throws UsageError, CredentialError */
async function connect(
  { env }: Context,
  values: { readonly host?: string; readonly "key-file"?: string },
): Promise<Connected> {
  const baseUrl = await findBaseUrl(env, values);
  const credential = await findCredential(env, values, baseUrl);
  return { baseUrl, credential, host: createClient({ baseUrl, key: credential.secret }) };
}

/** `media-host`: the command line for uploads and libraries. `npm run build` bundles it into one file. */

const PROGRAM = "media-host";
/** The exit codes of shells for signals. */
const ENDED_BY = { SIGINT: 130, SIGTERM: 143, SIGPIPE: 141 } as const;

/** Commands that an interruption does not undo. */
const CONTINUED: readonly string[] = ["upload", "pull", "sync"];

const controller = new AbortController();
const { signal } = controller;
const { stdin, stdout, stderr, env } = process;
const interrupt = (exitCode: number) => controller.abort(new Interrupted(exitCode));
const output = new Output(stdout, () => interrupt(ENDED_BY.SIGPIPE));
const context: Context = { env, stdin, stderr, output, signal };

for (const name of ["SIGINT", "SIGTERM"] as const) {
  // A second signal ends the process without waiting.
  process.on(name, () => (signal.aborted ? process.exit(ENDED_BY[name]) : interrupt(ENDED_BY[name])));
}
// The reader of the output is gone.
stderr.on("error", () => undefined);

process.exitCode = await run(process.argv.slice(2));
// An open terminal, or a pipe that others hold open, would keep the process alive.
stdin.destroy();

async function run([name, ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return runCommand(command, args);
  if (name === "--version" || name === "-v") {
    await output.line(version());
    return EXIT.done;
  }
  const isAsked = name === "help" || name === "--help" || name === "-h";
  const help = programHelp(PROGRAM, COMMANDS);
  if (isAsked) await output.line(help);
  else stderr.write(`${name === undefined ? "" : `error: ${noCommand(name)}\n\n`}${help}\n`);
  return isAsked ? EXIT.done : EXIT.usage;
}

function noCommand(name: string): string {
  const names = COMMANDS.map((each) => each.name);
  return `there is no command "${printable(name)}"${didYouMean(name, names)}`;
}

async function runCommand(command: Command, args: readonly string[]): Promise<number> {
  try {
    const { values, positionals } = parse(command, args);
    if (values.help === true) await output.line(commandHelp(PROGRAM, command));
    else await command.run({ context, values, positionals, connect: () => connect(context, values) });
    return signal.aborted ? exitOf(signal.reason, command) : EXIT.done;
  } catch (error) {
    return exitOf(signal.aborted ? signal.reason : error, command);
  }
}

/** Prints the failure on stderr. @returns the exit code */
function exitOf(error: unknown, { name }: Command): number {
  if (error instanceof Interrupted) {
    if (error.exitCode !== ENDED_BY.SIGPIPE)
      say(CONTINUED.includes(name) ? "stopped; the same command continues" : "stopped");
    return error.exitCode;
  }
  if (error instanceof UsageError) {
    say(`error: ${error.message}\n${PROGRAM} ${name} --help says more`);
    return EXIT.usage;
  }
  if (error instanceof MediaHostError) {
    say(`error: ${failureText(toFailure(error))}`);
    if (!isCredentialRefused(error)) return EXIT.failed;
    if (needsSession(error)) say(`A session can do everything: ${PROGRAM} login`);
    return EXIT.credentials;
  }
  say(`error: ${error instanceof Error ? error.message : String(error)}`);
  return error instanceof CredentialError ? EXIT.credentials : EXIT.failed;
}

function say(text: string): void {
  stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
}
