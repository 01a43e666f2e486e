import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/**
 * A module for a page. Its pieces are smaller than Cloudflare's limit for a request. `allowedMetaFields` is not set:
 * Uppy sends the word "undefined" for listed fields that a file does not have.
 */
export const uppyFile: ToolFile = {
  name: "uppy",
  filename: "media-host-uppy.js",
  mediaType: "text/javascript",
  title: "Uppy, in a page of your own",
  help: "npm install @uppy/core @uppy/tus. Everyone who opens the page sees the key: use it only in private pages.",
  make: (baseUrl) => `import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

/** Uploads added files (\`uppy.addFile\`) in pieces, and resumes after a failure; \`meta\` may have folderId and tags. */
export const uppy = new Uppy({ autoProceed: true, restrictions: { allowedFileTypes: ["image/*", "video/*"] } }).use(Tus, {
  endpoint: "${baseUrl}/images/upload",
  chunkSize: 40 * 1024 * 1024,
  headers: { Authorization: "Bearer ${KEY_PLACEHOLDER}" },
});
uppy.on("upload-success", (file, { body }) => {
  console.log(file.name, JSON.parse(body.xhr.responseText).url);
});
`,
};
