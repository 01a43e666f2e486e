/** How a picture was exposed. A fact that the camera did not write is null; one of them is known. */
export interface Exposure {
  readonly shutterSeconds: number | null;
  /** The f-number. */
  readonly aperture: number | null;
  readonly iso: number | null;
  /** As the lens has it, without the factor of the sensor's size. */
  readonly focalLengthMm: number | null;
}

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
  /** Null if the camera wrote none of its facts. */
  readonly exposure: Exposure | null;
}

export const NO_CAMERA: CameraFacts = { takenAt: null, camera: null, lens: null, exposure: null };
