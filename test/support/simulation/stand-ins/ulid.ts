const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;

/** ULIDs without a memory of their own, because the ids of one schedule must not depend on earlier schedules. */
export function monotonicFactory(): (now: number) => string {
  return (now) => {
    let id = encodeTime(now);
    while (id.length < TIME_LENGTH + RANDOM_LENGTH) id += DIGITS[Math.floor(Math.random() * DIGITS.length)] ?? "";
    return id;
  };
}

export function encodeTime(now: number, length = TIME_LENGTH): string {
  let time = "";
  for (let left = now; time.length < length; left = Math.floor(left / DIGITS.length))
    time = (DIGITS[left % DIGITS.length] ?? "") + time;
  return time;
}

export function decodeTime(id: string): number {
  return [...id.slice(0, TIME_LENGTH)].reduce((time, digit) => time * DIGITS.length + DIGITS.indexOf(digit), 0);
}
