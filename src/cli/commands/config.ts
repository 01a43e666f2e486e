import { rename, writeFile } from "node:fs/promises";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { CredentialError, UsageError } from "../command-line/failures.ts";
import { didYouMean } from "../command-line/nearest.ts";
import { onlyOne } from "../command-line/parse.ts";
import { say } from "../terminal/say.ts";

const options = {
  output: { type: "string", short: "o", value: "FILE", summary: "write it to this file, which you alone may read" },
} as const satisfies Options;

/** The characters of keys. Other characters could have a meaning in a script or page. */
const KEY = /^\w+$/;

export const configCommand = defineCommand({
  name: "config",
  summary: "another program's configuration, with your key in it",
  args: "[sharex|picgo|script|shortcut|html|uppy]",
  options,
  notes: ["No name lists all configurations, and how each gets into its program."],
  examples: [
    ["sharex -o media-host.sxcu", "for ShareX"],
    ["picgo -o ~/.picgo/config.json", "for PicGo, and through it Typora"],
    ["script -o ~/bin/media-host-upload.sh", "for Flameshot and ksnip"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    const { host, credential } = await connect();
    const { tools, keyPlaceholder } = await host.tools.list({ signal });
    if (positionals.length === 0) {
      for (const tool of tools) {
        await (values.json
          ? output.json(tool)
          : output.line(`${tool.name.padEnd(9)} ${tool.title}\n          ${tool.help}`));
      }
      return;
    }
    const name = onlyOne(positionals, "name");
    if (!tools.some((tool) => tool.name === name)) {
      const names = tools.map((tool) => tool.name);
      throw new UsageError(`"${name}" is none of ${names.join(", ")}${didYouMean(name, names)}`);
    }
    if (credential.kind === "session") {
      throw new CredentialError(
        "a session ends; a configuration needs a key: set MEDIA_HOST_KEY, or say --key-file FILE",
      );
    }
    if (!KEY.test(credential.secret)) throw new CredentialError("that is no key of this service");
    const file = await host.tools.get(name, { signal });
    const text = file.replaceAll(keyPlaceholder, credential.secret);
    if (values.output === undefined) return output.text(text);
    const fresh = `${values.output}.${process.pid}`;
    await writeFile(fresh, text, { mode: text.startsWith("#!") ? 0o700 : 0o600, flag: "wx" });
    await rename(fresh, values.output);
    say(context, values, `written, with the key in it: ${values.output}`);
  },
});
