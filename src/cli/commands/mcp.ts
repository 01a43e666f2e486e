import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { openRoots } from "../upload/roots.ts";

const options = {
  write: { type: "boolean", summary: "also upload, tag, and move to the trash and back; without it agents only read" },
  root: {
    type: "string",
    multiple: true,
    value: "DIR",
    summary: "upload only files below this folder; may be repeated; the current folder by default",
  },
} as const satisfies Options;

export const mcpCommand = defineCommand({
  name: "mcp",
  summary: "serve the library to AI agents (Model Context Protocol on standard input and output)",
  args: "",
  options,
  notes: [
    "A client such as an editor or a chat program starts it. An agent never deletes permanently. A file that it looks at counts as",
    "a view.",
  ],
  examples: [
    ["", "list, search and look at files"],
    ["--write --root ~/Pictures", "and upload from one folder, tag and trash"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    if (positionals.length > 0) throw new UsageError("mcp takes no argument");
    if (values.root !== undefined && !values.write) throw new UsageError("--root is for uploads, which need --write");
    const roots = values.write ? await openRoots(values.root ?? ["."]) : undefined;
    const { host } = await connect();
    // The protocol's library is larger than the rest of the program.
    const { serve } = await import("../mcp/serve.ts");
    await serve(host, { roots, input: context.stdin, signal: context.signal });
  },
});
