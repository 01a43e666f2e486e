import { createClient } from "../../client/index.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { CredentialError, UsageError } from "../command-line/failures.ts";
import { configPath, writeConfig } from "../session/config.ts";
import { checkSecret, findBaseUrl } from "../session/credential.ts";
import { prompt } from "../terminal/prompt.ts";
import { say } from "../terminal/say.ts";

const options = {
  email: { type: "string", value: "EMAIL", summary: "the account; else it is asked for" },
  key: { type: "boolean", summary: "keep a key in place of a session: it is asked for, or read from standard input" },
} as const satisfies Options;

export const loginCommand = defineCommand({
  name: "login",
  summary: "log in to a service, and keep the session",
  args: "",
  options,
  notes: [
    "The password, or the key, is asked for and not shown; where standard input is no terminal, it is its (next) line.",
    "A session is good for every command and tier. An upload key (Free, Starter) uploads, and nothing else.",
  ],
  examples: [
    ["--host https://media.example", "asks for e-mail and password"],
    ["--host https://media.example --key < key.txt", "a key, from a file"],
  ],
  async run({ context, values, positionals }: Call<typeof options>) {
    if (positionals.length > 0) throw new UsageError("login takes no argument: secrets are asked for");
    const { env, signal } = context;
    const host = await findBaseUrl(env, values);
    if (values.key) {
      const [key = ""] = await prompt(context, [{ text: "Key: ", isSecret: true }]);
      await writeConfig(env, { host, key: checkSecret(key, "the answer") });
    } else {
      const asked = values.email === undefined ? [{ text: "E-mail: ", isSecret: false }] : [];
      const answers = await prompt(context, [...asked, { text: "Password: ", isSecret: true }]);
      const [email = "", password = ""] = values.email === undefined ? answers : [values.email, ...answers];
      if (email === "" || password === "") throw new CredentialError("no e-mail or no password was given");
      const { token, account } = await createClient({ baseUrl: host }).auth.logIn({ email, password }, { signal });
      await writeConfig(env, { host, session: { token, accountId: account._id, email: account.email } });
    }
    say(context, values, `kept in ${configPath(env)}`);
  },
});
