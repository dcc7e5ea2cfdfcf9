// The camera: pictures of one size, upright, encoded as they come, each with the time at which it was taken.
import { Mapping } from "/file/clock.js";

export const PLEASE = {
  facingMode: { ideal: "environment" },
  width: { ideal: 1280 },
  height: { ideal: 720 },
  frameRate: { ideal: 30 },
};
const BITS = 5e6;
const ALONE_EVERY = 2000; // milliseconds
const CODECS = [
  { codec: "avc1.42E028", avc: { format: "annexb" } },
  { codec: "vp8" },
  { codec: "vp09.00.31.08" },
];

export async function choose(width, height) {
  for (const one of CODECS) {
    const config = { ...one, width, height, bitrate: BITS, framerate: 30, latencyMode: "realtime" };
    try {
      if ((await VideoEncoder.isConfigSupported(config)).supported) {
        return config;
      }
    } catch {
      // the next one
    }
  }
  return null;
}

export class Eye {
  // Calls `took(page time in ms, alone, Uint8Array)`.
  constructor(stream, video, took) {
    this.track = stream.getVideoTracks()[0];
    this.video = video;
    this.took = took;
    this.rate = 30;
    this.mapping = new Mapping();
    this.last = -1e9;
    this.alone = -1e9;
    this.times = new Map();
    this.turned = false;
    this.dropped = 0;
    this.over = false;
  }

  async open(long) {
    const { videoWidth: wide, videoHeight: high } = this.video;
    const scale = Math.min(1, long / Math.max(wide, high));
    this.width = 2 * Math.round((wide * scale) / 2);
    this.height = 2 * Math.round((high * scale) / 2);
    this.config = await choose(this.width, this.height);
    if (!this.config) {
      return false;
    }
    this.canvas = new OffscreenCanvas(this.width, this.height);
    this.paint = this.canvas.getContext("2d", { alpha: false, desynchronized: true });
    this.encoder = new VideoEncoder({ output: (chunk) => this.encoded(chunk), error: () => this.again() });
    this.encoder.configure(this.config);
    return true;
  }

  start() {
    if (typeof MediaStreamTrackProcessor === "function") {
      this.read(new MediaStreamTrackProcessor({ track: this.track, maxBufferSize: 2 }).readable.getReader());
    } else {
      this.watch();
    }
  }

  async read(reader) {
    while (!this.over) {
      const { value, done } = await reader.read();
      if (done) {
        return;
      }
      this.mapping.saw(value.timestamp / 1000, performance.now());
      this.picture(value, this.mapping.page(value.timestamp / 1000), value.displayWidth, value.displayHeight);
      value.close();
    }
  }

  watch() {
    this.video.requestVideoFrameCallback((now, about) => {
      if (this.over) {
        return;
      }
      this.picture(this.video, about.captureTime ?? now, this.video.videoWidth, this.video.videoHeight);
      this.watch();
    });
  }

  picture(image, taken, wide, high) {
    this.turned = wide > high !== this.width > this.height;
    if (taken - this.last < 1000 / this.rate - 6 || this.turned || this.paused) {
      return;
    }
    if (this.encoder.state !== "configured" || this.encoder.encodeQueueSize > 3) {
      this.dropped += 1;
      return;
    }
    this.last = taken;
    this.paint.drawImage(image, 0, 0, this.width, this.height);
    const stamp = Math.round(taken * 1000);
    const frame = new VideoFrame(this.canvas, { timestamp: stamp });
    const alone = taken - this.alone > ALONE_EVERY;
    if (alone) {
      this.alone = taken;
    }
    this.encoder.encode(frame, { keyFrame: alone });
    frame.close();
  }

  encoded(chunk) {
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    this.took(chunk.timestamp / 1000, chunk.type === "key", data);
  }

  again() {
    this.encoder = new VideoEncoder({ output: (chunk) => this.encoded(chunk), error: () => this.again() });
    this.encoder.configure(this.config);
    this.alone = -1e9;
  }

  // Let go of the pictures, and keep the device for the next game.
  release() {
    this.over = true;
    if (this.encoder?.state === "configured") {
      this.encoder.close();
    }
  }

  close() {
    this.track.stop();
    this.release();
  }
}
