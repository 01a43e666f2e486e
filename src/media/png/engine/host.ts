/** Takes bytes of the result. */
export declare function takeOutput(at: usize, length: i32): void;

/** Copies bytes of the source from `position` to an address. @returns their number: less than `size` only at the source's end */
export declare function readSource(position: i32, target: usize, size: i32): i32;
