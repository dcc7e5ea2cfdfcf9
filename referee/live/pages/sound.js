// Collects the microphone's samples, unchanged, with the number of the first one.
const BLOCK = 1024;

class Collector extends AudioWorkletProcessor {
  constructor({ processorOptions }) {
    super();
    this.channels = processorOptions.channels;
    this.begin(0);
  }

  begin(frame) {
    this.first = frame;
    this.filled = 0;
    this.samples = new Int16Array(BLOCK * this.channels);
  }

  process([input]) {
    if (!input.length) {
      return true;
    }
    if (this.filled === 0) {
      this.first = currentFrame;
    }
    const length = input[0].length;
    for (let channel = 0; channel < this.channels; channel += 1) {
      const source = input[channel] ?? input[0];
      for (let i = 0; i < length; i += 1) {
        const value = Math.round(source[i] * 32768);
        this.samples[(this.filled + i) * this.channels + channel] = Math.max(-32768, Math.min(32767, value));
      }
    }
    this.filled += length;
    if (this.filled >= BLOCK) {
      this.port.postMessage({ first: this.first, frames: this.filled, samples: this.samples }, [this.samples.buffer]);
      this.begin(currentFrame + length);
    }
    return true;
  }
}

registerProcessor("collector", Collector);
