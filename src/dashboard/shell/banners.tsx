import CloudOff from "lucide-react/icons/cloud-off";
import Gauge from "lucide-react/icons/gauge";
import HardDrive from "lucide-react/icons/hard-drive";
import Hourglass from "lucide-react/icons/hourglass";
import { Link } from "wouter";
import { useOverview } from "../api/queries/overview.ts";
import { useUsage } from "../api/usage-store.ts";
import { formatBytes, formatDate } from "../design/format.ts";
import { Banner } from "./banner.tsx";
import { useOnline } from "./use-online.ts";
import { useWaitSeconds } from "./use-wait-seconds.ts";

/** What keeps the account or the device from going on as usual, above every page. */
export default function Banners() {
  const isOnline = useOnline();
  const usage = useUsage();
  const resetAt = useOverview().data?.operations.resetAt;
  const waitSeconds = useWaitSeconds();
  const isFull = usage !== undefined && usage.storage.used >= usage.storage.limit;
  const isUsedUp = usage !== undefined && usage.operations.used >= usage.operations.limit;
  return (
    <div role="status">
      {!isOnline && (
        <Banner icon={CloudOff} title="Offline.">
          Changes and uploads wait.
        </Banner>
      )}
      {isFull && (
        <Banner icon={HardDrive} tone="danger" title={`All of ${formatBytes(usage.storage.limit)} is used.`}>
          Nothing can be uploaded; files are shown, and links work.{" "}
          <Link href="/library?min=10485760">Large files</Link> <Link href="/trash">Trash</Link>
        </Banner>
      )}
      {isUsedUp && (
        <Banner icon={Gauge} tone="warn" title="This month's operations are used up.">
          Uploads and deletions wait{resetAt && ` until ${formatDate(resetAt)}`}; links go on working.{" "}
          <Link href="/usage">Usage</Link>
        </Banner>
      )}
      {waitSeconds > 0 && (
        <Banner icon={Hourglass} title={`Waiting ${waitSeconds} s.`}>
          {usage && `${usage.rate.limit} requests a minute are this account's.`}
        </Banner>
      )}
    </div>
  );
}
