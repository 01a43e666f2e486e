import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useRef } from "react";
import { sparePart } from "../../design/lazy-part.tsx";
import { Secret } from "../../design/secret.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import styles from "./shown-key.module.css";

const KeyTools = sparePart(() => import("./key-tools.tsx"), <Skeleton height={160} />);

interface ShownKeyProps {
  /** The whole key. */
  readonly secret: string;
  /** Focuses the copy button when a dialog has replaced its form with the key. */
  readonly takesFocus?: boolean;
  /** False leaves out code and files for uploads. */
  readonly canUpload?: boolean;
}

/** A new key, which can be seen only once, with code and files that contain it. */
export function ShownKey({ secret, takesFocus = false, canUpload = true }: ShownKeyProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.querySelector("button")?.focus();
  }, [takesFocus]);
  return (
    <div className={styles.shown}>
      <p className={styles.once}>
        <TriangleAlert size={16} aria-hidden />
        <span>It is shown only once. The service stores only a hash of it.</span>
      </p>
      <div ref={box}>
        <Secret text={secret} label="Key" />
      </div>
      {canUpload && <KeyTools secret={secret} />}
    </div>
  );
}
