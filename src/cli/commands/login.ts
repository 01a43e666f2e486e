import { createClient, MediaHostError } from "../../client/index.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { CredentialError, UsageError } from "../command-line/failures.ts";
import { KEY_IS_NO_ARGUMENT } from "../command-line/parse.ts";
import { configPath, writeConfig } from "../session/config.ts";
import { checkSecret, findBaseUrl } from "../session/credential.ts";
import { prompt } from "../terminal/prompt.ts";
import { say } from "../terminal/say.ts";

const options = {
  email: { type: "string", value: "EMAIL", summary: "the account; prompts without it" },
  key: { type: "boolean", summary: "store a key instead of a session: prompts for it, or reads standard input" },
} as const satisfies Options;

export const loginCommand = defineCommand({
  name: "login",
  summary: "log in to a service and store the session",
  args: "",
  options,
  notes: [
    "Prompts for the password or the key without showing it. Without a terminal it reads the next line of standard input.",
    "A session can use every command on every tier. An upload key (Free, Starter) can only upload.",
  ],
  examples: [
    ["--host https://media.example", "asks for e-mail and password"],
    ["--host https://media.example --key < key.txt", "a key, from a file"],
  ],
  async run({ context, values, positionals }: Call<typeof options>) {
    if (positionals.length > 0) {
      throw new UsageError(
        values.key ? KEY_IS_NO_ARGUMENT : "login takes no argument: it asks for e-mail and password",
      );
    }
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
      const { auth } = createClient({ baseUrl: host });
      const { token, account } = await auth.logIn({ email, password }, { signal }).catch(async (error: unknown) => {
        if (!(error instanceof MediaHostError) || error.code !== "second_factor_required") throw error;
        const [code = ""] = await prompt(context, [{ text: "Code of your authenticator app: ", isSecret: false }]);
        return auth.logIn({ email, password, code }, { signal });
      });
      await writeConfig(env, { host, session: { token, accountId: account._id, email: account.email } });
    }
    say(context, values, `kept in ${configPath(env)}`);
  },
});
