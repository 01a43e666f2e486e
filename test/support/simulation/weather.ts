/** How often what goes wrong in a schedule; each has its own, so that no kind of fault hides another. All are probabilities. */
export interface Weather {
  /** Probability that a call fails before its effect. */
  readonly fail: number;
  /** Of an answer. */
  readonly lose: number;
  /** That a call or an answer takes long. */
  readonly slow: number;
  /** That time passes although something could happen at once. */
  readonly jump: number;
  /** Probability per step: an object is reset in the middle of its calls. */
  readonly reset: number;
  /** Probability per step: an idle object is evicted. */
  readonly evict: number;
  /** Probability per step: a request's isolate dies. */
  readonly die: number;
  /** That an alarm or a message comes twice. */
  readonly repeat: number;
}

const LEVELS: Readonly<Record<keyof Weather, readonly number[]>> = {
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
  return Object.fromEntries(entries) as Weather;
}

/** Nothing fails, and nothing takes long. */
export const CALM: Weather = { fail: 0, lose: 0, slow: 0, jump: 0, reset: 0, evict: 0, die: 0, repeat: 0 };
