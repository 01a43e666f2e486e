/** The one demuxer that is tried for each sniffed type. */
const DEMUXERS: ReadonlyMap<string, { name: string; whitelist: string; options: readonly string[] }> = new Map([
  ["video/mp4", mov()],
  ["video/quicktime", mov()],
  ["video/webm", { name: "matroska", whitelist: "matroska,webm", options: [] }],
  ["video/x-msvideo", { name: "avi", whitelist: "avi", options: [] }],
]);

/** A QuickTime movie may name other files that hold its data (data references). ffmpeg does not open them. */
function mov() {
  return {
    name: "mov",
    whitelist: "mov,mp4,m4a,3gp,3g2,mj2",
    options: ["-enable_drefs", "0", "-use_absolute_path", "0"],
  };
}

/** Video codecs that cameras, phones, browsers, editors and screen recorders write: a smaller attack surface than all of ffmpeg's. */
const DECODERS = [
  "h264,hevc,vp8,vp9,libvpx,libvpx-vp9,libdav1d,libaom-av1,av1",
  "mpeg4,msmpeg4v1,msmpeg4v2,msmpeg4,h263,h263p,h263i,flv,mpeg1video,mpeg2video",
  "wmv1,wmv2,wmv3,vc1,vp6,vp6f,theora,svq1,svq3,cinepak,indeo3,indeo5",
  "mjpeg,jpeg2000,libopenjpeg,dvvideo,prores,prores_lgpl,dnxhd,cfhd,hap",
  "rawvideo,v210,v408,v410,r210,png,qtrle,rpza,smc,msrle,msvideo1",
  "huffyuv,ffvhuff,ffv1,utvideo,lagarith,magicyuv",
].join(",");

const MAX_ALLOC_BYTES = 512 * 1024 * 1024;
/** The probe is short, because ffmpeg would decode up to 20 frames for facts that the first frame gives. */
const PROBE_BYTES = 32;
/** The system's default would put megabytes into the socket that ffmpeg never reads. */
const SOCKET_BYTES = 256 * 1024;
/** The time after a run's start position in which it searches for a frame. */
const WINDOW_SECONDS = 10;
/** Larger frames are scaled down to 4K before they leave ffmpeg. */
const MAX_SIDE = 4096;
/** Tone mapping takes 12 bytes a pixel, so its input is scaled down first. */
const MAX_HDR_SIDE = 1280;
/** Many frames are in memory until the last one is known. */
const MAX_LAST_SIDE = 1920;
/** Brightness of paper white in high dynamic range (ITU-R BT.2408). Only brighter pixels are compressed. */
const DIFFUSE_WHITE_NITS = 203;
/** A capital V leaves out attached pictures: a song's cover is not a video. */
const FIRST_VIDEO = ["-map", "0:V:0", "-frames:v", "1"];
export const MAX_FRAME_BYTES = MAX_SIDE * MAX_SIDE * 3 + 64;

export const VIDEO_TYPES: ReadonlySet<string> = new Set(DEMUXERS.keys());

export interface FrameRequest {
  url: string;
  type: string;
  /** Undefined takes the first frame. */
  atSeconds: number | undefined;
  /** The width of the thumbnail that is made of the frame. Other frames keep their size, up to 4K. */
  thumbnailWidth: number | undefined;
  maxPixels: number;
  /** Skips the walk through all fragments of a movie without an index. The duration then stays unknown. */
  ignoresIndex: boolean;
  /** Takes the last frame after `atSeconds`, which must be near the end, because all frames from there on are kept in memory. */
  isLast?: boolean;
  /** Maps the brightness of a video with this transfer function to standard range. */
  hdrTransfer: string | undefined;
}

/** ffmpeg's arguments to write one frame as PPM to standard output, and `showinfo`'s report about it to standard error. */
export function frameArguments(request: FrameRequest): string[] {
  const { url, type, atSeconds, maxPixels, ignoresIndex } = request;
  return [
    ...sourceArguments(type),
    // Another thread would decode frames after the wanted one. Videos are made into thumbnails side by side instead.
    ...["-threads", "1", "-max_pixels", String(maxPixels)],
    // A frame that is cut off, by the file's end or by the bound on reading, would be half gray.
    ...["-fflags", ignoresIndex ? "+discardcorrupt+ignidx" : "+discardcorrupt"],
    ...(atSeconds === undefined ? [] : ["-ss", String(atSeconds)]),
    ...["-t", String(WINDOW_SECONDS), "-i", url],
    ...[...FIRST_VIDEO, "-vf", filters(request)],
    // Tags that are not in the output's description cannot imitate other lines of the log (`ownWords`).
    ...["-map_metadata", "-1", "-map_chapters", "-1"],
    ...["-c:v", "ppm", "-f", "image2pipe", "pipe:1"],
  ];
}

/** ffmpeg's arguments to copy the first packet of the video track to standard output. */
export function packetArguments({ url, type, ignoresIndex }: Pick<FrameRequest, "url" | "type" | "ignoresIndex">) {
  const flags = ignoresIndex ? ["-fflags", "+ignidx"] : [];
  // A stream may begin between two key frames.
  const copy = ["-c:v", "copy", "-copyinkf", "-f", "data", "pipe:1"];
  return [...sourceArguments(type), ...flags, "-i", url, ...FIRST_VIDEO, ...copy];
}

function sourceArguments(type: string): string[] {
  const demuxer = DEMUXERS.get(type);
  if (demuxer === undefined) throw new Error(`No demuxer for ${type}`);
  return [
    ...["-nostdin", "-loglevel", "info", "-max_alloc", String(MAX_ALLOC_BYTES)],
    ...["-protocol_whitelist", "http,tcp", "-format_whitelist", demuxer.whitelist, "-codec_whitelist", DECODERS],
    ...["-f", demuxer.name, ...demuxer.options, "-recv_buffer_size", String(SOCKET_BYTES)],
    ...["-probesize", String(PROBE_BYTES)],
  ];
}

const SCALE_FLAGS = "full_chroma_int+accurate_rnd";

function filters({ thumbnailWidth, hdrTransfer, isLast = false }: FrameRequest): string {
  const order = isLast ? ["reverse"] : [];
  if (hdrTransfer === undefined) {
    const size = thumbnailWidth === undefined ? fit(isLast ? MAX_LAST_SIDE : MAX_SIDE) : shrink(thumbnailWidth);
    return ["showinfo", size, ...order, "format=rgb24"].join(",");
  }
  return [
    "showinfo",
    fit(MAX_HDR_SIDE),
    ...order,
    `zscale=transferin=${hdrTransfer}:primariesin=bt2020:matrixin=bt2020nc:transfer=linear:npl=${DIFFUSE_WHITE_NITS}`,
    "format=gbrpf32le",
    "zscale=primaries=bt709",
    "tonemap=mobius:desat=0",
    "zscale=transfer=bt709:matrix=bt709:range=tv",
    "format=yuv444p",
    `scale=flags=${SCALE_FLAGS}`,
    "format=rgb24",
  ].join(",");
}

function fit(side: number): string {
  return `scale=w=min(iw\\,${side}):h=min(ih\\,${side}):force_original_aspect_ratio=decrease:flags=bicubic+${SCALE_FLAGS}`;
}

/** Makes both sides as small as the thumbnail's, so that only its few pixels are converted to RGB. Neither side is enlarged. */
function shrink(width: number): string {
  const height = `max(1\\,round(${width}/dar))`;
  return `scale=w=min(iw\\,${width}):h=min(min(ih\\,${MAX_SIDE})\\,${height}):flags=lanczos+${SCALE_FLAGS}`;
}
