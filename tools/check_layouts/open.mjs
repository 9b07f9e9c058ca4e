// Opens files as the Kaitai Web IDE does: compiled to JavaScript in debug mode, read with the npm runtime, every
// instance forced. Standard input: {"folder", "cases": [{"layout", "name", "file"}]}.
// Standard output: [{"layout", "name", "bytes", "nodes", "errors"}].
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const compiler = require("kaitai-struct-compiler");
const yaml = require("js-yaml");
const KaitaiStream = require("kaitai-struct/KaitaiStream");

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const load = (id) => yaml.load(fs.readFileSync(path.join(job.folder, `${id}.ksy`), "utf8"), { schema: yaml.CORE_SCHEMA });
const camel = (id) => id.split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");

const classes = {};
async function layoutClass(id) {
  if (!(id in classes)) {
    const files = await compiler.compile("javascript", load(id), { importYaml: async (name) => load(name) }, true);
    const modules = {};
    const requireModule = (name) => {
      if (name === "kaitai-struct/KaitaiStream") return KaitaiStream;
      const key = path.basename(name, ".js");
      if (!modules[key]) {
        const module = { exports: {} };
        modules[key] = module.exports;
        new Function("module", "exports", "require", files[`${key}.js`])(module, module.exports, (n) =>
          n === "zlib" ? require("node:zlib") : requireModule(n));
        modules[key] = module.exports;
      }
      return modules[key];
    };
    const exported = requireModule(camel(id));
    classes[id] = exported[camel(id)] ?? exported;
  }
  return classes[id];
}

const isStruct = (value) => value !== null && typeof value === "object" && !ArrayBuffer.isView(value);

// Counts every value below an object and reads every instance on the way.
function visit(root, errors) {
  const seen = new Set();
  const todo = [[root, ""]];
  let nodes = 0;
  while (todo.length) {
    const [value, where] = todo.pop();
    nodes++;
    if (!isStruct(value) || seen.has(value)) continue;
    seen.add(value);
    if (Array.isArray(value)) {
      value.forEach((item, n) => todo.push([item, `${where}/${n}`]));
      continue;
    }
    const own = Object.keys(value).filter((key) => key[0] !== "_");
    for (const key of own) todo.push([value[key], `${where}/${key}`]);
    if (value.constructor === Object) continue;
    for (const key of Object.getOwnPropertyNames(value.constructor.prototype)) {
      if (key[0] === "_" || key === "constructor") continue;
      try {
        todo.push([value[key], `${where}/${key}`]);
      } catch (error) {
        errors.push(`${where}/${key}: ${error.name}: ${error.message}`);
      }
    }
  }
  return nodes;
}

const results = [];
for (const { layout, name, file } of job.cases) {
  const errors = [];
  let nodes = 0;
  const bytes = fs.readFileSync(file);
  try {
    const Layout = await layoutClass(layout);
    const root = new Layout(new KaitaiStream(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), 0));
    try {
      root._read();
    } catch (error) {
      errors.push(`/: ${error.name}: ${error.message}`);
    }
    nodes = visit(root, errors);
  } catch (error) {
    const text = typeof error?.getMessage__T === "function" ? error.getMessage__T() : String(error?.message ?? error);
    errors.push(`cannot compile: ${text}`);
  }
  results.push({ layout, name, bytes: bytes.length, nodes, errors });
}
process.stdout.write(JSON.stringify(results));
