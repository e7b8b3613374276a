// Builds the page of the charts like the real pages and serves it.
// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";

export default async function serve(): Promise<() => Promise<void>> {
  const root = join(import.meta.dirname, "..");
  const outDir = await mkdtemp(join(tmpdir(), "thinlab-demo-charts-"));
  await build({
    root,
    logLevel: "error",
    build: { outDir, rolldownOptions: { input: join(import.meta.dirname, "index.html") } },
  });
  const server = await preview({
    root,
    logLevel: "error",
    build: { outDir },
    preview: { port: 0, host: "127.0.0.1" },
  });
  const address = server.resolvedUrls?.local[0];
  if (!address) throw new Error("the page of the charts is not served");
  process.env.THINLAB_DEMO_CHARTS = new URL("demo-charts/index.html", address).href;
  return async () => {
    await server.close();
    await rm(outDir, { recursive: true });
  };
}
