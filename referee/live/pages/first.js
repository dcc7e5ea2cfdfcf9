import { chooser, fill, ready } from "/file/words.js";

await ready;
chooser(document.getElementById("language"));
fill();
document.getElementById("print").textContent = await (await fetch("/fingerprint")).text();
