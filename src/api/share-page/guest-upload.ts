import { html } from "hono/html";

/** The element's script, which `npm run build` copies from its package. */
export const ELEMENT_PATH = "/media-upload.js";

/** Uploads of guests, as the page offers them. */
export interface GuestUpload {
  readonly origin: string;
  /** The page's own address, without a cursor. */
  readonly url: string;
  readonly token: string;
  /** Allowed types; empty: every type. */
  readonly types: readonly string[];
}

/** The element that uploads, and a form for browsers without scripts. */
export function guestUpload({ origin, url, token, types }: GuestUpload): ReturnType<typeof html> {
  const accept = types.length === 0 ? "image/*,video/*" : types.join(",");
  return html`<section class="guests" aria-label="Upload">
      <media-upload base-url="${origin}" token="${token}" accept="${accept}" multiple></media-upload>
      <noscript>
        <form method="post" action="${url}/files" enctype="multipart/form-data">
          <label>Add files <input type="file" name="file" accept="${accept}" multiple required /></label>
          <button class="button">Upload</button>
        </form>
      </noscript>
    </section>
    <script type="module" src="${ELEMENT_PATH}"></script>`;
}
