/** Run compile_in_pyodide.py in Pyodide: `node scripts/compile_in_pyodide.mjs INPUTS OUTPUTS`. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { loadPyodide } from "pyodide";

const [inputs, outputs] = process.argv.slice(2);
const python = await loadPyodide();
const folder = python.runPython("import site; site.getsitepackages()[0]");
for (const name of ["packages.zip", "program.zip"]) python.unpackArchive(new Uint8Array(readFileSync(join(inputs, name))), "zip", { extractDir: folder });
python.runPython(readFileSync(new URL("compile_in_pyodide.py", import.meta.url), "utf8"));
await python.globals.get("tour")();
python.globals.get("main")();
for (const name of ["packages.zip", "program.zip", "python_stdlib.zip"]) writeFileSync(join(outputs, name), python.FS.readFile(`/${name}`));
process.exit(0);
