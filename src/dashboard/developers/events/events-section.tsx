import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Radio from "lucide-react/icons/radio";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { Button } from "../../design/button.tsx";
import { Empty } from "../../design/empty.tsx";
import { formatPlural } from "../../design/format.ts";
import { Problem } from "../../design/problem.tsx";
import { Section } from "../../design/section.tsx";
import { Select } from "../../design/select.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import { EVENT_WORDS } from "../webhooks/event-words.ts";
import { EventRow } from "./event-row.tsx";
import styles from "./events.module.css";
import { MOST_EVENTS } from "./merge-events.ts";
import { useEventStream } from "./use-event-stream.ts";

const OPTIONS = [{ value: "", title: "All events" }, ...EVENT_WORDS.map(({ type, title }) => ({ value: type, title }))];

/** The account's events as they happen, newest first. The filter is in the URL. */
export default function EventsSection() {
  const [isPaused, setPaused] = useState(false);
  const { events, error, clear, retry } = useEventStream(isPaused);
  const [search, setSearch] = useSearchParams();
  const type = EVENT_WORDS.find((each) => each.type === search.get("type"))?.type;
  const shown = events?.filter((event) => type === undefined || event.type === type);
  const choose = (next: string) => setSearch(next === "" ? {} : { type: next }, { replace: true });
  return (
    <Section
      title="Events"
      description={`Changes of your files, within seconds. The page keeps the last ${MOST_EVENTS} events, GET /events all events of 30 days.`}
      aside={
        <>
          <Button icon={isPaused ? Play : Pause} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "Resume" : "Pause"}
          </Button>
          <Button tone="quiet" disabled={events === undefined || events.length === 0} onClick={clear}>
            Clear
          </Button>
        </>
      }
    >
      <div className={styles.bar}>
        <Select
          label="Type"
          name="type"
          className={styles.filter}
          options={OPTIONS}
          value={type ?? ""}
          onChange={choose}
        />
        <StreamState isPaused={isPaused} hasFailed={error !== null} shown={shown?.length} />
      </div>
      {error !== null && !isPaused && <Problem error={error} title="The events could not be loaded" onRetry={retry} />}
      {events === undefined && error === null && <Skeleton height={120} />}
      {shown?.length === 0 && (
        <Empty icon={Radio} title={events?.length === 0 ? "No events yet" : "No events of this type"}>
          {events?.length === 0
            ? "Upload, change or delete a file, and its event appears here. The service records events from the first visit of this page on."
            : "Events of other types have arrived. Choose another type, or all events."}
        </Empty>
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul className={styles.list} aria-label="Events">
          {shown.map((event) => (
            <EventRow key={event._id} of={event} />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface StreamStateProps {
  readonly isPaused: boolean;
  readonly hasFailed: boolean;
  /** The number of events in the list; undefined before the first answer. */
  readonly shown: number | undefined;
}

function StreamState({ isPaused, hasFailed, shown }: StreamStateProps) {
  const state = isPaused ? "paused" : hasFailed ? "failing" : "live";
  const words = { paused: "Paused", failing: "Not connected", live: shown === undefined ? "Connecting" : "Live" }[
    state
  ];
  return (
    <p role="status" className={styles.state}>
      <span className={styles.dot} data-state={shown === undefined && state === "live" ? "paused" : state} />
      {words}
      {shown !== undefined && `, ${formatPlural(shown, "event")}`}
    </p>
  );
}
