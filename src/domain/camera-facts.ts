/** How a picture was exposed. A fact that the camera did not write is null; one of them is known. */
export interface Exposure {
  readonly shutterSeconds: number | null;
  /** The f-number. */
  readonly aperture: number | null;
  readonly iso: number | null;
  /** As the lens has it, without the factor of the sensor's size. */
  readonly focalLengthMm: number | null;
}

/** The place of a picture or film in signed decimal degrees (WGS 84): north and east are positive. */
export interface Location {
  readonly latitude: number;
  readonly longitude: number;
}

/** The place with six decimals, a tenth of a metre. Null if it does not exist on Earth. */
export function toLocation(latitude: number, longitude: number): Location | null {
  const exists = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return exists ? { latitude: toMicroDegrees(latitude), longitude: toMicroDegrees(longitude) } : null;
}

/** Adding zero makes -0 a 0. */
function toMicroDegrees(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6 + 0;
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
  /** The place (TAKEN-3). A stored file has it only if its stored bytes have it. */
  readonly location: Location | null;
}

export const NO_CAMERA: CameraFacts = { takenAt: null, camera: null, lens: null, exposure: null, location: null };
