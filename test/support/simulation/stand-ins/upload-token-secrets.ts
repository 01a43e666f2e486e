/** Unsigned tokens: real signatures are made on other threads, at random times. */
const TOKEN = /^token\.(\w+)\.\w+$/;

export function isUploadToken(token: string): boolean {
  return TOKEN.test(token);
}

export async function toUploadTokenSecret(accountId: string, random: string): Promise<string> {
  return `token.${accountId}.${random}`;
}

export async function readUploadToken(token: string): Promise<string | undefined> {
  return TOKEN.exec(token)?.[1];
}
