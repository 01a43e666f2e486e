/** Unsigned tokens: real signatures are made on other threads, at random times. */
const TOKEN = /^token\.(\w+)\.\d+$/;

export function isUploadToken(token: string): boolean {
  return TOKEN.test(token);
}

export async function newUploadTokenSecret(accountId: string): Promise<string> {
  return `token.${accountId}.${Math.floor(Math.random() * 2 ** 48)}`;
}

export async function readUploadToken(token: string): Promise<string | undefined> {
  return TOKEN.exec(token)?.[1];
}
