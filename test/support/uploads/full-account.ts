import { setStorageBytes } from "../api/account-state.ts";
import { openAccount, type TestAccount, type TestFile, upload } from "../api/api.ts";
import { mp4 } from "../media/samples.ts";
import { inChunks, multipartBody, streamOf } from "./multipart.ts";
import { postMultipart } from "./post-multipart.ts";

/** The storage of a Free account. */
export const LIMIT = 1024 ** 3;

/** A Free account with this much storage left. */
export async function openFullAccount(freeBytes: number): Promise<TestAccount> {
  const account = await openAccount();
  await setStorageBytes(account.id, LIMIT - freeBytes);
  return account;
}

/** Uploads videos of these sizes in one request. */
export function send(account: TestAccount, sizes: readonly number[]): Promise<Response> {
  const files: TestFile[] = sizes.map((size, i) => ({ name: `${i}.mp4`, bytes: mp4(size, i + 1) }));
  return upload(account.uploadKey, files);
}

/** The same without a Content-Length. */
export function sendStream(account: TestAccount, sizes: readonly number[]): Promise<Response> {
  const parts = sizes.map((size, i) => ({ name: "file", filename: `${i}.mp4`, content: mp4(size, i + 1) }));
  return postMultipart(account.uploadKey, streamOf(inChunks(multipartBody("edge", parts), 200_000)));
}
