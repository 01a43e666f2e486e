/** n * log2(n) of small numbers: f64, set by the host. */
const WEIGHTS: i32 = 4096;
const weights = memory.data(WEIGHTS * 8, 16);
const LOG2_E: f64 = Math.LOG2E;

export function weightsAt(): usize {
  return weights;
}

/** n * log2(n). The logarithm of a large number is exact to seven digits. */
export function weight(n: u32): f64 {
  if (n < <u32>WEIGHTS) return load<f64>(weights + ((<usize>n) << 3));
  const shift = 20 - clz(n);
  const rounded = n >> shift;
  const rest = <f64>(n - (rounded << shift)) / <f64>(rounded << shift);
  return <f64>n * (load<f64>(weights + ((<usize>rounded) << 3)) / <f64>rounded + <f64>shift + LOG2_E * rest);
}
