import { MediaHostError } from "../client/index.ts";
import type { Command, Context } from "./command-line/command.ts";
import { CredentialError, EXIT, Interrupted, UsageError } from "./command-line/failures.ts";
import { commandHelp, programHelp } from "./command-line/help.ts";
import { parse } from "./command-line/parse.ts";
import { COMMANDS } from "./commands/index.ts";
import { connect } from "./session/connect.ts";
import { Output } from "./terminal/output.ts";
import { printable } from "./terminal/printable.ts";
import { failureText, toFailure } from "./upload/outcome.ts";

/** `media-host`: uploads, and what they are in, from the command line. `npm run build` makes one file of it. */

const PROGRAM = "media-host";
/** As shells number what a signal ends. */
const ENDED_BY = { SIGINT: 130, SIGTERM: 143, SIGPIPE: 141 } as const;

const controller = new AbortController();
const { signal } = controller;
const { stdin, stdout, stderr, env } = process;
const interrupt = (exitCode: number) => controller.abort(new Interrupted(exitCode));
const output = new Output(stdout, () => interrupt(ENDED_BY.SIGPIPE));
const context: Context = { env, stdin, stderr, output, signal };

for (const name of ["SIGINT", "SIGTERM"] as const) {
  // The second time, nothing is waited for.
  process.on(name, () => (signal.aborted ? process.exit(ENDED_BY[name]) : interrupt(ENDED_BY[name])));
}
// There is nobody to tell.
stderr.on("error", () => undefined);

process.exitCode = await run(process.argv.slice(2));
// A terminal, or a pipe that others hold open, would keep the process.
stdin.destroy();

async function run([name, ...args]: readonly string[]): Promise<number> {
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return runCommand(command, args);
  const isAsked = name === "help" || name === "--help" || name === "-h";
  const help = programHelp(PROGRAM, COMMANDS);
  if (isAsked) await output.line(help);
  else stderr.write(`${name === undefined ? "" : `error: there is no command "${printable(name)}"\n\n`}${help}\n`);
  return isAsked ? EXIT.done : EXIT.usage;
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

/** Says on stderr what went wrong. @returns the exit code */
function exitOf(error: unknown, { name }: Command): number {
  if (error instanceof Interrupted) {
    if (error.exitCode !== ENDED_BY.SIGPIPE) say(name === "upload" ? "stopped; the same command goes on" : "stopped");
    return error.exitCode;
  }
  if (error instanceof UsageError) {
    say(`error: ${error.message}\n${PROGRAM} ${name} --help says more`);
    return EXIT.usage;
  }
  if (error instanceof MediaHostError) {
    say(`error: ${failureText(toFailure(error))}`);
    if (error.statusCode !== 401 && error.statusCode !== 403) return EXIT.failed;
    if (error.statusCode === 403) say(`A session can do everything: ${PROGRAM} login`);
    return EXIT.credentials;
  }
  say(`error: ${error instanceof Error ? error.message : String(error)}`);
  return error instanceof CredentialError ? EXIT.credentials : EXIT.failed;
}

function say(text: string): void {
  stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
}
