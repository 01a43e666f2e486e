import { oneBlockJpeg } from "./one-block-jpeg.ts";
import { joinJpeg, makeSegment, splitJpeg } from "./segments.ts";

/** A sound photo that browsers do not decode, and other programs do. */
export interface RareJpeg {
  readonly label: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  /** Whether the libvips of the media processor decodes it. */
  readonly isDecoded: boolean;
}

const [WIDTH, HEIGHT] = [16, 12];
const [SOF0, DHT, SOS, DHP, EXP] = [0xc0, 0xc4, 0xda, 0xde, 0xdf];

/** Gradients of 16 by 12 pixels as libjpeg-turbo 3.1.3 wrote them (`cjpeg -precision`, `-lossless`). */
const LIBJPEG_TURBO = {
  "12 bits a sample, grey":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYU" +
    "GBIUFRT/wQALDAAMABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAADAn/xAAgEAAABAYDAAAAAAAAAAAAAAAACydUAwkKN0NiRWNy/9oACAEBAAA/" +
    "ADNZZGSwWoQlrxXnULYCyMlgtQhLXivOotuWR0rEupKEca5YOvSFsBZHSsS6koRxrlg69I//2Q==",
  "12 bits a sample, in colour":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYU" +
    "GBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wQARDAAMABAD" +
    "ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAADAr/xAAhEAAAAwgDAAAAAAAAAAAAAAAACiUBBgcJJzdTYUFDcf/EABUBAQEAAAAAAAAAAAAA" +
    "AAAAAAkK/8QAJBEAAAIIBwAAAAAAAAAAAAAAAAgCAwQFCgsjQyQmQURiY9P/2gAMAwEAAhEDEQA/AIRCH8yi3ipg7PAjIIfzKLeKmDs8BPEh/HZ8" +
    "KeKODhuthGQRAjs+FPFHBw3Wwzczcgjyx56qse4tJ8uoUEE1l05OsLWd+llZ4j//2Q==",
  "a lossless frame, grey":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/wwALCAAMABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABAj/2gAIAQEAAQAAn9CUJQlCUJQlCULQlCUJQlCU" +
    "JQlDEJQlCUJQlCUJQtCUJQlCUJQlCUMQlCUJQlCUJQlC0JQlCUJQlCUJQxCUJQlCUJQlCUMQlCUJQlCUJQlC0JQlCUJQlCUJQxCUJQlCUJQlCULQ" +
    "lCUJQlCUJQlDEJQlCUJQlCUJR//Z",
  "a lossless frame of 12 bits a sample":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/wwALDAAMABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAACAz/2gAIAQEAAQAAn/0QiUQiUQiUQiUQiUQiUQiU" +
    "QukQiUQiUQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQ" +
    "iUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUQu0QiUQiUQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUQukQiUQi" +
    "UQiUQiUQiUQiUQiUQukQiUQiUQiUQiUQiUQiUQiUR//Z",
  "a lossless frame of 16 bits a sample":
    "/9j/4AAQSkZJRgABAQAAAQABAAD/wwALEAAMABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAADBD/2gAIAQEAAQAAkRCIlEQiJREIiURCIlEQiJRE" +
    "IiURCIlEQuiREIiURCIlEQiJREIiURCIlEQiJREIiURC6NEQiJREIiURCIlEQiJREIiURCIlEQiJRELo0RCIlEQiJREIiURCIlEQiJREIiURCIlE" +
    "QujREIiURCIlEQiJREIiURCIlEQiJREIiURC6NEQiJREIiURCIlEQiJREIiURCIlEQiJRELo0RCIlEQiJREIiURCIlEQiJREIiURCIlEQujREIiU" +
    "RCIlEQiJREIiURCIlEQiJREIiURC6JEQiJREIiURCIlEQiJREIiURCIlEQiJRELo0RCIlEQiJREIiURCIlEQiJREIiURCIlEQujREIiURCIlEQiJ" +
    "REIiURCIlEQiJREIiURC6NEQiJREIiURCIlEQiJREIiURCIlEQiJREf/2Q==",
  "a lossless frame, in colour":
    "/9j/7gAOQWRvYmUAZAAAAAAA/8MAEQgADAAQA1IRAEcRAEIRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAQBCP/aAAwDUgBHAEIAAQAAz/IhB0pMhB0p" +
    "MhB0pMhB0pMhB0pMhB0pMhB0pMhB1jWhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB2EYhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB1jWh" +
    "B0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB2EYhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB1jWhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0" +
    "pMhB2DYhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB2EYhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB1jWhB0pMhB0pMhB0pMhB0pMhB0pM" +
    "hB0pMhB0pMhB2EYhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB1jWhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB0pMhB2EYhB0pMhB0pMhB0pMhB" +
    "0pMhB0pMhB0pMhB0pMhB/wD/2Q==",
};

/** A frame header of one component. */
const frameOf = (width: number, height: number) => [8, 0, height, 0, width, 1, 1, 0x11, 0];

/**
 * Two frames in a hierarchy (T.81, annex J): the first has 8 by 8 pixels, which the second, differential one doubles in each direction. The
 * DHP segment has the size of the whole. No current encoder writes such files.
 */
function hierarchical(): Buffer {
  const { segments } = splitJpeg(oneBlockJpeg(SOF0, [{ ss: 0, se: 63, bits: "00" }]));
  const [tables, scan] = [
    segments.filter(({ marker }) => marker === DHT),
    segments.filter(({ marker }) => marker === SOS),
  ];
  const before = segments.filter(({ marker }) => marker !== DHT && marker !== SOS && marker !== SOF0);
  return joinJpeg([
    ...before,
    makeSegment(DHP, frameOf(WIDTH, HEIGHT)),
    ...[makeSegment(SOF0, frameOf(8, 6)), ...tables, ...scan],
    ...[makeSegment(EXP, [0x11]), makeSegment(0xc5, frameOf(WIDTH, HEIGHT))],
    ...scan.map((one) => ({ ...one, data: Uint8Array.of(0) })),
  ]);
}

/** The arithmetic kinds differ from these in their frame's marker. */
export const RARE_JPEGS: readonly RareJpeg[] = [
  ...Object.entries(LIBJPEG_TURBO).map(([label, base64]) => ({ label, bytes: Buffer.from(base64, "base64") })),
  { label: "a hierarchy of frames", bytes: hierarchical() },
].map(({ label, bytes }) => ({
  label: `a JPEG with ${label}`,
  bytes: new Uint8Array(bytes),
  width: WIDTH,
  height: HEIGHT,
  isDecoded: label.startsWith("a lossless frame,"),
}));
