// Start the extension without VS Code, open a file with the client that it makes, and print the problems that the server reports.
//     node vscode_client.js EXTENSION.js FOLDER FILE COMMAND...
// `vscode` and `vscode-languageclient` are stood in for: the client sends and reads messages of the protocol itself.

const { spawn } = require("child_process");
const fs = require("fs");
const Module = require("module");
const { pathToFileURL } = require("url");

const [extension, folder, file, ...command] = process.argv.slice(2);
const uri = pathToFileURL(file).href;

class LanguageClient {
  constructor(id, name, server, client) {
    Object.assign(this, { server, client });
  }

  async start() {
    const { command, args, options } = this.server;
    this.process = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "inherit"] });
    let read = Buffer.alloc(0);
    this.process.stdout.on("data", (data) => {
      read = Buffer.concat([read, data]);
      for (;;) {
        const end = read.indexOf("\r\n\r\n");
        const length = end < 0 ? NaN : Number(/Content-Length: (\d+)/.exec(read.subarray(0, end).toString())[1]);
        if (!(read.length >= end + 4 + length)) return;
        this.receive(JSON.parse(read.subarray(end + 4, end + 4 + length).toString()));
        read = read.subarray(end + 4 + length);
      }
    });
    const root = pathToFileURL(options.cwd).href;
    this.send({ id: 1, method: "initialize", params: { processId: null, rootUri: root, capabilities: {} } });
  }

  send(message) {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  receive(message) {
    if (message.id === 1 && message.result) {
      const [{ language: languageId }] = this.client.documentSelector;
      this.send({ method: "initialized", params: {} });
      const textDocument = { uri, languageId, version: 1, text: fs.readFileSync(file, "utf8") };
      this.send({ method: "textDocument/didOpen", params: { textDocument } });
    } else if (message.method === "textDocument/publishDiagnostics" && message.params.uri === uri) {
      console.log(JSON.stringify(message.params.diagnostics.map((one) => one.code)));
      extended.deactivate();
    }
  }

  async stop() {
    this.process.kill();
  }
}

const vscode = {
  commands: { registerCommand: () => ({}) },
  window: { showErrorMessage: (text) => console.log(text) },
  workspace: {
    createFileSystemWatcher: () => ({}),
    getConfiguration: () => ({ get: () => command }),
    onDidChangeConfiguration: () => ({}),
    workspaceFolders: [{ uri: { fsPath: folder } }],
  },
};
const load = Module._load;
Module._load = (name, ...rest) =>
  name === "vscode" ? vscode : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);
const extended = require(extension);
extended.activate({ subscriptions: [] });
