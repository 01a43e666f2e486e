import { z } from "@hono/zod-openapi";
import { ReasonField } from "./operator-actions.ts";
import { operatorPageOf, operatorPaging, parameter } from "./query-parameters.ts";
import { exactText } from "./text.ts";

const MAX_URL_CHARACTERS = 4000;
const MAX_KEEP_DAYS = 3650;

export const TakedownBody = z
  .strictObject({
    url: exactText({ min: 1, max: MAX_URL_CHARACTERS }).optional().openapi({ description: "The file's URL" }),
    id: exactText({ min: 1, max: 64 }).optional().openapi({ description: "Or the upload's id" }),
    reason: ReasonField.openapi({ description: "The owner reads it" }),
    keepDays: z.number().int().min(0).max(MAX_KEEP_DAYS).optional().openapi({
      description: "Days for which the bytes are kept in quarantine; 0 destroys them; default 30",
    }),
  })
  .refine(({ url, id }) => (url === undefined) !== (id === undefined), { path: ["url"], message: "Send `url` or `id`" })
  .openapi("TakedownOrder", {
    example: { url: "https://cdn.example/uploads/01.../01...-a.png", reason: "Copyright" },
    oneOf: [{ required: ["url"] }, { required: ["id"] }],
  });

export const TakedownSchema = z
  .object({
    id: z.string(),
    accountId: z.string(),
    uploadId: z.string(),
    url: z.string(),
    reason: z.string(),
    createdAt: z.string().datetime(),
    keepUntil: z.string().datetime().nullable().openapi({ description: "When kept bytes are destroyed" }),
    state: z.enum(["kept", "destroyed", "restored"]).openapi({
      description: "The state of the bytes: in quarantine, destroyed, or served again",
    }),
  })
  .openapi("Takedown");

export const TakedownsQuery = z.object({
  ...operatorPageOf(),
  file: parameter(z.string().trim().max(MAX_URL_CHARACTERS).optional()).openapi({
    type: "string",
    maxLength: MAX_URL_CHARACTERS,
    description: "A file's URL or an upload's id: only takedowns of this file",
  }),
});

const ListedTakedownSchema = TakedownSchema.extend({
  originalFilename: z.string().openapi({ description: "The file's name when it was taken down" }),
  email: z.string().nullable().openapi({ description: "The account's e-mail; null if the account was erased" }),
  actor: z.string().nullable().openapi({
    description:
      "The actor, as in `GET /admin/audit`: a name that was sent with the operator's token, `account:` and the id of a marked account, or `moderation hook`; null if an earlier version took the file down",
  }),
  actorEmail: z.string().nullable().openapi({
    description: "The e-mail of the marked account that took the file down; null for other actors and erased accounts",
  }),
}).openapi("ListedTakedown");

export const TakedownsSchema = z
  .object({
    takedowns: z.array(ListedTakedownSchema),
    ...operatorPaging(),
  })
  .openapi("Takedowns");

export const RestoredSchema = z
  .object({ restored: z.boolean().openapi({ description: "False if the owner has deleted the upload since" }) })
  .openapi("RestoredTakedown");
