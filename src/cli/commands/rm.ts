import { MediaHostError } from "../../client/index.ts";
import { type Call, defineCommand, type Options } from "../command-line/command.ts";
import { SomeFailed, UsageError } from "../command-line/failures.ts";
import { readIds } from "../library/read-ids.ts";
import { say } from "../terminal/say.ts";
import { failureText, toFailure } from "../upload/outcome.ts";

const options = {
  forever: { type: "boolean", summary: "delete permanently: the URLs stop working at once" },
  "only-trash": { type: "boolean", summary: "with --forever: keep files that are not in the trash" },
} as const satisfies Options;

export const rmCommand = defineCommand({
  name: "rm",
  summary: "move uploads to the trash, or delete them permanently",
  args: "ID|URL|-...",
  options,
  notes: ["A file in the trash still counts as storage, and its URL still works. A deletion counts as an operation."],
  examples: [
    ["01kb3w2qjx0000000000000000", "to the trash"],
    ["--forever https://cdn.example/uploads/.../...-photo.jpg", "permanently"],
    ["- < ids.txt", "a list of ids or URLs"],
  ],
  async run({ context, values, positionals, connect }: Call<typeof options>) {
    const { signal, output } = context;
    if (values["only-trash"] && !values.forever) throw new UsageError("--only-trash needs --forever");
    const { host } = await connect();
    const onlyFrom = values["only-trash"] ? "trash" : undefined;
    let count = 0;
    let failed = 0;
    for await (const ids of readIds(context, positionals)) {
      if (!values.forever) {
        count += (await host.trash(ids, { signal })).updated;
        continue;
      }
      for (const id of ids) {
        try {
          await host.delete(id, { signal, onlyFrom });
          count += 1;
        } catch (error) {
          if (!(error instanceof MediaHostError) || !isOfOneImage(error)) throw error;
          failed += 1;
          context.stderr.write(`failed: ${id}: ${failureText(toFailure(error))}\n`);
        }
      }
    }
    if (values.json) await output.json(values.forever ? { deleted: count, failed } : { trashed: count });
    else say(context, values, `${values.forever ? "deleted" : "moved to the trash"}: ${count}`);
    if (failed > 0) throw new SomeFailed(`${failed} were not deleted`);
  },
});

/** Whether the refusal is about this image and not about all. */
function isOfOneImage({ code }: MediaHostError): boolean {
  return code === "image_not_found" || code === "image_not_yours" || code === "image_not_in_trash";
}
