/** Facts that a camera wrote into a file (TAKEN-1). */
export interface CameraFacts {
  /**
   * The time of the picture, or of the film's beginning, in milliseconds since the epoch. A camera's clock without an offset from UTC is read
   * as UTC.
   */
  readonly takenAt: number | null;
  /** Maker and model. */
  readonly camera: string | null;
  readonly lens: string | null;
}

export const NO_CAMERA: CameraFacts = { takenAt: null, camera: null, lens: null };
