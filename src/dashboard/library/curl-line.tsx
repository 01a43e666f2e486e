import { CodeBlock } from "../design/code-block.tsx";

/** How a first file is uploaded from a terminal. The key is not known here: it was shown once. */
export function CurlLine() {
  return (
    <CodeBlock
      label="curl"
      code={`curl -H "Authorization: Bearer YOUR_KEY" -F file=@photo.jpg ${location.origin}/images/upload`}
    />
  );
}
