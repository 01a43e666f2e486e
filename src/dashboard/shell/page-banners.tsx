import CloudOff from "lucide-react/icons/cloud-off";
import Gauge from "lucide-react/icons/gauge";
import HardDrive from "lucide-react/icons/hard-drive";
import Hourglass from "lucide-react/icons/hourglass";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Link } from "wouter";
import { useAccount } from "../api/queries/account.ts";
import { useOverview } from "../api/queries/overview.ts";
import { useSuspension } from "../api/suspension-store.ts";
import { useUsage, useWaitsUntil } from "../api/usage-store.ts";
import { formatBytes, formatDate } from "../design/format.ts";
import { sparePart } from "../design/lazy-part.tsx";
import styles from "./banner.module.css";
import { Banner } from "./banner.tsx";

const SuspendedBanner = sparePart(() => import("./suspended-banner.tsx"));
const VerifyBanner = sparePart(() => import("./verify-banner.tsx"));

/** Warnings above every page: offline, account suspended, storage full, operations used up, rate limit reached, address not verified. */
export default function PageBanners() {
  const usage = useUsage();
  const resetAt = useOverview().data?.operations.resetAt;
  const account = useAccount().data;
  const isSuspended = useSuspension() !== undefined;
  const isSettled = account === undefined || ["verified", "off"].includes(account.emailVerification);
  const isFull = usage !== undefined && usage.storage.used >= usage.storage.limit;
  const isUsedUp = usage !== undefined && usage.operations.used >= usage.operations.limit;
  return (
    <div role="status" className={styles.banners}>
      <Passing />
      {isSuspended && <SuspendedBanner />}
      {!isSettled && <VerifyBanner />}
      {isFull && (
        <Banner icon={HardDrive} tone="danger" title={`Storage is full (${formatBytes(usage.storage.limit)}).`}>
          You cannot upload files. Your files and their links stay available.{" "}
          <Link href="/library?min=10485760">Large files</Link> <Link href="/trash">Trash</Link>
        </Banner>
      )}
      {isUsedUp && (
        <Banner icon={Gauge} tone="warn" title="This month's operations are used up.">
          You cannot upload or delete files{resetAt && ` until ${formatDate(resetAt)}`}. Links keep working.{" "}
          <Link href="/usage">Usage</Link>
        </Banner>
      )}
    </div>
  );
}

/** Offline and the rate limit, for a dialog that covers the page and its banners. */
export function PassingBanners() {
  return (
    <div role="status" className={styles.banners}>
      <Passing />
    </div>
  );
}

function Passing() {
  const isOnline = useOnline();
  const usage = useUsage();
  const waitSeconds = useWaitSeconds();
  return (
    <>
      {!isOnline && (
        <Banner icon={CloudOff} title="Offline.">
          Changes and uploads resume when you are online.
        </Banner>
      )}
      {waitSeconds > 0 && (
        <Banner icon={Hourglass} title={`Waiting ${waitSeconds} s.`}>
          {usage && `This account may make ${usage.rate.limit} requests a minute.`}
        </Banner>
      )}
    </>
  );
}

function subscribe(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}

/** Whether the browser is online. */
function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

/** Seconds until waiting requests are sent; 0 if no request waits. */
function useWaitSeconds(): number {
  const until = useWaitsUntil();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const count = () => {
      const left = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      setSeconds(left);
      if (left === 0) clearInterval(timer);
    };
    const timer = setInterval(count, 1000);
    count();
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
