import Lock from "lucide-react/icons/lock";
import Play from "lucide-react/icons/play";
import Star from "lucide-react/icons/star";
import { cutMiddle, formatDuration } from "../../design/format.ts";
import type { Item } from "../changes/patch.ts";
import { describe, sizeLine } from "./describe.ts";
import { Picture } from "./picture.tsx";
import styles from "./tile.module.css";

interface TileProps {
  readonly item: Item | undefined;
  readonly position: number;
  readonly column: number;
  /** Pixels. */
  readonly side: number;
  readonly captioned: boolean;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isFast: boolean;
  readonly href: string;
}

/** A file of the grid. The grid listens for all its tiles: `data-act` names the action of a click. */
export function Tile({ item, position, column, side, captioned, isSelected, isFocused, isFast, href }: TileProps) {
  return (
    <div
      role="gridcell"
      className={styles.tile}
      data-position={position}
      data-selected={isSelected || undefined}
      tabIndex={isFocused ? 0 : -1}
      aria-selected={isSelected}
      aria-colindex={column + 1}
      aria-label={item === undefined ? "Loading" : undefined}
    >
      {item === undefined ? (
        <span className={styles.square} style={{ height: side }} />
      ) : (
        <>
          <span className={styles.square} style={{ height: side }}>
            {/* A name in an attribute needs no layout, unlike text. */}
            <a className={styles.link} href={href} tabIndex={-1} draggable={false} aria-label={describe(item)}>
              {isFast ? null : <Picture item={item} side={side} />}
            </a>
            <Badges item={item} />
            <span className={styles.check} data-act="toggle" aria-hidden="true" />
            <span className={styles.copy} data-act="copy" aria-hidden="true" title="Copy link" />
          </span>
          {captioned && (
            <span className={styles.caption} aria-hidden="true">
              <bdi className={styles.name} title={item.prompt}>
                {cutMiddle(item.prompt, Math.floor(side / 6.9))}
              </bdi>
              <span className={styles.facts}>{sizeLine(item)}</span>
            </span>
          )}
        </>
      )}
    </div>
  );
}

function Badges({ item: { favorite, visibility, mimeType, durationMs } }: { readonly item: Item }) {
  return (
    <>
      {favorite && <Star className={styles.star} size={16} aria-hidden="true" />}
      {visibility === "private" && (
        <span className={styles.lock} data-after-star={favorite || undefined} aria-hidden="true">
          <Lock size={12} />
        </span>
      )}
      {mimeType.startsWith("video/") && (
        <span className={styles.badge} aria-hidden="true">
          <Play size={9} fill="currentColor" />
          {typeof durationMs === "number" && formatDuration(durationMs)}
        </span>
      )}
      {mimeType === "image/gif" && (
        <span className={styles.badge} aria-hidden="true">
          GIF
        </span>
      )}
    </>
  );
}
