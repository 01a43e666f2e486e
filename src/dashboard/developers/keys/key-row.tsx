import Ban from "lucide-react/icons/ban";
import ChartColumn from "lucide-react/icons/chart-column";
import Ellipsis from "lucide-react/icons/ellipsis";
import ScrollText from "lucide-react/icons/scroll-text";
import { Link, useLocation } from "wouter";
import type { Key } from "../../../client/index.ts";
import { formatDate } from "../../design/format.ts";
import { formatRelative } from "../../design/format-relative.ts";
import { IconButton } from "../../design/icon-button.tsx";
import { Menu } from "../../design/menu.tsx";
import table from "../../design/table.module.css";
import styles from "./api-keys.module.css";
import { KeyEnd } from "./key-end.tsx";
import { KeyFolder } from "./key-folder.tsx";
import { KeyRequests } from "./key-requests.tsx";
import { scopesInWords } from "./scopes.ts";

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
      <td>
        <Link to={`/developers/keys/${_id}`} className={styles.name}>
          {name}
        </Link>
        <span className={styles.scopes}>{scopesInWords(scopes)}</span>
      </td>
      <td>
        <KeyFolder id={folderId} />
      </td>
      <td>
        <code>…{lastFour}</code>
      </td>
      <td className={table.soft}>{formatDate(createdAt, "short")}</td>
      <td>
        <KeyEnd at={expiresAt} />
      </td>
      <td title={lastUsedAt ?? undefined}>
        {lastUsedAt === null ? <span className={styles.never}>Never</span> : formatRelative(lastUsedAt)}
      </td>
      <td>
        <KeyRequests id={_id} wasUsed={lastUsedAt !== null} />
      </td>
      <td>
        <Menu trigger={<IconButton label={`Actions for ${name}`} icon={Ellipsis} />} items={items} align="end" />
      </td>
    </tr>
  );
}
