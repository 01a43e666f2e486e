import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { UsageError } from "../command-line/failures.ts";
import { findId } from "../library/read-ids.ts";

const options = {} as const satisfies Options;

export const removeLocationCommand = defineCommand({
  name: "remove-location",
  summary: "remove the place from a stored file",
  args: "ID|URL",
  options,
  notes: [
    "Writes the URL, which is a new one if the file had a place or other private metadata. Pixels and frames stay.",
    "A removal counts as one operation.",
  ],
  examples: [["01kb3w2qjx0000000000000000", "a photo that is shared"]],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const [upload, ...others] = positionals;
    if (upload === undefined || others.length > 0) throw new UsageError("name one upload");
    const id = findId(upload);
    if (id === undefined) throw new UsageError(`"${upload}" is neither an upload's id nor its URL`);
    const { signal, output } = context;
    const { host } = await connect();
    const image = await host.removeLocation(id, { signal });
    if (values.json) await output.json(image);
    else await output.line(image.url);
  },
});
