// The phone above the table: asks for camera and microphone, streams them, and shows what the referee sees.
import { chooser, decimal, fill, language, ready, word } from "/file/words.js";
import { Eye, PLEASE } from "/file/eye.js";
import { Microphone, RAW, readBack } from "/file/microphone.js";
import { Link, PICTURE, SOUND } from "/file/link.js";

const at = (id) => document.getElementById(id);
const video = at("video");
const marks = at("marks");
let link = null;
let eye = null;
let microphone = null;
let stream = null;
let state = null;
let again = null;
let awake = null;
let paused = false;
let lost = false;
let friendly = false;

const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

// A ranked table refuses sound that the browser alters: people may play all the same, unranked.
function startFriendly() {
  friendly = true;
  start();
}

async function start() {
  at("friendly").hidden = true;
  at("start").disabled = true;
  at("trouble").textContent = "";
  try {
    await open();
  } catch (error) {
    at("trouble").textContent = explain(error);
    at("start").disabled = false;
  }
}

function explain(error) {
  const known = { NotAllowedError: "camera.denied", NotFoundError: "camera.none", NotReadableError: "camera.busy" };
  return word(known[error?.name] ?? "camera.failed", { why: String(error?.message ?? error) });
}

async function open() {
  if (!navigator.mediaDevices?.getUserMedia) {
    throw new Error(word("camera.insecure"));
  }
  if (typeof VideoEncoder !== "function" || typeof AudioWorkletNode !== "function") {
    throw new Error(word("camera.old"));
  }
  stream ??= await navigator.mediaDevices.getUserMedia({ audio: RAW, video: PLEASE });
  video.srcObject = stream;
  await video.play();
  await stayAwake();
  await begin();
}

async function begin() {
  link?.close();
  eye?.release();
  microphone?.release();
  const early = [];
  microphone = new Microphone(stream, (first, samples) => {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    if (paused) {
      return;
    }
    if (link) {
      link.send(SOUND, true, first, bytes);
    } else {
      early.push([first, bytes]);
    }
  });
  link = null;
  await microphone.open();
  eye = new Eye(stream, video, (taken, alone, data) => {
    const time = taken - microphone.zero();
    if (microphone.ready && time >= 0 && link) {
      link.send(PICTURE, alone, 1000 * time, data);
    }
  });
  const how = await (await fetch("/camera/how")).json();
  eye.rate = how.rate;
  if (!(await eye.open(how.long))) {
    throw new Error(word("camera.old"));
  }
  while (!microphone.ready) {
    await new Promise((done) => setTimeout(done, 10));
  }
  link = new Link("/camera/socket", {
    session: random(),
    rate: microphone.rate,
    channels: microphone.channels,
    codec: eye.config.codec,
    width: eye.width,
    height: eye.height,
    sound: readBack(microphone.track),
    friendly,
  }, heard);
  for (const [first, bytes] of early) {
    link.send(SOUND, true, first, bytes);
  }
  eye.start();
  again = null;
  at("start").hidden = true;
  at("pause").hidden = false;
  at("end").hidden = false;
  // For tests and for the curious: when this session's time zero was, on the clock of the day.
  document.body.dataset.zero = String(performance.timeOrigin + microphone.zero());
}

function heard(message) {
  lost = message.type === "lost" || message.type === "taken" || message.type === "unranked";
  if (message.type === "state") {
    state = message;
    document.body.dataset.camera = JSON.stringify(message.camera);
    follow();
  } else if (message.type === "got") {
    eye.rate = message.rate;
  } else if (message.type === "unranked") {
    at("trouble").textContent = word("camera.unranked", { what: altered(message.altered) });
    stop();
    at("friendly").hidden = false;
  } else if (message.type === "taken") {
    at("trouble").textContent = word("camera.taken");
    stop();
  }
  show();
}

function follow() {
  paused = state.phase === "paused";
  eye.paused = paused;
  if (state.phase !== "ended") {
    again ??= state.again;
  } else if (again !== null && state.again > again) {
    begin().catch((error) => {
      stop();
      at("trouble").textContent = explain(error);
    });
  } else {
    stop();
  }
}

const altered = (names) => names.map((name) => word(`altered.${name}`)).join(", ");

function stop() {
  link?.close();
  eye?.close();
  microphone?.close();
  link = eye = microphone = stream = null;
  at("start").hidden = false;
  at("start").disabled = false;
  at("pause").hidden = true;
  at("end").hidden = true;
}

function show() {
  at("pause").textContent = word(paused ? "order.go_on" : "order.pause");
  const told = state?.early ?? state?.last;
  at("verdict").textContent = told ? told.says[language()] : "";
  at("verdict").classList.toggle("early", Boolean(state?.early) && !state.early.stands);
  at("state").replaceChildren(...lines().map(([kind, text]) => {
    const item = document.createElement("li");
    item.className = kind;
    item.textContent = text;
    return item;
  }));
  draw();
}

function lines() {
  if (!link) {
    return state?.phase === "ended" ? [["good", word("camera.ended")]] : [];
  }
  const out = [];
  out.push(lost ? ["bad", word("camera.lost", { count: Math.round(link.bytes / 1e5) / 10 })] : ["good", word("camera.connected")]);
  const camera = state?.camera ?? {};
  if (camera.altered?.length) {
    out.push(["bad", word("camera.altered", { what: altered(camera.altered) })]);
  } else {
    out.push(["good", word("camera.raw")]);
  }
  if (microphone?.channels === 1) {
    out.push(["warn", word("camera.mono")]);
  }
  if (eye?.turned) {
    out.push(["bad", word("camera.turned")]);
  }
  if (camera.missing) {
    out.push(["bad", word(`camera.missing.${camera.missing}`)]);
  }
  if (camera.slowed) {
    out.push(["warn", word("camera.slowed", { rate: camera.rate })]);
  }
  if (camera.behind_s > 1) {
    out.push(["warn", word("camera.behind", { seconds: decimal(camera.behind_s, 1) })]);
  }
  if (camera.kept === "full" || camera.kept === "error" || camera.written === false) {
    out.push(["bad", word(camera.written === false ? "disk.record" : "disk.media")]);
  }
  for (const voice of state?.last ? [] : state?.check ?? []) {
    out.push(["good", word("check.heard", { who: seatOf(voice.who), words: voice.words.map((kind) => word(`type.${kind}`)).join(", ") })]);
  }
  for (const code of state?.notices ?? []) {
    out.push(["warn", word(`notice.${code}`)]);
  }
  if (state?.trouble) {
    out.push(["bad", trouble()]);
  }
  return out;
}

function trouble() {
  return state.trouble === "nothing" ? word("trouble.nothing") : state.trouble;
}

function draw() {
  if (!eye) {
    return;
  }
  marks.width = eye.width;
  marks.height = eye.height;
  const paint = marks.getContext("2d");
  paint.lineWidth = 4;
  paint.font = "bold 30px system-ui, sans-serif";
  paint.setLineDash([12, 10]);
  for (const card of state?.noticed ?? []) {
    outline(paint, card, "#8ab4ff");
  }
  paint.setLineDash([]);
  for (const card of state?.cards ?? []) {
    outline(paint, card, card.type ? "#3ddc84" : "#ffb000");
  }
}

function outline(paint, card, colour) {
  paint.strokeStyle = colour;
  paint.fillStyle = colour;
  paint.beginPath();
  card.corners.forEach(([x, y], i) => (i ? paint.lineTo(x, y) : paint.moveTo(x, y)));
  paint.closePath();
  paint.stroke();
  const [x, y] = card.corners[0] ?? [0, 0];
  paint.fillText(card.type ? word(`type.${card.type}`) : "?", x, y - 8);
}

function seatOf(who) {
  if (who.startsWith("ch")) {
    return word("check.side", { number: Number(who.slice(2)) + 1 });
  }
  return who ? word(`seat.${who}`) : word("check.voice");
}

async function stayAwake() {
  try {
    awake = await navigator.wakeLock?.request("screen");
  } catch {
    awake = null;
  }
}

await ready;
chooser(at("language"), show);
fill();
at("start").addEventListener("click", start);
at("friendly").addEventListener("click", startFriendly);
at("end").addEventListener("click", () => link?.say({ do: "end" }));
at("pause").addEventListener("click", () => link?.say({ do: paused ? "go_on" : "pause" }));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && link) {
    stayAwake();
  }
});
setInterval(() => {
  at("level").value = microphone?.level ?? 0;
}, 100);
setInterval(() => link && show(), 500);
