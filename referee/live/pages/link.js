// A connection that comes back: what may be needed again is held and sent again, in order.
const HEADER = 16;
const MOST_KEPT = 96e6; // bytes: a minute and more of picture and sound
const MOST_ON_WAY = 6e6;
const MOST = { 1: 2e6, 2: 2e5 }; // bytes of a picture, of a sound: the server ends the socket of whoever sends more

export const PICTURE = 1;
export const SOUND = 2;

export class Link {
  constructor(path, hello, heard) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
    this.hello = hello;
    this.heard = heard;
    this.kept = [];
    this.bytes = 0;
    this.sequence = 0;
    this.next = 0; // index into `kept` of what is sent next
    this.open = false;
    this.over = false;
    this.wait = 300;
    this.connect();
    this.timer = setInterval(() => this.flush(), 20);
  }

  connect() {
    if (this.over) {
      return;
    }
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ ...this.hello, marks: this.marks() }));
    socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    socket.onclose = (event) => {
      if (this.socket !== socket) {
        return;
      }
      this.open = false;
      this.heard({ type: "lost", code: event.code, reason: event.reason });
      if (event.code !== 1008) {
        setTimeout(() => this.connect(), this.wait);
        this.wait = Math.min(this.wait * 1.6, 4000);
      }
    };
  }

  take(message) {
    if (message.type === "ready") {
      this.next = this.kept.findIndex((one) => one.sequence >= message.expected);
      this.next = this.next < 0 ? this.kept.length : this.next;
      this.open = true;
      this.wait = 300;
      this.flush();
    } else if (message.type === "got") {
      this.forget(message.safe);
    }
    this.heard(message);
  }

  // Pictures that stand alone and are still held: a server that died goes on from one of them.
  marks() {
    return this.kept.filter((one) => one.mark !== null).slice(-400).map((one) => [one.sequence, one.mark]);
  }

  forget(safe) {
    while (this.kept.length && this.kept[0].sequence < safe && this.next > 0) {
      this.bytes -= this.kept.shift().data.byteLength;
      this.next = Math.max(0, this.next - 1);
    }
  }

  send(kind, alone, stamp, payload) {
    if (payload.byteLength > MOST[kind]) {
      this.sequence += 1; // missed, as if it had been lost; sent, it would be refused again after every coming back
      return;
    }
    const data = new ArrayBuffer(HEADER + payload.byteLength);
    const view = new DataView(data);
    view.setUint8(0, kind);
    view.setUint8(1, alone ? 1 : 0);
    view.setUint32(4, this.sequence);
    view.setBigInt64(8, BigInt(Math.round(stamp)));
    new Uint8Array(data, HEADER).set(payload);
    const mark = kind === PICTURE && alone ? Math.round(stamp / 1000) : null;
    this.kept.push({ sequence: this.sequence, mark, data });
    this.bytes += data.byteLength;
    this.sequence += 1;
    while (this.bytes > MOST_KEPT) {
      this.bytes -= this.kept.shift().data.byteLength;
      this.next = Math.max(0, this.next - 1);
    }
    this.flush();
  }

  /** Whether the server has said where to begin and the socket still takes anything: one that closes does not. */
  get ready() {
    return this.open && this.socket.readyState === WebSocket.OPEN;
  }

  flush() {
    while (this.ready && this.next < this.kept.length && this.socket.bufferedAmount < MOST_ON_WAY) {
      this.socket.send(this.kept[this.next].data);
      this.next += 1;
    }
  }

  say(order) {
    if (this.ready) {
      this.socket.send(JSON.stringify(order));
    }
  }

  get unsent() {
    return this.kept.length - this.next;
  }

  close() {
    this.over = true;
    clearInterval(this.timer);
    this.socket.close(1000);
  }
}
