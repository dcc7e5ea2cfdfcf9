// One clock for picture and sound. A device's own time is mapped to the page's by the least delay that was seen; the least may
// creep up slowly, so that clocks which run apart by up to 100 millionths are followed.
const CREEP = 1e-4;
const LEAP = 250; // milliseconds: more is no delay but a pause of the device
const SURE = 25;

export class Mapping {
  constructor() {
    this.offset = null;
    this.at = 0;
    this.late = 0;
    this.leaps = 0;
  }

  // Take a device's time and when it arrived, both in milliseconds. Gives how far the device's clock has leapt, mostly 0.
  saw(device, arrived) {
    const offset = arrived - device;
    if (this.offset === null) {
      this.offset = offset;
      this.at = arrived;
      return 0;
    }
    const crept = this.offset + (arrived - this.at) * CREEP;
    this.at = arrived;
    if (offset - crept > LEAP) {
      this.late += 1;
      this.least = this.late === 1 ? offset : Math.min(this.least, offset);
      if (this.late < SURE) {
        this.offset = crept;
        return 0;
      }
      const leap = this.least - crept;
      this.offset = this.least;
      this.late = 0;
      this.leaps += 1;
      return leap;
    }
    this.late = 0;
    this.offset = Math.min(crept, offset);
    return 0;
  }

  page(device) {
    return device + this.offset;
  }
}
