// node check.mjs FILE...: prints what does not parse as PowerShell, and exits with 1 where anything does not.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language, Parser } from "web-tree-sitter";

await Parser.init();
const grammar = createRequire(import.meta.url).resolve("tree-sitter-powershell/tree-sitter-powershell.wasm");
const parser = new Parser();
parser.setLanguage(await Language.load(await readFile(grammar)));

let broken = 0;
function visit(node, file) {
    if (node.isError || node.isMissing) {
        const { row, column } = node.startPosition;
        console.log(`${file}:${row + 1}:${column + 1}: ${node.isMissing ? `missing ${node.type}` : "does not parse"}`);
        broken++;
    }
    for (const child of node.children) {
        visit(child, file);
    }
}
for (const file of process.argv.slice(2)) {
    visit(parser.parse(await readFile(file, "utf8")).rootNode, file);
}
process.exit(broken === 0 ? 0 : 1);
