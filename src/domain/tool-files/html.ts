import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/** A page without dependencies that opens from disk. A script sends the form, because a form cannot send the key. */
export const htmlFile: ToolFile = {
  name: "html",
  filename: "media-host-upload.html",
  mediaType: "text/html",
  title: "A page with a form",
  help: "Replace YOUR_KEY, and open the file in a browser. Everyone who has the page has the key.",
  make: (baseUrl) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>Upload</title>
  <form action="${baseUrl}/images/upload" method="post" enctype="multipart/form-data">
    <label>Images and videos <input type="file" name="file" accept="image/*,video/*" multiple required /></label>
    <label>Tags <input name="tags" placeholder="beach, sea" /></label>
    <button>Upload</button>
  </form>
  <pre role="status"></pre>
  <script>
    const form = document.querySelector("form");
    const status = document.querySelector("[role=status]");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      status.textContent = "Uploading ...";
      try {
        const answer = await fetch(form.action, {
          method: "POST",
          headers: { Authorization: "Bearer ${KEY_PLACEHOLDER}", Accept: "text/plain" },
          body: new FormData(form),
        });
        const text = await answer.text();
        status.textContent = answer.ok ? text : JSON.parse(text).error;
      } catch (error) {
        status.textContent = error.message;
      }
    });
  </script>
</html>
`,
};
