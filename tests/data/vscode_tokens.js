// Print what VS Code would colour in a file as words of the language, as lists of line, column and word.
//     node vscode_tokens.js FOLDER-OF-THE-EXTENSION FILE
// Needs the packages vscode-textmate, vscode-oniguruma and tm-grammars where NODE_PATH leads.

const fs = require("fs");
const path = require("path");
const { Registry, parseRawGrammar, INITIAL } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

async function main(folder, file) {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve("vscode-oniguruma")), "onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const own = Object.fromEntries(manifest.contributes.grammars.map((one) => [one.scopeName, path.join(folder, one.path)]));
  const yaml = require.resolve("tm-grammars/grammars/yaml.json");
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const grammar = own[scope] || (scope === "source.yaml" ? yaml : undefined);
      return grammar ? parseRawGrammar(fs.readFileSync(grammar, "utf8"), grammar) : null;
    },
    getInjections: (scope) => (scope === "source.yaml" ? Object.keys(own) : undefined),
  });
  const grammar = await registry.loadGrammar("source.yaml");
  const found = [];
  let stack = INITIAL;
  fs.readFileSync(file, "utf8").split("\n").forEach((line, number) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) {
      if (token.scopes.includes("keyword.control.patolli")) {
        found.push([number + 1, token.startIndex + 1, line.slice(token.startIndex, token.endIndex)]);
      }
    }
  });
  console.log(JSON.stringify(found));
}

main(process.argv[2], process.argv[3]);
