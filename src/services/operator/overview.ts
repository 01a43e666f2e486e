import { DURATION_BUCKETS } from "../../domain/metrics.ts";
import { within } from "../../isolate/calls.ts";
import type { HourFigures } from "../../meter/service/hours.ts";
import type { Services } from "../context.ts";
import { checkReadiness, type Dependency } from "../health/check-health.ts";
import { readMetrics } from "../metrics/read-metrics.ts";

/** The service at one moment, for the operator. */
export interface Overview {
  readonly dependencies: readonly Dependency[];
  /** Queues that answered in time. */
  readonly queues: readonly { readonly name: string; readonly messages: number; readonly oldestAgeSeconds: number }[];
  readonly deadLetters: { readonly retrying: number; readonly givenUp: number };
  readonly overdueIntents: { readonly count: number; readonly oldestAgeSeconds: number };
  readonly databases: readonly { readonly name: string; readonly bytes: number }[];
  readonly thumbnails: readonly { readonly outcome: string; readonly attempts: number }[];
  /** Requests by the time of their answer; `seconds` is the upper bound, null without one. */
  readonly durations: readonly { readonly seconds: number | null; readonly requests: number }[];
  readonly hours: readonly HourFigures[];
}

/** The time for the hours' figures, as for the metrics. */
const DEADLINE_MS = 5000;

/** Reads health, metrics and the figures of the last two weeks. A part that does not answer in seconds is left out. */
export async function readOverview(services: Services): Promise<Overview> {
  const [dependencies, series, hours] = await Promise.all([
    checkReadiness(services),
    readMetrics(services),
    within(DEADLINE_MS, services.serviceMeter().hours()).catch(() => []),
  ]);
  const samples = Array.from(series, ([name, value]) => toSample(name, value));
  const of = (name: string) => samples.filter((sample) => sample.name === name);
  const one = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    of(name).find((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      ?.value ?? 0;
  return {
    dependencies,
    queues: of("media_queue_messages").map(({ labels: { queue = "" }, value }) => ({
      name: queue,
      messages: value,
      oldestAgeSeconds: one("media_queue_oldest_message_age_seconds", { queue }),
    })),
    deadLetters: {
      retrying: one("media_dead_letters", { state: "retrying" }),
      givenUp: one("media_dead_letters", { state: "given-up" }),
    },
    overdueIntents: {
      count: one("media_intents_overdue"),
      oldestAgeSeconds: one("media_intents_overdue_oldest_age_seconds"),
    },
    databases: of("media_database_bytes").map(({ labels: { database = "" }, value }) => ({
      name: database,
      bytes: value,
    })),
    thumbnails: of("media_thumbnails_total").map(({ labels: { outcome = "" }, value }) => ({
      outcome,
      attempts: value,
    })),
    durations: [...DURATION_BUCKETS, null].map((seconds) => ({
      seconds,
      requests: of("media_http_request_duration_seconds_bucket")
        .filter(({ labels }) => labels.le === (seconds === null ? "+Inf" : String(seconds)))
        .reduce((sum, { value }) => sum + value, 0),
    })),
    hours,
  };
}

/** The parts of `name{label="value"}`. None of the service's labels has an escape. */
function toSample(series: string, value: number) {
  const [name = ""] = /^\w+/.exec(series) ?? [];
  const labels = Object.fromEntries(
    Array.from(series.matchAll(/(\w+)="([^"]*)"/g), ([, label = "", text = ""]) => [label, text] as const),
  );
  return { name, labels: labels as Readonly<Record<string, string>>, value };
}
