import ChevronRight from "lucide-react/icons/chevron-right";
import HardDrive from "lucide-react/icons/hard-drive";
import Trash2 from "lucide-react/icons/trash-2";
import { Link } from "wouter";
import type { Overview } from "../../client/index.ts";
import { formatBytes, formatPlural } from "../design/format.ts";
import { Section } from "../design/section.tsx";
import styles from "./free-space-section.module.css";

const LARGE_BYTES = 10 * 1024 * 1024;

interface FreeSpaceSectionProps {
  readonly files: Overview["files"];
}

/** Links to the files that use storage: large files and the trash. */
export function FreeSpaceSection({ files: { trashed, trashedBytes } }: FreeSpaceSectionProps) {
  const inTrash = trashed === 0 ? "Empty" : `${formatPlural(trashed, "file")}, ${formatBytes(trashedBytes)}`;
  const ways = [
    {
      to: `/library?min=${LARGE_BYTES}`,
      icon: HardDrive,
      title: "Large files",
      hint: `Over ${formatBytes(LARGE_BYTES)}`,
    },
    { to: "/trash", icon: Trash2, title: "Trash", hint: inTrash },
  ];
  return (
    <Section title="Free up space">
      <ul className={styles.list}>
        {ways.map(({ to, icon: Icon, title, hint }) => (
          <li key={to}>
            <Link to={to} className={styles.link}>
              <Icon size={18} aria-hidden />
              <span className={styles.title}>{title}</span>
              <span className={styles.hint}>{hint}</span>
              <ChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
