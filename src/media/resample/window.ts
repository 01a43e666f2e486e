export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The part of a picture that is shown, in its own pixels, which may be fractional, and the size to which it is scaled. */
export interface Window extends Size {
  readonly left: number;
  readonly top: number;
  readonly result: Size;
}

/** Chooses the window of an upright picture. */
export type ChooseWindow = (upright: Size) => Window;

/** The whole picture at another size. */
export function wholeWindow({ width, height }: Size, result: Size): Window {
  return { left: 0, top: 0, width, height, result };
}

/**
 * The same window in the pixels as they are stored.
 * @param stored the stored picture's size
 * @param orientation of Exif, which makes the picture upright
 */
export function storedWindow(choose: ChooseWindow, stored: Size, orientation: number): Window {
  const isTurned = orientation >= 5;
  const upright = isTurned ? { width: stored.height, height: stored.width } : stored;
  const { left, top, width, height, result } = choose(upright);
  const isBottomUp = [3, 4, 7, 8].includes(orientation);
  const isRightToLeft = [2, 3, 6, 7].includes(orientation);
  const across = { at: isRightToLeft ? upright.width - left - width : left, length: width };
  const down = { at: isBottomUp ? upright.height - top - height : top, length: height };
  const [x, y] = isTurned ? [down, across] : [across, down];
  return {
    left: x.at,
    top: y.at,
    width: x.length,
    height: y.length,
    result: isTurned ? { width: result.height, height: result.width } : result,
  };
}
