import { COMMON_OPTIONS, type Command, type Options } from "./command.ts";

const INDENT = "  ";

/** @param program how the command is called */
export function commandHelp(program: string, command: Command): string {
  const call = `${program} ${command.name}`;
  const examples = command.examples.map(([args, does]) => [`${call} ${args}`.trimEnd(), does] as const);
  return [
    `${call} [options] ${command.args}`.trimEnd(),
    `${INDENT}${command.summary}`,
    ...section("options", optionRows(command.options)),
    ...section("options of every command", optionRows(COMMON_OPTIONS)),
    ...(command.notes === undefined ? [] : ["", ...command.notes]),
    ...section("examples", examples),
  ].join("\n");
}

export function programHelp(program: string, commands: readonly Command[]): string {
  return [
    `${program} COMMAND [options] [arguments]`,
    ...section(
      "commands",
      commands.map(({ name, summary }) => [name, summary] as const),
    ),
    "",
    `${program} COMMAND --help shows a command's options, with examples.`,
    ...section("exit codes", [
      ["0", "all was done"],
      ["1", "something failed, and is named on stderr"],
      ["2", "the command line cannot be understood"],
      ["3", "no credential, or one that is not good for this"],
    ]),
    ...section("environment", [
      ["MEDIA_HOST_URL", "the service"],
      ["MEDIA_HOST_KEY", "the key (never an argument: every user of a machine sees those)"],
      ["XDG_CONFIG_HOME", "the login is in media-host/config.json there"],
      ["XDG_STATE_HOME", "what was uploaded is in media-host/ there"],
    ]),
  ].join("\n");
}

function optionRows(options: Options) {
  return Object.entries(options).map(([name, { short, value, type, summary }]) => {
    const long = `--${name}${type === "string" ? ` ${value ?? "TEXT"}` : ""}`;
    return [short === undefined ? `    ${long}` : `-${short}, ${long}`, summary] as const;
  });
}

function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  return ["", `${title}:`, ...rows.map(([left, right]) => `${INDENT}${left.padEnd(width)}  ${right}`)];
}
