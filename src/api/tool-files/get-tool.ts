import { z } from "@hono/zod-openapi";
import { ERRORS } from "../../domain/errors.ts";
import { findToolFile, TOOL_FILES } from "../../domain/tool-files/index.ts";
import { KEY_PLACEHOLDER } from "../../domain/tool-files/tool-file.ts";
import { guarded } from "../guarded.ts";
import { errorResponses } from "../responses.ts";
import { createRouter } from "../router.ts";
import { publicOrigin } from "./public-origin.ts";

const names = TOOL_FILES.map(({ name }) => `\`${name}\``).join(", ");

const route = guarded("open", {
  operationId: "getTool",
  method: "get",
  path: "/tools/{name}",
  tags: ["tools"],
  summary: "A file with which another program uploads here",
  description: `One of ${names}. It has this service's address, and \`${KEY_PLACEHOLDER}\` where your key goes: keys are stored as digests, so that nobody but you can put it in.`,
  request: { params: z.object({ name: z.string().openapi({ example: "sharex" }) }) },
  responses: {
    200: { description: "The file", content: { "application/octet-stream": { schema: z.string() } } },
    ...errorResponses(400, 404),
  },
});

export const getTool = createRouter().openapi(route, (c) => {
  const file = findToolFile(c.req.valid("param").name);
  if (file === undefined) throw ERRORS.NotFound();
  const headers = {
    "Content-Type": `${file.mediaType}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="${file.filename}"`,
    "X-Content-Type-Options": "nosniff",
  };
  // The router's types know no answer of a type that depends on the file.
  return c.body(file.make(publicOrigin(c.req.url)), 200, headers) as never;
});
