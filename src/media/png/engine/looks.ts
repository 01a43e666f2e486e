/**
 * How often the loops have looked at something since the host last asked. It tells how long they took, about, where no clock
 * does: those of Workers stand still while they compute.
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
