import type { ErrorCode } from "../../domain/errors.ts";

/** The parts of an upload's answer that a page shows. */
interface Answer extends Partial<Refusal> {
  readonly failed?: readonly (Refusal & { readonly originalFilename: string })[];
}

interface Refusal {
  readonly error: string;
  readonly code: ErrorCode;
}

/** Headers of the form. Others would choose another kind of upload. */
const PASSED_ON = ["Content-Type", "Content-Length", "CF-Connecting-IP", "User-Agent"];

/**
 * Sends the form of a page without scripts on to the upload endpoint, with the token of the share's guests, so that both ways are one.
 * @returns the reasons for which files were not stored, and the answer's status
 */
export async function sendGuestFiles(
  form: Request,
  token: string,
  fetch: (request: Request) => Response | Promise<Response>,
): Promise<{ readonly status: number; readonly problems: readonly string[] }> {
  const headers = new Headers({ Authorization: `Bearer ${token}` });
  for (const name of PASSED_ON) {
    const value = form.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const answer = await fetch(
    new Request(new URL("/images/upload", form.url), { method: "POST", headers, body: form.body }),
  );
  const { error, code, failed = [] } = await answer.json<Answer>();
  const problems = failed.map((file) => `${file.originalFilename}: ${inWords(file)}`);
  return {
    status: answer.status,
    problems: error === undefined || code === undefined ? problems : [inWords({ error, code })],
  };
}

/** Guests know nothing of the token. */
function inWords({ error, code }: Refusal): string {
  return code === "upload_token_used_up" ? "No more files can be uploaded here" : error;
}
