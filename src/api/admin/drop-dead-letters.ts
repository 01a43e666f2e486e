import { LettersBody, LettersChangedSchema } from "../../contract/operator.ts";
import { dropDeadLetters as drop } from "../../services/operator/drop-dead-letters.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "dropDeadLetters",
  method: "post",
  path: "/admin/dead-letters/drop",
  tags: ["operator"],
  summary: "Drop dead letters for good",
  description:
    "What their queue still has of them is not handled any more. Views that are dropped are never counted; thumbnails can be made by `POST /admin/thumbnails/retry`.",
  request: { body: jsonBody(LettersBody) },
  responses: { 200: jsonResponse("How many of them there were", LettersChangedSchema) },
});

export const dropDeadLetters = createRouter().openapi(route, async (c) =>
  c.json({ letters: await drop(c.var.services, c.req.valid("json").ids) }, 200),
);
