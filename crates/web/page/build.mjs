// Makes dist/ from src/: `npm ci && npm run build`. The output is committed, so that nobody needs Node to build the program;
// `npm run fresh` fails where it is not what src/ gives.
import { build } from "esbuild";
import { copyFile, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const checking = process.argv.includes("--check");
const outdir = checking ? await mkdtemp(join(tmpdir(), "merkhet-dist-")) : "dist";
if (!checking) {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir);
}
await build({
  entryPoints: { app: "src/main.ts" },
  outdir,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "inline",
});
await build({ entryPoints: { app: "src/style.css" }, outdir, minify: true, target: "es2022" });
await copyFile("src/index.html", join(outdir, "index.html"));
// The bundle holds the layout library, whose licence asks for this notice.
await copyFile("node_modules/@dagrejs/dagre/dist/dagre.esm.js.LEGAL.txt", join(outdir, "NOTICES.txt"));
if (checking) {
  const stale = [];
  for (const name of new Set([...(await readdir("dist")), ...(await readdir(outdir))])) {
    const read = (folder) => readFile(join(folder, name), "utf8").catch(() => null);
    if ((await read("dist")) !== (await read(outdir))) stale.push(name);
  }
  await rm(outdir, { recursive: true, force: true });
  if (stale.length) {
    console.error(`stale in crates/web/page/dist: ${stale.join(", ")}; \`npm run build\` there makes it anew`);
    process.exit(1);
  }
}
