import Ban from "lucide-react/icons/ban";
import ChartColumn from "lucide-react/icons/chart-column";
import Ellipsis from "lucide-react/icons/ellipsis";
import ScrollText from "lucide-react/icons/scroll-text";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Key } from "../../../client/index.ts";
import { useKeyAnalytics } from "../../api/queries/keys.ts";
import { formatCount, formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import { IconButton } from "../../design/icon-button.tsx";
import { Menu } from "../../design/menu.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import table from "../../design/table.module.css";
import { sparkPoints } from "./analytics.ts";
import styles from "./api-keys.module.css";
import { KeyEnd } from "./key-end.tsx";
import { KeyFolder } from "./key-folder.tsx";
import { scopesInWords } from "./scopes.ts";

const WIDTH = 64;

const HEIGHT = 20;

interface KeyRequestsProps {
  readonly id: string;
  readonly wasUsed: boolean;
}

interface KeyRowProps {
  readonly of: Key;
  readonly onRevoke: () => void;
}

export function KeyRow({ of: key, onRevoke }: KeyRowProps) {
  const [, navigate] = useLocation();
  const { _id, name, lastFour, scopes, createdAt, lastUsedAt, expiresAt, folderId } = key;
  const items = [
    { id: "open", title: "Analytics", icon: ChartColumn, onSelect: () => navigate(`/developers/keys/${_id}`) },
    { id: "log", title: "Operations", icon: ScrollText, onSelect: () => navigate(`/usage/log?key=${_id}`) },
    { id: "revoke", title: "Revoke", icon: Ban, danger: true, separated: true, onSelect: onRevoke },
  ];
  return (
    <tr>
      <td className={table.lead}>
        <Link to={`/developers/keys/${_id}`} className={styles.name}>
          {name}
        </Link>
        <span className={styles.scopes}>{scopesInWords(scopes)}</span>
      </td>
      <td data-label="Folder">
        <KeyFolder id={folderId} />
      </td>
      <td data-label="Ends with">
        <code>…{lastFour}</code>
      </td>
      <td data-label="Created" className={table.soft}>
        {formatDate(createdAt, "short")}
      </td>
      <td data-label="Expires">
        <KeyEnd at={expiresAt} />
      </td>
      <td data-label="Last used" title={lastUsedAt ?? undefined}>
        {lastUsedAt === null ? <span className={styles.never}>Never</span> : formatRelative(lastUsedAt)}
      </td>
      <td data-label="Requests, 30 days">
        <KeyRequests id={_id} wasUsed={lastUsedAt !== null} />
      </td>
      <td className={table.act}>
        <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />} items={items} align="end" />
      </td>
    </tr>
  );
}

/** A key's requests of the last 30 days: their number and a sparkline. They load when the row is in view. */
function KeyRequests({ id, wasUsed }: KeyRequestsProps) {
  const [ref, isSeen] = useIsSeen<HTMLSpanElement>();
  const { data } = useKeyAnalytics(id, isSeen && wasUsed);
  const points = data === undefined ? "" : sparkPoints(data.days, WIDTH, HEIGHT - 2);
  return (
    <span ref={ref} className={styles.requests}>
      {!wasUsed && <span className={styles.never}>0</span>}
      {wasUsed && data === undefined && <Skeleton width={96} />}
      {data !== undefined && formatCount(data.total.requests)}
      {points !== "" && (
        <svg width={WIDTH} height={HEIGHT} viewBox={`0 -1 ${WIDTH} ${HEIGHT}`} aria-hidden>
          <polyline points={points} fill="none" stroke="var(--accent)" strokeWidth="1.5" strokeLinejoin="round" />
        </svg>
      )}
    </span>
  );
}

/** Whether an element has been in view. */
function useIsSeen<Seen extends HTMLElement>(): [RefObject<Seen | null>, boolean] {
  const ref = useRef<Seen>(null);
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const { current } = ref;
    if (isSeen || current === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsSeen(true),
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [isSeen]);
  return [ref, isSeen];
}
