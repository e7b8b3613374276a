// Builds the pages: one HTML file whose entry loads the participant's, the
// researcher's or the landing page's code, never one with another.
// SPDX-License-Identifier: Apache-2.0
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { className } from "./className.ts";

export default defineConfig(({ command }) => ({
  plugins: [react()],
  // Built, a class has no name that says what it is for.
  css: command === "build" ? { modules: { generateScopedName: className } } : {},
  build: {
    // A source map would tell a participant what the pages of researchers say.
    sourcemap: false,
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 400,
    // By default a file is called what its module is called, "pair" or "attack": words that a participant is not to
    // read, wherever a page's shared code happens to lie. In hexadecimal digits no hash spells one by chance, as
    // BKzi_RTO.js did.
    rollupOptions: {
      output: {
        chunkFileNames: "assets/[hash].js",
        assetFileNames: "assets/[hash][extname]",
        hashCharacters: "hex",
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
}));
