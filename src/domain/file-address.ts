/**
 * The path or URL of a file, thumbnail or preview, up to the dash after the upload's id. The host is not compared, because a service may
 * have several hosts, and the ids identify the file.
 */
const ADDRESS = /^(?:https?:\/\/[^?#\s]*\/|\/)?(?:uploads|previews)\/([0-9a-z]{26})\/(?:thumbs\/)?([0-9a-z]{26})-/i;

export interface AddressedFile {
  readonly accountId: string;
  readonly uploadId: string;
}

/** The file whose address the text is, percent-encoded or not; undefined if the text is no address. */
export function findAddressedFile(text: string): AddressedFile | undefined {
  const [, accountId, uploadId] = ADDRESS.exec(text) ?? ADDRESS.exec(decode(text)) ?? [];
  if (accountId === undefined || uploadId === undefined) return undefined;
  return { accountId: accountId.toLowerCase(), uploadId: uploadId.toLowerCase() };
}

/** Decodes only `/` and `:`, the escapes before the name, because an escape in the name may be cut off. */
function decode(text: string): string {
  return text.replace(/%(2F|3A)/gi, (encoded) => decodeURIComponent(encoded));
}
