import { useState } from "react";
import type { ServiceOverview } from "../../client/types.ts";
import { useServiceOverview } from "../api/queries/operator.ts";
import { classNames } from "../design/class-names.ts";
import type { ChartSeries } from "../design/day-bars.ts";
import { DayChart } from "../design/day-chart.tsx";
import { formatBytes, formatCount, formatPlural } from "../design/format.ts";
import { Problem } from "../design/problem.tsx";
import rows from "../design/rows.module.css";
import { Section } from "../design/section.tsx";
import { Segmented } from "../design/segmented.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import table from "../design/table.module.css";
import { TableScroll } from "../design/table-scroll.tsx";
import { LinkButton } from "../shell/link-button.tsx";
import { BarTable } from "./bar-table.tsx";
import { ageWords } from "./figure-words.ts";
import styles from "./operator.module.css";
import { chartTimes, type Hour, type Span } from "./traffic.ts";

/** The service now, and the last two weeks. */
export default function HealthSections() {
  const { data, error, refetch } = useServiceOverview();
  if (data === undefined) {
    return (
      <Section title="Dependencies">
        {error === null ? (
          <Skeleton height={240} />
        ) : (
          <Problem error={error} title="The health could not be loaded" onRetry={() => void refetch()} />
        )}
      </Section>
    );
  }
  return (
    <>
      {error !== null && (
        <Problem error={error} title="These figures are not the latest" onRetry={() => void refetch()} />
      )}
      <State overview={data} />
      <div className={styles.columns}>
        <TrafficSection hours={data.hours} />
        <UploadsSection hours={data.hours} />
      </div>
      <div className={styles.columns}>
        <Dependencies dependencies={data.dependencies} />
        <div className={styles.stack}>
          <Durations durations={data.durations} />
          <Databases databases={data.databases} />
          {data.thumbnails.length > 0 && <Thumbnails thumbnails={data.thumbnails} />}
        </div>
      </div>
    </>
  );
}

/** The few facts that need an action. */
function State({ overview: { dependencies, deadLetters, overdueIntents } }: { readonly overview: ServiceOverview }) {
  const down = dependencies.filter(({ status }) => status === "down").map(({ name }) => name);
  const letters = deadLetters.retrying + deadLetters.givenUp;
  const troubles = [
    ...(down.length > 0 ? [`Down: ${down.join(", ")}`] : []),
    ...(overdueIntents.count > 0
      ? [
          `${formatPlural(overdueIntents.count, "change is", "changes are")} overdue, the oldest for ${ageWords(overdueIntents.oldestAgeSeconds)}`,
        ]
      : []),
    ...(letters > 0 ? [`${formatPlural(letters, "message")} could not be delivered`] : []),
  ];
  const isWell = troubles.length === 0;
  return (
    <Section
      title={isWell ? "Everything works" : "Something needs you"}
      aside={!isWell && <LinkButton to="/operator/queues">Queues</LinkButton>}
    >
      <p role="status" className={isWell ? rows.good : rows.bad}>
        {isWell
          ? "Every dependency answers, no change is overdue, and every message was delivered."
          : troubles.join(". ")}
      </p>
    </Section>
  );
}

const SPANS = [
  { value: "hours", title: "48 hours" },
  { value: "days", title: "14 days" },
] as const;
const VIEWS = [
  { value: "chart", title: "Chart" },
  { value: "table", title: "Table" },
] as const;

interface HoursProps {
  readonly hours: readonly Hour[];
}

const TRAFFIC: readonly ChartSeries[] = [
  { title: "Answered", tone: "accent", toWords: (value) => `${formatCount(value)} answered` },
  { title: "Refused (4xx)", tone: "soft", toWords: (value) => `${formatCount(value)} refused` },
  { title: "Failed (5xx)", tone: "danger", toWords: (value) => `${formatCount(value)} failed` },
];

function TrafficSection({ hours }: HoursProps) {
  return (
    <TimesSection
      title="Requests"
      hours={hours}
      series={TRAFFIC}
      valuesOf={({ requests, clientErrors, serverErrors }) => [
        Math.max(0, requests - clientErrors - serverErrors),
        clientErrors,
        serverErrors,
      ]}
      formatValue={formatCompact}
    />
  );
}

function UploadsSection({ hours }: HoursProps) {
  // The lines of the chart are round numbers of this unit.
  const [unit, bytes] = hours.some(({ uploadBytes }) => uploadBytes >= GIGABYTE) ? ["GB", GIGABYTE] : ["MB", MEGABYTE];
  const formatValue = (value: number) => `${COMPACT.format(value)} ${unit}`;
  const toWords = (value: number) => `${formatValue(value)} uploaded`;
  return (
    <TimesSection
      title="Uploads"
      hours={hours}
      series={[{ title: "Bytes of uploads", tone: "accent", toWords }]}
      valuesOf={({ uploadBytes }) => [uploadBytes / bytes]}
      formatValue={formatValue}
    />
  );
}

interface TimesSectionProps extends HoursProps {
  readonly title: string;
  readonly series: readonly ChartSeries[];
  readonly valuesOf: (hour: Hour) => readonly number[];
  readonly formatValue: (value: number) => string;
}

/** Figures by hour or by day, as a chart or a table. */
function TimesSection({ title, hours, series, valuesOf, formatValue }: TimesSectionProps) {
  const [span, setSpan] = useState<Span>("hours");
  const [view, setView] = useState<"chart" | "table">("chart");
  const { times, step, axis, words } = chartTimes(hours, span, Date.now());
  const days = times.map((time) => ({ date: time.at, values: valuesOf(time) }));
  return (
    <Section
      title={title}
      description="Times are in UTC. Figures are about half a minute late."
      aside={
        <>
          <Segmented label={`Time of ${title.toLowerCase()}`} options={SPANS} value={span} onChange={setSpan} />
          <Segmented label={`View of ${title.toLowerCase()}`} options={VIEWS} value={view} onChange={setView} />
        </>
      }
    >
      {view === "chart" ? (
        <DayChart label={title} days={days} series={series} formatValue={formatValue} times={{ step, axis, words }} />
      ) : (
        <TableScroll label={`${title} by ${step}`} className={styles.times}>
          <table className={classNames(table.table, styles.narrow)}>
            <thead>
              <tr>
                <th scope="col">{step === "hour" ? "Hour" : "Day"}</th>
                {series.map((each) => (
                  <th key={each.title} scope="col" className={table.number}>
                    {each.title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ date, values }) => (
                <tr key={date}>
                  <th scope="row">{words(date)}</th>
                  {values.map((value, index) => (
                    <td key={series[index]?.title} className={table.number}>
                      {formatValue(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroll>
      )}
    </Section>
  );
}

const COMPACT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

function formatCompact(value: number): string {
  return value < 10_000 ? formatCount(value) : COMPACT.format(value);
}

const MEGABYTE = 1024 ** 2;
const GIGABYTE = 1024 ** 3;

/** The longest check; a dependency that takes longer is down. */
const MAX_CHECK_MS = 2000;

function Dependencies({ dependencies }: Pick<ServiceOverview, "dependencies">) {
  return (
    <Section title="Dependencies" description="Checked now, each for two seconds at most.">
      <BarTable
        label="Dependencies"
        columns={["Part", "Time to answer", "State"]}
        max={MAX_CHECK_MS}
        rows={dependencies.map(({ name, status, ms, ffmpeg }) => ({
          name,
          value: ms,
          text: `${formatCount(Math.round(ms))} ms`,
          note: `${status === "up" ? "Up" : "Down"}${ffmpeg === undefined ? "" : `, ffmpeg ${ffmpeg}`}`,
          tone: status === "up" ? "accent" : "danger",
        }))}
      />
    </Section>
  );
}

function Durations({ durations }: Pick<ServiceOverview, "durations">) {
  const all = durations.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <Section
      title="Time to answer"
      description="All requests since the installation. Uploads take as long as their client sends."
    >
      <BarTable
        label="Time to answer"
        columns={["Time", "Requests", "Share"]}
        rows={durations.map(({ seconds, requests }, index) => ({
          name: durationName(seconds, durations[index - 1]?.seconds ?? 0),
          value: requests,
          text: formatCompact(requests),
          note: all === 0 ? "–" : `${((requests / all) * 100).toFixed(1)} %`,
          tone: seconds === null || seconds > 1 ? "danger" : "accent",
        }))}
      />
    </Section>
  );
}

function durationName(seconds: number | null, before: number): string {
  return seconds === null ? `over ${before} s` : `up to ${seconds < 1 ? `${seconds * 1000} ms` : `${seconds} s`}`;
}

const MAX_DATABASE_BYTES = 10 * 1024 ** 3;
const FULL_DATABASE_BYTES = 8 * 1024 ** 3;

function Databases({ databases }: Pick<ServiceOverview, "databases">) {
  return (
    <Section title="Databases" description="D1 allows 10 GB for each.">
      <BarTable
        label="Databases"
        columns={["Database", "Size"]}
        max={MAX_DATABASE_BYTES}
        rows={databases.map(({ name, bytes }) => ({
          name,
          value: bytes,
          text: formatBytes(bytes),
          tone: bytes > FULL_DATABASE_BYTES ? "danger" : "accent",
        }))}
      />
    </Section>
  );
}

function Thumbnails({ thumbnails }: Pick<ServiceOverview, "thumbnails">) {
  return (
    <Section title="Thumbnails of videos" description="Attempts since the installation, by outcome.">
      <BarTable
        label="Thumbnails of videos"
        columns={["Outcome", "Attempts"]}
        rows={thumbnails.map(({ outcome, attempts }) => ({
          name: outcome,
          value: attempts,
          text: formatCount(attempts),
          tone: ["failed", "timed-out", "given-up"].includes(outcome) ? "danger" : "accent",
        }))}
      />
    </Section>
  );
}
