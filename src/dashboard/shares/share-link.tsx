import { QrCode } from "../design/qr-code.tsx";
import { Secret } from "../design/secret.tsx";
import styles from "./shares.module.css";

/** The address of a share's page, to be copied, opened or scanned. */
export function ShareLink({ url }: { readonly url: string }) {
  return (
    <div className={styles.link}>
      <Secret text={url} label="Link" />
      <QrCode text={url} label="The link as a QR code" />
    </div>
  );
}
