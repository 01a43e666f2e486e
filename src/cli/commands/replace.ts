import { stat } from "node:fs/promises";
import { openFile } from "../../client/node.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { findId } from "../library/read-ids.ts";
import { reasonOf } from "../upload/local-file.ts";

const options = {} as const satisfies Options;

export const replaceCommand = defineCommand({
  name: "replace",
  summary: "give an upload the bytes of a file",
  args: "ID|URL FILE",
  options,
  notes: [
    "Writes the new URL. The upload keeps its id, folder, tags and other facts, and earlier URLs redirect to the new one.",
    "It counts as one operation.",
  ],
  examples: [["01kb3w2qjx0000000000000000 photo.jpg", "a newer version of a picture"]],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const [upload, path, ...others] = positionals;
    if (upload === undefined || path === undefined || others.length > 0)
      throw new UsageError("name one upload, and then one file");
    const id = findId(upload);
    if (id === undefined) throw new UsageError(`"${upload}" is neither an upload's id nor its URL`);
    const { signal, output } = context;
    // The error of `openFile` does not say why a file cannot be opened.
    await stat(path).catch((error: unknown) => {
      throw new UsageError(`${path}: ${reasonOf(error)}`);
    });
    const file = await openFile(path);
    const { host } = await connect();
    const result = await host.replace(id, file, { signal });
    if (values.json) await output.json(result);
    else await output.line(result.url);
  },
});
