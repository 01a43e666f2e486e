/** A picture in a frame, in CSS pixels. */
export interface View {
  /** CSS pixels of the screen for each pixel of the picture. */
  readonly scale: number;
  /** The distance from the frame's middle to the picture's middle. */
  readonly x: number;
  readonly y: number;
}

export interface Sizes {
  readonly frame: { readonly width: number; readonly height: number };
  /** The picture's size in its own pixels, which may be smaller than pixels of CSS (`pixelRatio`). */
  readonly picture: { readonly width: number; readonly height: number };
  readonly pixelRatio: number;
}

const MOST = 8;

/** The scale at which each pixel of the picture is one pixel of the screen. */
function fullScale({ pixelRatio }: Sizes): number {
  return 1 / pixelRatio;
}

/** The scale at which the whole picture is visible; a small picture is not enlarged. */
function fitScale(sizes: Sizes): number {
  const { frame, picture } = sizes;
  if (picture.width === 0 || picture.height === 0) return fullScale(sizes);
  return Math.min(fullScale(sizes), frame.width / picture.width, frame.height / picture.height);
}

export function fit(sizes: Sizes): View {
  return { scale: fitScale(sizes), x: 0, y: 0 };
}

export function isFit(view: View, sizes: Sizes): boolean {
  return view.scale <= fitScale(sizes) * 1.001;
}

/**
 * Zooms about a point, which stays in place.
 * @param scale limited to between the fitting scale and eight times the picture's own size
 * @param at the point, from the frame's middle
 */
export function zoomTo(view: View, scale: number, at: { readonly x: number; readonly y: number }, sizes: Sizes): View {
  const least = fitScale(sizes);
  const next = Math.min(Math.max(scale, least), Math.max(least, MOST * fullScale(sizes)));
  const ratio = next / view.scale;
  return hold({ scale: next, x: at.x - (at.x - view.x) * ratio, y: at.y - (at.y - view.y) * ratio }, sizes);
}

/** Switches between the whole picture and its own pixels. A picture that fits at that size is doubled. */
export function toggleZoom(view: View, at: { readonly x: number; readonly y: number }, sizes: Sizes): View {
  if (!isFit(view, sizes)) return fit(sizes);
  const full = fullScale(sizes);
  return zoomTo(view, fitScale(sizes) < full * 0.999 ? full : full * 2, at, sizes);
}

export function pan(view: View, dx: number, dy: number, sizes: Sizes): View {
  return hold({ ...view, x: view.x + dx, y: view.y + dy }, sizes);
}

/** Limits the position: a picture larger than its frame covers the frame, and a smaller picture stays centred. */
function hold({ scale, x, y }: View, { frame, picture }: Sizes): View {
  const within = (value: number, size: number, room: number) => {
    const most = Math.max(0, (size * scale - room) / 2);
    // Avoids minus zero.
    return Math.min(most, Math.max(-most, value)) + 0;
  };
  return { scale, x: within(x, picture.width, frame.width), y: within(y, picture.height, frame.height) };
}

/** The factor by which a wheel event changes the scale. @param deltaY in pixels, lines (mode 1) or pages (mode 2) */
export function wheelFactor(deltaY: number, deltaMode: number, isPinch: boolean): number {
  const pixels = deltaY * (deltaMode === 1 ? 16 : deltaMode === 2 ? 400 : 1);
  return Math.exp(-Math.max(-400, Math.min(400, pixels)) * (isPinch ? 0.01 : 0.002));
}
