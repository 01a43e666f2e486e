import { KEY_PLACEHOLDER, type ToolFile } from "./tool-file.ts";

/** Written steps, because Shortcuts imports only files that Apple signed. */
export const shortcutFile: ToolFile = {
  name: "shortcut",
  filename: "ios-shortcut.md",
  mediaType: "text/markdown",
  title: "iPhone, iPad and Mac: a shortcut in the share sheet",
  help: "Follow the steps in the Shortcuts app.",
  make: (baseUrl) => `# Upload from the share sheet

1. Shortcuts, +, name it "Upload". Its settings: "Show in Share Sheet", with Images and Media.
2. "Convert Image": Shortcut Input to JPEG. (Photos are HEIC, which few browsers show. For videos leave this step out.)
3. "Get Contents of URL":
   - URL: ${baseUrl}/images/upload
   - Method: POST
   - Headers: Authorization = Bearer ${KEY_PLACEHOLDER}
   - Request Body: Form, one field of type File: file = Converted Image
4. "Get Dictionary Value": the value for url in Contents of URL.
5. "Copy to Clipboard": Dictionary Value.
`,
};
