import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { lazyPart } from "../../design/lazy-part.tsx";
import type { Item } from "../changes/patch.ts";
import type { Box } from "../selection/box.ts";
import { isSelected, type Selection } from "../selection/selection.ts";
import type { Address } from "../view/use-address.ts";
import { assignKeys } from "./assign-keys.ts";
import type { Geometry } from "./geometry.ts";
import { rowTop } from "./geometry.ts";
import styles from "./grid.module.css";
import type { Shown } from "./grid-window.ts";
import { Row } from "./row.tsx";

// The parts of the table load when the table is first shown, at the same time as its files.
const TableHead = lazyPart(() => import("./table-head.tsx"));
const TableRow = lazyPart(() => import("./table-row.tsx"));

interface GridProps {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly mode: "grid" | "table";
  readonly geometry: Geometry;
  readonly shown: Shown;
  readonly selection: Selection;
  readonly focus: number;
  readonly box: Box | undefined;
  readonly slot: (position: number) => Item | undefined;
  readonly hrefOf: (item: Item) => string;
  readonly folderName: (folderId: string | null) => string;
  readonly address: Pick<Address, "filters" | "sorting" | "setSorting">;
  readonly handlers: React.DOMAttributes<HTMLDivElement>;
  readonly children?: ReactNode;
}

/** The files of a view. It builds only the rows around the visible ones, and the row with the focus. */
export function Grid(props: GridProps) {
  const { scroller, label, mode, geometry, shown, selection, focus, box, slot, hrefOf, folderName, handlers } = props;
  const { columns, rows, total } = geometry;
  const focusedRow = Math.floor(focus / columns);
  const built = Array.from({ length: shown.end - shown.first }, (_, at) => shown.first + at);
  if (focusedRow < rows && (focusedRow < shown.first || focusedRow >= shown.end)) {
    built[focusedRow < shown.first ? "unshift" : "push"](focusedRow);
  }
  const grid = useRef<HTMLDivElement>(null);
  const noteKey = useFocus(grid, focus);
  const kept = useRef<ReadonlyMap<number, number>>(new Map());
  const keys = assignKeys(kept.current, built, shown.isMoving);
  useLayoutEffect(() => {
    kept.current = keys;
  });
  useEffect(() => {
    if (mode === "table") void TableRow.load().catch(() => undefined);
  }, [mode]);

  return (
    <div
      ref={grid}
      role="grid"
      className={styles.grid}
      data-mode={mode}
      data-selecting={selection.intervals.length > 0 || undefined}
      aria-label={label}
      aria-multiselectable="true"
      aria-rowcount={mode === "table" ? rows + 1 : rows}
      aria-colcount={mode === "table" ? 7 : columns}
      onKeyDownCapture={noteKey}
      {...handlers}
    >
      <Suspense fallback={null}>{mode === "table" && <TableHead address={props.address} />}</Suspense>
      <div ref={scroller} role="rowgroup" className={styles.scroller} data-ground="">
        <div className={styles.spacer} role="presentation" data-ground="" style={{ height: geometry.spacerHeight }}>
          <Suspense fallback={null}>
            {Array.from(keys, ([row, key]) => {
              const at = row * columns;
              const positions = Array.from({ length: Math.min(columns, total - at) }, (_, column) => at + column);
              const shared = {
                row,
                geometry,
                hrefOf,
                top: rowTop(geometry, row) + shown.offset,
                items: positions.map(slot),
                selected: positions.map((position) => (isSelected(selection, position) ? "1" : "0")).join(""),
                focused: row === focusedRow ? focus - at : -1,
                isFast: shown.isFast,
              };
              return mode === "table" ? (
                <TableRow
                  key={key}
                  {...shared}
                  folderName={folderName}
                  dated={props.address.sorting.by === "takenAt" ? "takenAt" : "createdAt"}
                />
              ) : (
                <Row key={key} {...shared} />
              );
            })}
          </Suspense>
          {box !== undefined && <div className={styles.box} style={boxStyle(box, shown.offset)} />}
        </div>
      </div>
      {props.children}
    </div>
  );
}

/** Moves the browser's focus with the grid's focus, if it is in the grid. @returns a handler that must see every key */
function useFocus(grid: RefObject<HTMLDivElement | null>, focus: number) {
  // The focused tile may be removed before the next one is built.
  const isKeyed = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    // While a file is open, the focus stays in its dialog.
    const isInGrid =
      (isKeyed.current && activeElement === body) || (isTile(activeElement) && grid.current?.contains(activeElement));
    isKeyed.current = false;
    if (isInGrid)
      grid.current?.querySelector<HTMLElement>(`[data-position="${focus}"]`)?.focus({ preventScroll: true });
  }, [grid, focus]);
  return ({ target }: KeyboardEvent) => {
    isKeyed.current = isTile(target);
  };
}

function isTile(element: unknown): boolean {
  return element instanceof HTMLElement && element.dataset.position !== undefined;
}

function boxStyle({ fromX, fromY, toX, toY }: Box, offset: number): React.CSSProperties {
  return {
    left: Math.min(fromX, toX),
    top: Math.min(fromY, toY) + offset,
    width: Math.abs(toX - fromX),
    height: Math.abs(toY - fromY),
  };
}
