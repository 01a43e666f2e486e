import { type KeyboardEvent, memo, type PointerEvent, useRef, useState } from "react";
import { formatCount, formatMonth } from "../../design/format.ts";
import { type Band, bandAt, monthFrom, placeOf, positionAt, yearFrom } from "./months.ts";
import styles from "./ruler.module.css";

interface RulerProps {
  readonly bands: readonly Band[];
  readonly total: number;
  /** The position of the first visible file. */
  readonly position: number;
  readonly onMove: (position: number) => void;
  /** Called when the ruler is grabbed and when it is released. */
  readonly onHold: (isHeld: boolean) => void;
}

/** If years are closer together than this part of the ruler, some have no label. */
const YEAR_PART = 0.03;

/** The timeline beside the grid, which is its scroll bar. A bar's length shows a month's number of uploads. */
export default function Ruler({ bands, total, position, onMove, onHold }: RulerProps) {
  const track = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const [pointed, setPointed] = useState<number>();
  const place = placeOf(bands, position, total);
  const flag = isHeld ? place : pointed;

  const placeUnder = (event: PointerEvent) => {
    const box = track.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setHeld(true);
    onHold(true);
    onMove(positionAt(bands, placeUnder(event), total));
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    setPointed(placeUnder(event));
    if (isHeld) onMove(positionAt(bands, placeUnder(event), total));
  };
  const release = () => {
    if (!isHeld) return;
    setHeld(false);
    onHold(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = stepped(event.key, bands, position, total);
    if (next === undefined) return;
    event.preventDefault();
    onMove(next);
  };

  return (
    <div
      ref={track}
      role="slider"
      className={styles.ruler}
      tabIndex={0}
      aria-label="Timeline"
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, total - 1)}
      aria-valuenow={Math.min(position, Math.max(0, total - 1))}
      aria-valuetext={nameOf(bands, position, total)}
      data-held={isHeld || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={() => setPointed(undefined)}
      onKeyDown={onKeyDown}
    >
      <Bars bands={bands} current={bandAt(bands, position)} />
      <span className={styles.mark} style={{ top: `${place * 100}%` }} />
      {flag !== undefined && (
        <span className={styles.flag} style={{ top: `${flag * 100}%` }}>
          {nameOf(bands, positionAt(bands, flag, total), total)}
        </span>
      )}
    </div>
  );
}

interface BarsProps {
  readonly bands: readonly Band[];
  readonly current: number | undefined;
}

/** Renders again only when another month is at the top, not with each row that scrolls in. */
const Bars = memo(function Bars({ bands, current }: BarsProps) {
  let named = -1;
  return bands.map(({ key, share, isFirstOfYear }, at) => {
    const place = at / bands.length;
    const isNamed = isFirstOfYear && (named < 0 || place - named >= YEAR_PART);
    if (isNamed) named = place;
    return (
      <span key={key} className={styles.band} style={{ top: `${place * 100}%`, height: `${100 / bands.length}%` }}>
        {isNamed && <span className={styles.year}>{key.slice(0, 4)}</span>}
        <span
          className={styles.bar}
          data-current={at === current || undefined}
          style={{ width: Math.max(4, share * 40) }}
        />
      </span>
    );
  });
});

/** "December 2023". Without months, the progress: "4,112 of 100,000". */
function nameOf(bands: readonly Band[], position: number, total: number): string {
  const band = bands[bandAt(bands, position) ?? -1];
  if (band !== undefined) return formatMonth(band.key);
  return `${formatCount(Math.min(total, position + 1))} of ${formatCount(total)}`;
}

function stepped(key: string, bands: readonly Band[], position: number, total: number): number | undefined {
  const part = Math.max(1, Math.round(total / 100));
  const months = (by: 1 | -1) => (bands.length > 0 ? monthFrom(bands, position, by) : position + by * part);
  const years = (by: 1 | -1) => (bands.length > 0 ? yearFrom(bands, position, by) : position + by * part * 10);
  switch (key) {
    case "ArrowDown":
    case "ArrowRight":
      return months(1);
    case "ArrowUp":
    case "ArrowLeft":
      return months(-1);
    case "PageDown":
      return years(1);
    case "PageUp":
      return years(-1);
    case "Home":
      return 0;
    case "End":
      return Math.max(0, total - 1);
    default:
      return undefined;
  }
}
