import { z } from "@hono/zod-openapi";
import { PageQuery } from "../contract/query-parameters.ts";
import { ToolFilesSchema } from "../contract/tool-file.ts";
import { ERRORS } from "../domain/errors.ts";
import { findToolFile, TOOL_FILES } from "../domain/tool-files/index.ts";
import { KEY_ADVICE, KEY_PLACEHOLDER, type ToolFile } from "../domain/tool-files/tool-file.ts";
import { pageOfFew } from "../services/paging.ts";
import { guarded } from "./guarded.ts";
import { headersOf } from "./openapi/response-headers.ts";
import { errorResponses, jsonResponse } from "./responses.ts";
import { createRouter } from "./router.ts";

export const toolFiles = createRouter();

toolFiles.openapi(
  guarded("open", {
    operationId: "listTools",
    method: "get",
    path: "/tools",
    tags: ["tools"],
    summary: "Configurations for other programs' uploads",
    description:
      "ShareX, PicGo and others import these files. Each contains this service's URL and a placeholder for a key.",
    request: { query: PageQuery },
    responses: { 200: jsonResponse("The files", ToolFilesSchema), ...errorResponses(400) },
  }),
  async (c) => {
    const origin = publicOrigin(c.req.url);
    const { rows, nextCursor } = await pageOfFew(c.var.services, c.req.valid("query"), {
      list: { name: "listTools" },
      rows: TOOL_FILES,
      keyOf: (file) => String(TOOL_FILES.indexOf(file)).padStart(3, "0"),
    });
    const tools = rows.map(({ name, title, help, filename }) => {
      return { name, title, help: `${help} ${KEY_ADVICE}`, filename, url: `${origin}/tools/${name}` };
    });
    return c.json({ keyPlaceholder: KEY_PLACEHOLDER, tools, pagination: { nextCursor } }, 200);
  },
);

function describeFile({ mediaType, make }: ToolFile) {
  const text = make("https://media.example.com");
  return mediaType === "application/json"
    ? [mediaType, { schema: z.record(z.string(), z.unknown()), example: JSON.parse(text) }]
    : [mediaType, { schema: z.string(), example: text }];
}

const names = TOOL_FILES.map(({ name }) => `\`${name}\``).join(", ");

toolFiles.openapi(
  guarded("open", {
    operationId: "getTool",
    method: "get",
    path: "/tools/{name}",
    tags: ["tools"],
    summary: "Configuration for another program's uploads",
    description: `One of ${names}. It contains this service's URL. Replace \`${KEY_PLACEHOLDER}\` with a key that can only upload (scope \`upload\`, or an upload key): the file may get into other hands.`,
    request: {
      params: z.object({
        name: z.string().openapi({ description: "The file's name in `GET /tools`", example: "sharex" }),
      }),
    },
    responses: {
      200: {
        description: "The file",
        headers: headersOf(["Content-Disposition"]),
        content: Object.fromEntries(TOOL_FILES.map(describeFile)),
      },
      ...errorResponses(400, 404),
    },
  }),
  (c) => {
    const file = findToolFile(c.req.valid("param").name);
    if (file === undefined) throw ERRORS.NotFound();
    const headers = {
      "Content-Type": `${file.mediaType}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${file.filename}"`,
      "X-Content-Type-Options": "nosniff",
    };
    // The router's types do not allow an answer whose type depends on the file.
    return c.body(file.make(publicOrigin(c.req.url)), 200, headers) as never;
  },
);

/**
 * The origin of the request, for scripts and pages. Only plain host names and addresses are accepted, because a URL's
 * host may contain quotes.
 * @throws ServiceError 400
 */
export function publicOrigin(requestUrl: string): string {
  const { origin, host } = new URL(requestUrl);
  if (/^[a-z0-9.:[\]-]+$/.test(host)) return origin;
  throw ERRORS.InvalidRequest({ host: "Must be a host name" });
}
