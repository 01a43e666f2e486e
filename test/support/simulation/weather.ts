/** The probabilities of faults in a schedule. Each is drawn separately, so that no kind of fault hides another. */
export interface Weather {
  /** Probability that a call fails before its effect. */
  readonly fail: number;
  /** Of an answer. */
  readonly lose: number;
  /** Probability that a call or an answer takes long. */
  readonly slow: number;
  /** Probability that time passes although a step could happen at once. */
  readonly jump: number;
  /** Probability per step: an object is reset in the middle of its calls. */
  readonly reset: number;
  /** Probability per step: an idle object is evicted. */
  readonly evict: number;
  /** Probability per step: a request's isolate dies. */
  readonly die: number;
  /** Probability that an alarm or a message arrives twice. */
  readonly repeat: number;
  /** Probability that a call of an isolate or object that died arrives late. Only themes have it. */
  readonly late: number;
}

const LEVELS: Readonly<Record<Exclude<keyof Weather, "late">, readonly number[]>> = {
  fail: [0, 0, 0.02, 0.05, 0.12],
  lose: [0, 0, 0.02, 0.05, 0.12],
  slow: [0, 0.02, 0.1],
  jump: [0, 0.02, 0.1, 0.3],
  reset: [0, 0, 0.005, 0.02],
  evict: [0, 0.02, 0.1],
  die: [0, 0, 0.004, 0.012],
  repeat: [0, 0, 0.2],
};

export function drawWeather(random: () => number): Weather {
  const entries = Object.entries(LEVELS).map(([name, levels]) => [name, levels[Math.floor(random() * levels.length)]]);
  return { ...(Object.fromEntries(entries) as Omit<Weather, "late">), late: 0 };
}
