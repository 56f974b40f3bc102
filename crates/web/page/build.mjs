// Makes dist/ from src/: `npm ci && npm run build`. The output is committed, so that nobody needs Node to build the program.
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";

await rm("dist", { recursive: true, force: true });
await mkdir("dist", { recursive: true });
await build({
  entryPoints: { app: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
});
await build({ entryPoints: { app: "src/style.css" }, outdir: "dist", minify: true, target: "es2022" });
await copyFile("src/index.html", "dist/index.html");
