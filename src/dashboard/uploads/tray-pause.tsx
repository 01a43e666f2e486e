import CloudOff from "lucide-react/icons/cloud-off";
import Hourglass from "lucide-react/icons/hourglass";
import LogIn from "lucide-react/icons/log-in";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { useUsage } from "../api/usage-store.ts";
import { Button } from "../design/button.tsx";
import type { PauseReason } from "./judge-failure.ts";
import type { Pause } from "./pause.ts";
import styles from "./tray-pause.module.css";
import { uploads } from "./uploads-store.ts";
import { pauseOf } from "./words.ts";

const ICONS = {
  rate: Hourglass,
  busy: Hourglass,
  connection: CloudOff,
  offline: CloudOff,
  storage: TriangleAlert,
  operations: TriangleAlert,
  suspended: TriangleAlert,
  session: LogIn,
} as const;

/** The buttons that end a pause. Pauses for the service (rate, busy) have none. */
const ACTIONS: Partial<Record<PauseReason, string>> = {
  connection: "Try now",
  offline: "Try now",
  storage: "Resume",
  operations: "Resume",
  suspended: "Resume",
  session: "Resume",
};

export function TrayPause({ pause }: { readonly pause: Pause }) {
  const { reason } = pause;
  const now = useSeconds();
  const requestsPerMinute = useUsage()?.rate.limit;
  const Icon = ICONS[reason];
  const action = ACTIONS[reason];
  return (
    <div className={styles.pause}>
      <Icon size={16} aria-hidden />
      <span className={styles.text}>{pauseOf(pause, now, requestsPerMinute)}</span>
      <span className={styles.actions}>
        {reason === "storage" && (
          <>
            <Link href="/library?min=10485760">See large files</Link>
            <Link href="/trash">See trash</Link>
          </>
        )}
        {reason === "operations" && <Link href="/usage">See usage</Link>}
        {action !== undefined && (
          <Button size="small" onClick={uploads.resume}>
            {action}
          </Button>
        )}
      </span>
    </div>
  );
}

/** The current time, updated each second. */
function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
