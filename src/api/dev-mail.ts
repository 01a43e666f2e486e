import type { OpenAPIHono } from "@hono/zod-openapi";
import { ERRORS } from "../domain/errors.ts";
import { listDevelopmentMails } from "../services/mail/dev-outbox.ts";
import type { AppEnv } from "./app-env.ts";

/**
 * `GET /dev/mail`: the mails that `npm start` did not send, newest first. `?to=` filters by address. Elsewhere the path
 * is unknown (404). It is not part of the described API.
 */
export function serveDevMail(app: OpenAPIHono<AppEnv>): void {
  app.get("/dev/mail", (c) => {
    if (c.env.MAIL_DEV !== "true") throw ERRORS.NotFound();
    const mails = listDevelopmentMails(c.req.query("to")?.toLowerCase());
    c.header("Cache-Control", "no-store");
    return c.json({ mails: mails.map(({ at, ...mail }) => ({ ...mail, at: new Date(at).toISOString() })) });
  });
}
