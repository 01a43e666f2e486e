/** Takes bytes of the result. */
export declare function takeOutput(at: usize, length: i32): void;

/** Copies bytes of the source from `position` on to an address. @returns how many: fewer than asked for at its end only */
export declare function readSource(position: i32, target: usize, size: i32): i32;
