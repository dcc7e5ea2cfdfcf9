// The microphone: nothing may be done to its sound, and what the browser does nevertheless is read back.
import { Mapping } from "/file/clock.js";

export const RAW = {
  echoCancellation: false,
  noiseSuppression: false,
  autoGainControl: false,
  channelCount: { ideal: 2 },
  sampleRate: { ideal: 48000 },
};

export function readBack(track) {
  const set = track.getSettings();
  return {
    echoCancellation: set.echoCancellation ?? null,
    noiseSuppression: set.noiseSuppression ?? null,
    autoGainControl: set.autoGainControl ?? null,
  };
}

export class Microphone {
  // Calls `took(first sample's index, Int16Array)`.
  constructor(stream, took) {
    this.track = stream.getAudioTracks()[0];
    this.stream = stream;
    this.took = took;
    this.channels = Math.min(2, this.track.getSettings().channelCount ?? 1);
    this.latency = 1000 * (this.track.getSettings().latency ?? 0.01);
    this.mapping = new Mapping();
    this.base = null;
    this.level = 0;
  }

  async open() {
    this.context = new AudioContext({ sampleRate: 48000, latencyHint: "interactive" });
    this.rate = this.context.sampleRate;
    await this.context.audioWorklet.addModule("/file/sound.js");
    this.node = new AudioWorkletNode(this.context, "collector", {
      numberOfOutputs: 0,
      channelCount: this.channels,
      channelCountMode: "explicit",
      channelInterpretation: "discrete",
      processorOptions: { channels: this.channels },
    });
    this.node.port.onmessage = ({ data }) => this.block(data);
    this.source = this.context.createMediaStreamSource(this.stream);
    this.source.connect(this.node);
    this.context.addEventListener("statechange", () => {
      if (this.context.state !== "running" && this.context.state !== "closed") {
        this.context.resume().catch(() => {});
      }
    });
    await this.context.resume();
  }

  block({ first, frames, samples }) {
    const arrived = performance.now();
    if (this.base === null) {
      this.base = first;
    }
    const device = (1000 * (first + frames)) / this.rate;
    const leap = this.mapping.saw(device, arrived);
    if (leap) {
      // The device stood still while time went on (a call, a locked screen): the samples after it are later by so much.
      this.base -= Math.round((leap * this.rate) / 1000);
    }
    const used = samples.subarray(0, frames * this.channels);
    let peak = 0;
    for (let i = 0; i < used.length; i += 8) {
      peak = Math.max(peak, Math.abs(used[i]));
    }
    this.level = peak / 32768;
    this.took(first - this.base, used);
  }

  get ready() {
    return this.base !== null;
  }

  // When, on the page's clock, the session's time zero was: what was heard then had been in the air a little earlier.
  zero() {
    const leapt = this.base;
    return this.mapping.page((1000 * leapt) / this.rate) - this.latency;
  }

  // Let go of the sound, and keep the device for the next game.
  release() {
    if (this.node) {
      this.node.port.onmessage = null;
    }
    this.context?.close();
  }

  close() {
    this.track.stop();
    this.release();
  }
}
