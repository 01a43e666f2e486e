import { LettersBody, LettersChangedSchema } from "../../contract/operator.ts";
import { resendDeadLetters } from "../../services/operator/resend-dead-letters.ts";
import { guarded } from "../guarded.ts";
import { jsonBody, jsonResponse } from "../responses.ts";
import { createRouter } from "../router.ts";

const route = guarded("admin", {
  operationId: "retryDeadLetters",
  method: "post",
  path: "/admin/dead-letters/retry",
  tags: ["operator"],
  summary: "Send dead letters again",
  description: "To the queues that they first came by. What is handled twice counts once.",
  request: { body: jsonBody(LettersBody) },
  responses: { 200: jsonResponse("How many of them there were", LettersChangedSchema) },
});

export const retryDeadLetters = createRouter().openapi(route, async (c) =>
  c.json({ letters: await resendDeadLetters(c.var.services, c.req.valid("json").ids) }, 200),
);
