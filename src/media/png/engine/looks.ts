/**
 * The number of comparisons of the loops since the host's last call. It shows roughly how long they took, because the clocks of Workers
 * stop while they compute.
 */
let looks: i32 = 0;

export function addLooks(count: i32): void {
  looks += count;
}

export function takeLooks(): i32 {
  const taken = looks;
  looks = 0;
  return taken;
}
