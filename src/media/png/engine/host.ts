/** Takes bytes of the result. */
export declare function takeOutput(at: usize, length: i32): void;
