import { ToolFilesSchema } from "../../contract/tool-file.ts";
import { TOOL_FILES } from "../../domain/tool-files/index.ts";
import { KEY_PLACEHOLDER } from "../../domain/tool-files/tool-file.ts";
import { guarded } from "../guarded.ts";
import { errorResponses, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";
import { publicOrigin } from "./public-origin.ts";

const route = guarded("open", {
  operationId: "listTools",
  method: "get",
  path: "/tools",
  tags: ["tools"],
  summary: "Files with which other programs upload here",
  responses: { 200: jsonResponse("Every file", ToolFilesSchema), ...errorResponses(400) },
});

export const listTools = createRouter().openapi(route, (c) => {
  const origin = publicOrigin(c.req.url);
  const tools = TOOL_FILES.map(({ name, title, help, filename }) => {
    return { name, title, help, filename, url: `${origin}/tools/${name}` };
  });
  return c.json({ keyPlaceholder: KEY_PLACEHOLDER, tools }, 200);
});
