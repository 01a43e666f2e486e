import { Webhook } from "standardwebhooks";

/**
 * A moderation hook with Workers AI (docs/operating/abuse.md): shows each picture to a vision model and flags what the
 * model calls unsafe. Nothing is taken down by a model alone.
 */

const MODEL = "@cf/meta/llama-3.2-11b-vision-instruct";
const PROMPT =
  "You check pictures for a public media host. Answer with one line. SAFE if the picture may be shown to everyone. " +
  "Otherwise UNSAFE: and a few words that say why (nudity, violence, self-harm, hate symbols or weapons).";
/** Larger pictures are flagged unseen, because the model takes the bytes as one text. */
const MAX_BYTES = 4 * 1024 * 1024;

interface HookEnv {
  readonly AI: Pick<Ai, "run">;
  /** The same as the media host's. */
  readonly MODERATION_SECRET: string;
}

interface Question {
  readonly data: { readonly readUrl: string };
}

export default {
  async fetch(request, env): Promise<Response> {
    const question = await readQuestion(request, env.MODERATION_SECRET);
    if (question === undefined) return new Response("The signature is wrong", { status: 401 });
    const picture = await fetch(question.data.readUrl);
    // The media host asks again later.
    if (!picture.ok) return new Response("The picture cannot be read", { status: 503 });
    if (Number(picture.headers.get("Content-Length")) > MAX_BYTES) {
      await picture.body?.cancel();
      return Response.json({ action: "flag", reason: "Too large for the model" });
    }
    const type = picture.headers.get("Content-Type") ?? "image/jpeg";
    const image = `data:${type};base64,${Buffer.from(await picture.arrayBuffer()).toString("base64")}`;
    const said = await env.AI.run(MODEL, { prompt: PROMPT, image, max_tokens: 40, temperature: 0 });
    const line = "response" in said ? (said.response ?? "").trim() : "";
    if (/^SAFE\b/i.test(line)) return Response.json({ action: "allow" });
    return Response.json({ action: "flag", reason: `${MODEL}: ${line}` });
  },
} satisfies ExportedHandler<HookEnv>;

/** @returns undefined if the media host did not sign it in the last five minutes */
async function readQuestion(request: Request, secret: string): Promise<Question | undefined> {
  const body = await request.text();
  try {
    return new Webhook(secret).verify(body, Object.fromEntries(request.headers)) as Question;
  } catch {
    return undefined;
  }
}
