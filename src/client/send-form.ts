import { type Connection, readJson } from "./connection.ts";
import { nameOf } from "./name-of.ts";
import type { UploadResult } from "./types.ts";
import { fieldsOf, type NativeFile, type UploadOptions } from "./upload-options.ts";

/** Pages without TLS lack `crypto.randomUUID`. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Uploads files as one form. If the answer is lost, the form is sent again under the same `Idempotency-Key`, so the files are stored
 * once.
 * @returns the answer's body: one result, or a batch
 * @throws MediaHostError; the signal's reason
 */
export async function sendForm<Answer = UploadResult>(
  connection: Connection,
  sources: readonly [Blob | NativeFile, ...(Blob | NativeFile)[]],
  options: UploadOptions,
  [method, path]: readonly [method: string, path: string] = ["POST", "/images/upload"],
): Promise<Answer> {
  const { name, signal, onProgress, idempotencyKey: key = randomKey() } = options;
  const fields = fieldsOf(options);
  const [first] = sources;
  const blobs = sources.filter((source) => source instanceof Blob);
  const form = first instanceof Blob ? toForm(blobs, fields, key, name) : toNativeForm(first, fields);
  const totalBytes = blobs.reduce((sum, { size }) => sum + size, 0);
  const tell =
    onProgress && ((sentBytes: number) => onProgress({ sentBytes: Math.min(sentBytes, totalBytes), totalBytes }));
  const headers = {
    "Idempotency-Key": `"${key}"`,
    ...(form instanceof Blob && { "Content-Type": `multipart/form-data; boundary=${key}` }),
  };
  const retries = connection.retries(signal);
  for (;;) {
    try {
      tell?.(0);
      const answer = await connection.send({
        method,
        path,
        headers,
        body: form,
        signal,
        onSent: tell,
      });
      const result = await readJson<Answer>(answer);
      tell?.(totalBytes);
      return result;
    } catch (error) {
      await retries.after(error);
    }
  }
}

type Fields = readonly (readonly [name: string, value: string])[];

/**
 * A form as a Blob (RFC 7578). Its files are read while they are sent, its length is known, and every try sends the same bytes. (Node's
 * `fetch` hangs if a connection breaks in the middle of a `FormData`.)
 */
function toForm(files: readonly Blob[], fields: Fields, boundary: string, name?: string): Blob {
  const part = (head: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${head}\r\n\r\n`;
  const given = fields.flatMap(([field, value]) => [part(`${field}"`), value, "\r\n"]);
  const filename = (file: Blob) => nameOf(file, name).replace(/[\r\n"]/g, encodeURIComponent);
  const parts = files.flatMap((file) => [part(`file"; filename="${filename(file)}"`), file, "\r\n"]);
  return new Blob([...given, ...parts, `--${boundary}--\r\n`]);
}

/** React Native can read its files only as parts of its own forms. */
function toNativeForm(file: NativeFile, fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  form.append("file", file as never);
  return form;
}
