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
      ["1", "something failed; stderr names it"],
      ["2", "wrong usage"],
      ["3", "no credential, or not the right one"],
    ]),
    ...section("environment", [
      ["MEDIA_HOST_URL", "the service"],
      ["MEDIA_HOST_KEY", "the key (never an argument: all users of a machine can see arguments)"],
      ["XDG_CONFIG_HOME", "the login is in media-host/config.json in this folder"],
      ["XDG_STATE_HOME", "records of uploads are in media-host/ in this folder"],
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
