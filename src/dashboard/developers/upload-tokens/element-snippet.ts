import type { UploadTokenRequest } from "../../../client/types.ts";

interface ElementInput {
  /** The service's address without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
  readonly limits: UploadTokenRequest;
}

/** The attributes with which `<media-upload>` checks a token's limits before it sends. */
export function elementAttributes({ maxFiles = null, maxBytes = null, types = [] }: UploadTokenRequest) {
  return {
    multiple: maxFiles !== 1,
    ...(maxFiles !== null && maxFiles !== 1 && { "max-files": String(maxFiles) }),
    ...(maxBytes !== null && { "max-bytes": String(maxBytes) }),
    ...(types.length > 0 && { accept: types.join(",") }),
  };
}

/** HTML that uploads with a token. A token consists of letters, digits and `_`, so it needs no escaping. */
export function elementSnippet({ baseUrl, token, limits }: ElementInput): string {
  const { multiple, ...attributes } = elementAttributes(limits);
  const all = [
    `base-url="${baseUrl}"`,
    `token="${token}"`,
    ...(multiple ? ["multiple"] : []),
    ...Object.entries(attributes).map(([name, value]) => `${name}="${value}"`),
  ];
  return `<script type="module" src="${baseUrl}/media-upload.js"></script>
<media-upload
  ${all.join("\n  ")}
></media-upload>`;
}
