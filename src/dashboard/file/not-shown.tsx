import Download from "lucide-react/icons/download";
import FileQuestion from "lucide-react/icons/file-question";
import { downloadFile } from "./download-file.ts";
import { type FileFacts, isVideo, typeOf } from "./file-facts.ts";
import styles from "./not-shown.module.css";

/** Replaces a file that this browser cannot decode by the service's preview. */
export function NotShown({ file }: { readonly file: FileFacts }) {
  return (
    <div className={styles.box}>
      {file.previewUrl ? (
        <img className={styles.poster} src={file.previewUrl} alt="" />
      ) : (
        <FileQuestion size={32} aria-hidden />
      )}
      <p>
        {isVideo(file)
          ? `Your browser can't play ${typeOf(file).replace(" video", "")}. The link works in other players.`
          : `Your browser can't show this ${typeOf(file)}. The link works in other programs.`}
      </p>
      <button type="button" className={styles.download} onClick={() => void downloadFile(file)}>
        <Download size={16} aria-hidden />
        Download
      </button>
    </div>
  );
}

/** Explains that the address is no file's. */
export function NotFound() {
  return (
    <div className={styles.box}>
      <FileQuestion size={32} aria-hidden />
      <p className={styles.title}>File not found</p>
      <p>It may have been deleted permanently.</p>
    </div>
  );
}
