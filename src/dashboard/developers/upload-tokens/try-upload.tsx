import type { DetailedHTMLProps, HTMLAttributes } from "react";
// The import defines the element.
import "../../../element/index.ts";
import type { UploadTokenRequest } from "../../../client/types.ts";
import { useNoteTokenUpload } from "../../api/queries/upload-tokens.ts";
import { elementAttributes } from "./element-snippet.ts";
import styles from "./upload-tokens.module.css";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "media-upload": DetailedHTMLProps<HTMLAttributes<HTMLElement>, HTMLElement> & {
        readonly token: string;
        readonly "base-url": string;
        readonly multiple?: boolean;
        readonly onupload?: () => void;
      };
    }
  }
}

interface TryUploadProps {
  readonly token: string;
  readonly limits: UploadTokenRequest;
}

/** The upload element of other pages, with a new token. */
export default function TryUpload({ token, limits }: TryUploadProps) {
  const noteUpload = useNoteTokenUpload();
  return (
    <media-upload
      className={styles.element}
      token={token}
      base-url={location.origin}
      {...elementAttributes(limits)}
      onupload={noteUpload}
    />
  );
}
