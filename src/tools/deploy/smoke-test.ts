import { randomBytes } from "node:crypto";
import { makeSecret } from "./choose-secrets.ts";
import { DeployError } from "./deploy-error.ts";
import type { Installation } from "./installation.ts";
import { describeAnswer, requestService, type ServiceRequest } from "./service-request.ts";

const PATIENCE_MS = 5 * 60_000;
const PAUSE_MS = 1000;

/** A PNG of one pixel. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const PART = { header: "bytes=8-15", first: 8, last: 15 };

export interface SmokeTest {
  readonly apiUrl: string;
  readonly cdnUrl: string;
  readonly adminToken: string;
  readonly installation: Installation;
}

/**
 * A first use of the service: registers, uploads a picture, views it, reads a range, deletes it, and checks that it is gone. The account is
 * created as the operator, which uses up no registrations of an address. It is erased at the end, or by the next run.
 * @throws DeployError with the failed step and the answer
 */
export async function smokeTest(test: SmokeTest): Promise<void> {
  const { apiUrl, cdnUrl, adminToken, installation } = test;
  await waitForAnswer(`${cdnUrl}/uploads/none/none`, 404);
  await eraseLeftover(test);
  const account = { email: `smoke-test-${randomBytes(6).toString("hex")}@example.com`, password: makeSecret() };
  await installation.update({ smokeAccount: account });
  try {
    const opened = await expectStatus("open an account", `${apiUrl}/auth/register`, 201, {
      method: "POST",
      token: adminToken,
      json: account,
    });
    const { uploadKey, token } = (await opened.json()) as { uploadKey: string; token: string };
    await tryPicture(test, uploadKey, token);
  } catch (error) {
    // The first failure is reported. The next run cleans up.
    await eraseLeftover(test).catch(() => undefined);
    throw error;
  }
  await eraseLeftover(test);
}

async function tryPicture({ apiUrl, cdnUrl }: SmokeTest, uploadKey: string, token: string): Promise<void> {
  const body = new FormData();
  body.append("file", new File([PICTURE], "smoke-test.png", { type: "image/png" }));
  const upload = await expectStatus("upload", `${apiUrl}/images/upload`, 201, {
    method: "POST",
    token: uploadKey,
    body,
  });
  const { _id: id, url } = (await upload.json()) as { _id: string; url: string };
  if (!url.startsWith(`${cdnUrl}/`)) throw new DeployError(`smoke test: upload: ${url} is not at ${cdnUrl}`);

  const view = await expectStatus("view", url, 200);
  if (!PICTURE.equals(Buffer.from(await view.arrayBuffer()))) {
    throw new DeployError(`smoke test: view: ${url} is not the picture that was uploaded`);
  }
  const part = await expectStatus("range", url, 206, { headers: { Range: PART.header } });
  const expected = PICTURE.subarray(PART.first, PART.last + 1);
  const range = `bytes ${PART.first}-${PART.last}/${PICTURE.length}`;
  if (part.headers.get("Content-Range") !== range || !expected.equals(Buffer.from(await part.arrayBuffer()))) {
    throw new DeployError(`smoke test: range: ${url} did not answer ${PART.header} with these bytes`);
  }
  const deleted = await expectStatus("delete", `${apiUrl}/images/${id}`, 200, { method: "DELETE", token });
  await deleted.body?.cancel();
  const gone = await expectStatus("view after the deletion", url, 404);
  await gone.body?.cancel();
}

/** Erases the account of this test, or of a killed run. */
async function eraseLeftover({ apiUrl, installation }: SmokeTest): Promise<void> {
  const account = installation.record.smokeAccount;
  if (account === undefined) return;
  const login = await requestService(`${apiUrl}/auth/login`, { method: "POST", json: account });
  // The account was recorded but never opened, or it was erased and that was not recorded.
  if (login.status !== 401) {
    if (!login.ok) throw new DeployError(`smoke test: log in: answered ${await describeAnswer(login)}`);
    const { token } = (await login.json()) as { token: string };
    const erased = await requestService(`${apiUrl}/account`, {
      method: "DELETE",
      token,
      json: { password: account.password },
    });
    if (!erased.ok) throw new DeployError(`smoke test: erase the account: answered ${await describeAnswer(erased)}`);
    await erased.body?.cancel();
  }
  await installation.update({ smokeAccount: undefined });
}

async function expectStatus(step: string, url: string, status: number, request?: ServiceRequest): Promise<Response> {
  let answer: Response;
  try {
    answer = await requestService(url, request);
  } catch (error) {
    throw new DeployError(`smoke test: ${step}: ${url} does not answer (${(error as Error).message})`);
  }
  if (answer.status === status) return answer;
  throw new DeployError(`smoke test: ${step}: ${url} answered ${await describeAnswer(answer)}; expected ${status}`);
}

/** Waits for a new address. @throws DeployError if it takes too long */
async function waitForAnswer(url: string, status: number): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const said = await requestService(url).then(
      async (answer) => (answer.status === status && isOurs(answer) ? undefined : describeAnswer(answer)),
      (error: Error) => error.message,
    );
    if (said === undefined) return;
    if (Date.now() > deadline) throw new DeployError(`smoke test: ${url} said ${said} until now; expected ${status}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The platform's own 404, for a Worker that does not answer yet, is an HTML page. */
function isOurs({ headers }: Response): boolean {
  return headers.get("Content-Type")?.startsWith("application/json") ?? false;
}
