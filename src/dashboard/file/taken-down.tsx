import ShieldX from "lucide-react/icons/shield-x";
import { formatDate } from "../design/format.ts";
import styles from "./not-shown.module.css";

interface TakenDownProps {
  readonly at: string;
  /** The operator's words. */
  readonly reason: string;
}

/** Shows the operator's reason in place of a file that was taken down. */
export function TakenDown({ at, reason }: TakenDownProps) {
  return (
    <div className={styles.box}>
      <ShieldX size={32} aria-hidden />
      <p className={styles.title}>The operator took this file down on {formatDate(at)}</p>
      <p>Reason: {reason}</p>
      <p>Its links do not work, and it counts as storage until you delete it. Contact the operator of this service.</p>
    </div>
  );
}
