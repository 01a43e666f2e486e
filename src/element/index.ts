import { MediaUpload } from "./media-upload.ts";

export type { MediaHostError } from "../client/media-host-error.ts";
export type { UploadResult } from "../client/types.ts";
export { type FileError, type FileProgress, MediaUpload, type Token } from "./media-upload.ts";
export type { Messages } from "./messages.ts";

declare global {
  interface HTMLElementTagNameMap {
    "media-upload": MediaUpload;
  }
}

// A page may load the module twice, and a server that renders pages has no elements.
if (globalThis.customElements?.get("media-upload") === undefined)
  globalThis.customElements?.define("media-upload", MediaUpload);
