// Clips are embedded as data: addresses. Some browsers play only blob: addresses, so each clip is turned into one when it is
// first wanted. Without scripts the data: address is used as it stands.
document.addEventListener("play", (event) => {
  const video = event.target;
  if (!(video instanceof HTMLVideoElement)) return;
  for (const other of document.querySelectorAll("video")) if (other !== video) other.pause();
}, true);
document.addEventListener("error", (event) => {
  const source = event.target;
  if (!(source instanceof HTMLSourceElement) || !source.src.startsWith("data:")) return;
  const [head, body] = source.src.split(",", 2);
  const bytes = Uint8Array.from(atob(body), (c) => c.charCodeAt(0));
  source.src = URL.createObjectURL(new Blob([bytes], { type: head.slice(5, head.indexOf(";")) }));
  source.parentElement.load();
}, true);
