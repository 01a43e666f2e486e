/** Functions of the host. If the host throws, they do not return. */

/** Declines the picture: it is damaged or exceeds a limit. @param reason index in the host's list */
export declare function decline(reason: i32): void;
/** Copies bytes of the file to `at`. */
export declare function readFile(at: usize, start: i32, length: i32): void;
/** Takes coded bytes. */
export declare function writeFile(at: usize, length: i32): void;

/** Indexes in the host's list of reasons. */
export const NO_SUCH_CODE: i32 = 0;
export const DATA_CUT_OFF: i32 = 1;
export const DC_TOO_LARGE: i32 = 2;
export const AC_TOO_LARGE: i32 = 3;
export const RUN_TOO_LONG: i32 = 4;
export const REFINEMENT_TOO_LARGE: i32 = 5;
export const RESTART_MISSING: i32 = 6;
export const TOO_MANY_COEFFICIENTS: i32 = 7;
