import { useEffect, useState } from "react";
import styles from "./qr-code.module.css";

/** The empty frame around the code, in modules, that scanners need. */
const QUIET = 4;
/** Pixels of a module: a whole number keeps all modules alike. */
const MODULE = 4;

interface QrCodeProps {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
}

/** A text as a QR code, dark on white in each theme. Nothing is shown if the encoder cannot be loaded. */
export function QrCode({ text, label }: QrCodeProps) {
  const [shape, setShape] = useState<Shape>();
  useEffect(() => {
    let isOver = false;
    import("uqr").then(
      ({ encode }) => {
        if (!isOver) setShape(toShape(encode(text, { ecc: "M", border: QUIET }).data));
      },
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [text]);
  if (shape === undefined) return null;
  const { side, path } = shape;
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.code}
      width={side * MODULE}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

interface Shape {
  /** The size with the frame, in modules. */
  readonly side: number;
  readonly path: string;
}

function toShape(rows: readonly (readonly boolean[])[]): Shape {
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { side: rows.length, path: squares.join("") };
}
