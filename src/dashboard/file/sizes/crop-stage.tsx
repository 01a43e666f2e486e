import { type CSSProperties, type KeyboardEvent, type PointerEvent, type Ref, useId, useState } from "react";
import { type FocalPoint, toFocalCoordinate } from "../../../domain/variants/focal-point.ts";
import type { PictureSize } from "../../../domain/variants/variant-geometry.ts";
import type { Rect } from "../../../domain/variants/variant-request.ts";
import styles from "./crop-stage.module.css";

interface CropStageProps {
  /** The whole picture; undefined until its address is known. */
  readonly source: string | undefined;
  readonly alt: string;
  readonly size: PictureSize;
  /** The part that the chosen variant keeps, in the picture's pixels; undefined: all of it, or unknown. */
  readonly part: Rect | undefined;
  /** The point that crops keep; undefined if the point does not matter. */
  readonly point: FocalPoint | undefined;
  readonly onPoint: (point: FocalPoint) => void;
  readonly onBroken: () => void;
  readonly imageRef: Ref<HTMLImageElement>;
}

/** Steps of the arrow keys, and with Shift. */
const STEP = 0.01;
const LARGE_STEP = 0.1;

const MOVES: Readonly<Record<string, { readonly x: number; readonly y: number }>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The whole picture with the part that a crop keeps. A click, a drag or the arrow keys move the focal point. */
export function CropStage({ source, alt, size, part, point, onPoint, onBroken, imageRef }: CropStageProps) {
  const hint = useId();
  const [isHeld, setHeld] = useState(false);
  const pointAt = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    onPoint({ x: within((clientX - left) / width), y: within((clientY - top) / height) });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move === undefined || point === undefined) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP : STEP;
    onPoint({ x: within(point.x + step * move.x), y: within(point.y + step * move.y) });
  };
  const isMovable = point !== undefined;
  return (
    <div className={styles.room}>
      <div
        className={styles.picture}
        data-movable={isMovable || undefined}
        style={{ "--ratio": size.width / size.height } as CSSProperties}
        onPointerDown={(event) => {
          if (!isMovable || event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setHeld(true);
          pointAt(event);
        }}
        onPointerMove={(event) => isHeld && pointAt(event)}
        onPointerUp={() => setHeld(false)}
        onPointerCancel={() => setHeld(false)}
      >
        <div className={styles.clip}>
          {source !== undefined && (
            <img ref={imageRef} src={source} alt={alt} crossOrigin="anonymous" draggable={false} onError={onBroken} />
          )}
          {part !== undefined && (part.width < size.width || part.height < size.height) && (
            <div className={styles.part} style={placeOf(part, size)} />
          )}
        </div>
        {isMovable && (
          <button
            type="button"
            className={styles.point}
            style={{ insetInlineStart: `${100 * point.x}%`, insetBlockStart: `${100 * point.y}%` }}
            aria-label={`Focal point, ${pointInWords(point)}`}
            aria-describedby={hint}
            onKeyDown={onKeyDown}
          />
        )}
      </div>
      <span id={hint} hidden>
        Arrow keys move it by 1 %, with Shift by 10 %.
      </span>
    </div>
  );
}

/** "31 % from the left, 42 % from the top". */
export function pointInWords({ x, y }: FocalPoint): string {
  return `${Math.round(100 * x)} % from the left, ${Math.round(100 * y)} % from the top`;
}

function within(value: number): number {
  return toFocalCoordinate(Math.min(1, Math.max(0, value)));
}

function placeOf(part: Rect, size: PictureSize): CSSProperties {
  const percent = (of: number, all: number) => `${(100 * of) / all}%`;
  return {
    insetInlineStart: percent(part.left, size.width),
    insetBlockStart: percent(part.top, size.height),
    inlineSize: percent(part.width, size.width),
    blockSize: percent(part.height, size.height),
  };
}
