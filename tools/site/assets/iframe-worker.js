/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that are opened as files may start no workers: a hidden frame runs the search in their place. */
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      this.frame = frame;
      this.inner = frame.contentWindow;
      this.inner.postMessage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      const load = (address) => new Promise((done, failed) => {
        const script = frame.contentDocument.createElement("script");
        script.src = address;
        script.onload = done;
        script.onerror = failed;
        frame.contentDocument.body.appendChild(script);
      });
      this.inner.importScripts = (...addresses) =>
        addresses.reduce((before, address) => before.then(() => load(address)), Promise.resolve());
      this.ready = load(new URL(url, location.href).href);
    }
    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new this.inner.MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
