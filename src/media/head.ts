/** What the first bytes of an image tell. */
export interface Head {
  /** In pixels, as a viewer displays the image; 0 while it is not known. */
  readonly width: number;
  readonly height: number;
  /** Whether a browser shows anything of it; undefined where the bytes end too early to tell. */
  readonly shows: boolean | undefined;
}

/** Nothing is known yet. */
export const UNKNOWN_HEAD: Head = { width: 0, height: 0, shows: undefined };

/** A side of 0 says that there is no picture, so the other one says nothing either. */
export function headOf(width: number, height: number, shows: boolean | undefined): Head {
  return width > 0 && height > 0 ? { width, height, shows } : { ...UNKNOWN_HEAD, shows };
}
