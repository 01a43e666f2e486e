import CircleCheck from "lucide-react/icons/circle-check";
import type { UploadResult } from "../../client/index.ts";
import { CodeBlock } from "../design/code-block.tsx";
import { formatBytes } from "../design/format.ts";
import styles from "./first-drop.module.css";

interface FirstFileProps {
  readonly result: UploadResult;
}

/** What became of the first file: its link. */
export function FirstFile({
  result: { originalFilename, originalFileSize, fileSize, compressed, url },
}: FirstFileProps) {
  const size = compressed
    ? `${formatBytes(originalFileSize)}, stored as ${formatBytes(fileSize)}`
    : formatBytes(fileSize);
  return (
    <>
      <CircleCheck size={28} aria-hidden className={styles.good} />
      <h2>It is stored</h2>
      <p role="status">
        {originalFilename}, {size}
      </p>
      <div className={styles.link}>
        <CodeBlock code={url} label="link" line />
      </div>
    </>
  );
}
