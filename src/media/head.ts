/** Facts from an image's first bytes. */
export interface Head {
  /** Pixels, as a viewer displays the image; 0 while unknown. */
  readonly width: number;
  readonly height: number;
  /** Whether any program shows anything of the image; undefined if the bytes end too early to decide. */
  readonly shows: boolean | undefined;
}

export const UNKNOWN_HEAD: Head = { width: 0, height: 0, shows: undefined };

/** A side of 0 means that there is no picture, so the other side is dropped, too. */
export function headOf(width: number, height: number, shows: boolean | undefined): Head {
  return width > 0 && height > 0 ? { width, height, shows } : { ...UNKNOWN_HEAD, shows };
}
