import { createClient, MediaHostError } from "../../client/index.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { readConfig, writeConfig } from "../session/config.ts";
import { say } from "../terminal/say.ts";

const options = {} as const satisfies Options;

export const logoutCommand = defineCommand({
  name: "logout",
  summary: "end the session, and forget it or the key",
  args: "",
  options,
  examples: [["", "nothing is kept but the service's address"]],
  async run({ context, values, positionals }: Call<typeof options>) {
    if (positionals.length > 0) throw new UsageError("logout takes no argument");
    const { host, session } = await readConfig(context.env);
    if (host === undefined) return say(context, values, "you were not logged in");
    if (session !== undefined) {
      const client = createClient({ baseUrl: host, key: session.token });
      // The session may have ended already.
      await client.auth.logOut({ signal: context.signal }).catch((error: unknown) => {
        if (!(error instanceof MediaHostError) || error.code !== "invalid_session") throw error;
      });
    }
    await writeConfig(context.env, { host });
    say(context, values, "logged out");
  },
});
