import Check from "lucide-react/icons/check";
import CircleAlert from "lucide-react/icons/circle-alert";
import Clock from "lucide-react/icons/clock";
import Film from "lucide-react/icons/film";
import Hourglass from "lucide-react/icons/hourglass";
import Image from "lucide-react/icons/image";
import { classNames } from "../design/class-names.ts";
import styles from "./state-mark.module.css";
import type { UploadItem } from "./upload-item.ts";

const VIDEO = /\.(mp4|m4v|webm|mov|avi)$/i;
const RADIUS = 9;
const LENGTH = 2 * Math.PI * RADIUS;

export function StateMark({ item }: { readonly item: UploadItem }) {
  const { state, name, sentBytes, sizeBytes, picture } = item;
  switch (state) {
    case "sending":
    case "processing": {
      // Saving has no progress that can be measured.
      const share = state === "processing" ? 0.94 : sizeBytes === 0 ? 0 : sentBytes / sizeBytes;
      return (
        <span className={styles.mark}>
          <svg
            aria-hidden
            width="22"
            height="22"
            viewBox="0 0 22 22"
            className={classNames(styles.ring, state === "processing" && styles.turning)}
          >
            <circle cx="11" cy="11" r={RADIUS} className={styles.track} />
            <circle
              cx="11"
              cy="11"
              r={RADIUS}
              className={styles.arc}
              strokeDasharray={LENGTH}
              strokeDashoffset={LENGTH * (1 - share)}
            />
          </svg>
        </span>
      );
    }
    case "done":
      return <Mark icon={Check} tone={styles.done} />;
    case "failed":
      return <Mark icon={CircleAlert} tone={styles.failed} />;
    case "waiting":
      return <Mark icon={Hourglass} tone={styles.waiting} />;
    case "queued":
      return picture !== undefined ? null : <Mark icon={VIDEO.test(name) ? Film : Image} />;
    case "cancelled":
      return <Mark icon={Clock} />;
  }
}

function Mark({ icon: Icon, tone }: { readonly icon: typeof Check; readonly tone?: string | undefined }) {
  return (
    <span className={classNames(styles.mark, tone)}>
      <Icon size={18} aria-hidden />
    </span>
  );
}
