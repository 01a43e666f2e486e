import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { type ChartDay, type ChartSeries, dayAt, labelledDays, layOutBars } from "./day-bars.ts";
import styles from "./day-chart.module.css";

interface DayChartProps {
  /** The accessible name: "Operations by day". */
  readonly label: string;
  readonly days: readonly ChartDay[];
  readonly series: readonly ChartSeries[];
  readonly formatValue: (value: number) => string;
  /** The words for the bars' times; days without it. */
  readonly times?: ChartTimes;
}

interface ChartTimes {
  /** The name of a bar's time: "hour". */
  readonly step: string;
  /** A short text below a bar. */
  readonly axis: (date: string) => string;
  readonly words: (date: string) => string;
}

const HEIGHT = 168;
const SCALE = 46;
const LABEL_WIDTH = 84;
const AXIS = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

const DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
const DAYS: ChartTimes = {
  step: "day",
  axis: (date) => AXIS.format(Date.parse(date)),
  words: (date) => DAY.format(Date.parse(date)),
};

/** Stacked bars, one for each day. The arrow keys and the pointer select a day; the legend shows its values. */
export function DayChart({ label, days, series, formatValue, times = DAYS }: DayChartProps) {
  const [box, boxWidth] = useWidth<HTMLDivElement>();
  const [at, setAt] = useState<number>();
  const width = Math.max(0, boxWidth - SCALE);
  const { lines, top, bars } = layOutBars(days, width, HEIGHT);
  const last = days.length - 1;
  const current = at === undefined ? undefined : days[Math.min(at, last)];
  const onKeyDown = (event: KeyboardEvent) => {
    const from = at ?? last;
    const next = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, next)));
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect();
    setAt(dayAt(event.clientX - left - SCALE, width, days.length));
  };
  return (
    <figure className={styles.figure}>
      <DayReadout day={current} series={series} words={times.words} />
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={`${label}, ${times.step}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={at ?? Math.max(0, last)}
        aria-valuetext={inWords(days[at ?? last], series, times)}
        className={styles.box}
        onKeyDown={onKeyDown}
        onPointerDown={onPointerMove}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setAt(undefined)}
        onBlur={() => setAt(undefined)}
      >
        <svg width="100%" height={HEIGHT + 28} aria-hidden>
          {lines.map((line) => {
            const y = HEIGHT - (line / top) * (HEIGHT - 8) + 0.5;
            return (
              <g key={line}>
                <line
                  className={styles.grid}
                  x1={SCALE}
                  x2={boxWidth}
                  y1={Math.round(y) - 0.5}
                  y2={Math.round(y) - 0.5}
                />
                <text className={styles.scale} x={SCALE - 8} y={y + 4} textAnchor="end">
                  {formatValue(line)}
                </text>
              </g>
            );
          })}
          <g transform={`translate(${SCALE} 8) scale(1 ${(HEIGHT - 8) / HEIGHT})`}>
            {at !== undefined && bars[at] !== undefined && (
              <rect className={styles.band} x={bars[at].x - 2} y={0} width={bars[at].width + 4} height={HEIGHT} />
            )}
            {bars.map(({ x, width: barWidth, parts }, index) =>
              parts.map(({ series: of, y, height }) => (
                <rect
                  key={`${days[index]?.date}-${of}`}
                  className={styles[series[of]?.tone ?? "accent"]}
                  x={x}
                  y={y}
                  width={barWidth}
                  height={height}
                />
              )),
            )}
          </g>
          {labelledDays(days.length, Math.max(2, Math.floor(width / LABEL_WIDTH))).map((index, order, all) => (
            <text
              key={index}
              className={styles.scale}
              x={SCALE + (bars[index]?.x ?? 0) + (bars[index]?.width ?? 0) / 2}
              y={HEIGHT + 20}
              textAnchor={order > 0 && order === all.length - 1 ? "end" : "middle"}
            >
              {times.axis(days[index]?.date ?? "")}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  );
}

function inWords(day: ChartDay | undefined, series: readonly ChartSeries[], { axis }: ChartTimes): string {
  if (day === undefined) return "No days";
  return [axis(day.date), ...series.map(({ toWords }, index) => toWords(day.values[index] ?? 0))].join(", ");
}

interface DayReadoutProps {
  /** The selected day. Without one, the plain legend is shown. */
  readonly day: ChartDay | undefined;
  readonly series: readonly ChartSeries[];
  readonly words: ChartTimes["words"];
}

/** The chart's legend, with the values of the selected day. */
function DayReadout({ day, series, words }: DayReadoutProps) {
  return (
    <figcaption className={styles.legend}>
      {day !== undefined && <strong>{words(day.date)}</strong>}
      {series.map(({ title, tone, toWords }, index) => (
        <span key={title} className={styles.key}>
          <i className={styles[`${tone}Key`]} />
          {day === undefined ? title : toWords(day.values[index] ?? 0)}
        </span>
      ))}
    </figcaption>
  );
}

/** The current width of an element in CSS pixels; 0 before it is mounted. */
function useWidth<Element extends HTMLElement>(): [RefObject<Element | null>, number] {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
