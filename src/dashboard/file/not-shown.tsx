import Download from "lucide-react/icons/download";
import FileQuestion from "lucide-react/icons/file-question";
import { downloadUrl, type FileFacts, typeOf } from "./file-facts.ts";
import styles from "./not-shown.module.css";

/** A file that this browser does not decode. */
export function NotShown({ file }: { readonly file: FileFacts }) {
  return (
    <div className={styles.box}>
      <FileQuestion size={32} aria-hidden />
      <p>This browser does not show this {typeOf(file)}. Its link works all the same.</p>
      <a className={styles.link} href={downloadUrl(file)} download={file.prompt}>
        <Download size={16} aria-hidden />
        Download
      </a>
    </div>
  );
}
