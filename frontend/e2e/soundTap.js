// Hands each block of what is heard to the page.
// SPDX-License-Identifier: Apache-2.0
registerProcessor(
  "tap",
  class extends AudioWorkletProcessor {
    process([input]) {
      const channel = input[0];
      this.port.postMessage({ frame: currentFrame, samples: channel ? channel.slice() : null });
      return true;
    }
  },
);
