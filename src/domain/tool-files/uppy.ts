import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/**
 * A module of a page. Its pieces are smaller than what Cloudflare lets through at once. Without `allowedMetaFields`: of fields that are
 * named there and that a file has not, Uppy sends the word "undefined".
 */
export const uppyFile: ToolFile = {
  name: "uppy",
  filename: "media-host-uppy.js",
  mediaType: "text/javascript",
  title: "Uppy, in a page of your own",
  help: "npm install @uppy/core @uppy/tus; a page shows its key to whoever opens it, so that it is for pages of your own.",
  make: (baseUrl) => `import Uppy from "@uppy/core";
import Tus from "@uppy/tus";

/** Uploads what it is given (\`uppy.addFile\`), in pieces that go on where they broke off; \`meta\` may have folderId and tags. */
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
