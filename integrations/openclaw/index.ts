// OpenClaw's memory slot over a bank of rbkit: memory_search, memory_get and memory_feedback, each a call to `rbkit serve mcp --http`.
// memory_get also reads the workspace's own memory files, as the slot's default plugin does.
import { lstat, readFile, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { AnyAgentTool, OpenClawPluginApi, OpenClawPluginDefinition, OpenClawPluginToolContext } from "openclaw/plugin-sdk/plugin-entry";

type Json = Record<string, any>;
type Config = { url?: string; token?: string; scope?: string; workspace?: string };

const PATH = "rbkit/"; // before an item's id, where the slot has the path of a file
const PROTOCOL = "2025-06-18";
const LINE = 80; // characters; an item has no lines of its own to be counted by
const FILE_LINES = 120; // of a file, where `lines` is not given
const FILE_CHARS = 12000; // of a file in one answer
const ROOT_FILES = ["MEMORY.md", "memory.md", "DREAMS.md"]; // beside the folder memory/

/** The server, over streamable HTTP; a session that is gone, since the server was started anew, is opened again. */
export class Server {
  private session = "";
  private last = 0;
  private url: string;
  private token: string;
  constructor(config: Config) {
    this.url = config.url ?? "http://127.0.0.1:8377/mcp";
    this.token = config.token ?? process.env.RBKIT_TOKEN ?? "";
  }

  private async post(method: string, params: Json, notify = false): Promise<Response> {
    const headers: Record<string, string> = {
      Authorization: `Bearer ${this.token}`, Accept: "application/json, text/event-stream",
      "Content-Type": "application/json", "MCP-Protocol-Version": PROTOCOL,
    };
    if (this.session) headers["Mcp-Session-Id"] = this.session;
    const id = notify ? {} : { id: ++this.last };
    return fetch(this.url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...id, method, params }) });
  }

  private async open(): Promise<void> {
    this.session = "";
    const hello = await this.post("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "openclaw", version: "0.1.0" } });
    if (!hello.ok) throw new Error(`${this.url} answers ${hello.status}; is RBKIT_TOKEN the token of rbkit serve mcp --http?`);
    this.session = hello.headers.get("mcp-session-id") ?? "";
    await hello.text();
    await (await this.post("notifications/initialized", {}, true)).text();
  }

  async call(name: string, args: Json): Promise<Json> {
    if (!this.session) await this.open();
    let answer = await this.post("tools/call", { name, arguments: args });
    if (answer.status === 404) {
      await this.open();
      answer = await this.post("tools/call", { name, arguments: args });
    }
    if (!answer.ok) throw new Error(`${name}: the server answers ${answer.status}`);
    const { result, error } = (await answer.json()) as Json;
    if (error) throw new Error(`${name}: ${error.message}`);
    if (result.isError) throw new Error(result.content[0].text);
    return result.structuredContent;
  }
}

function told(details: Json) {
  return { content: [{ type: "text" as const, text: JSON.stringify(details) }], details };
}

function text(description: string): Json { return { type: "string", description }; }
function count(description: string): Json { return { type: "number", description }; }
function schema(properties: Json, required: string[]): any { return { type: "object", properties, required, additionalProperties: false }; }

/** A memory file's place inside the workspace; an error for any other path, and for a link that leads out of it. */
async function memoryFile(workspace: string, path: string): Promise<{ file: string; name: string; missing: boolean }> {
  const refused = () => new Error(`${JSON.stringify(path)} is no memory file of the workspace; give ${ROOT_FILES[0]}, memory/NAME.md, or a path that memory_search returned.`);
  if (path.includes("\0")) throw refused();
  const file = resolve(workspace, path);
  const name = relative(workspace, file).split(sep).join("/");
  const inside = name !== "" && !name.startsWith("..") && !isAbsolute(name);
  if (!inside || !name.endsWith(".md") || !(ROOT_FILES.includes(name) || name.startsWith("memory/"))) throw refused();
  try {
    const info = await lstat(file);
    const real = relative(await realpath(workspace), await realpath(file)).split(sep).join("/");
    if (!info.isFile() || real !== name) throw refused();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as Json).code)) return { file, name, missing: true };
    throw error;
  }
  return { file, name, missing: false };
}

/** Lines of a memory file, the first being 1; empty text for a file that is not there yet. */
export async function readMemoryFile(workspace: string, path: string, from?: number, lines?: number): Promise<Json> {
  const { file, name, missing } = await memoryFile(workspace, path);
  if (missing) return { path: name, text: "" };
  const all = (await readFile(file, "utf8")).split("\n");
  const start = Math.max(1, Math.floor(from ?? 1));
  const wanted = all.slice(start - 1, start - 1 + Math.max(1, Math.floor(lines ?? FILE_LINES)));
  let count = wanted.length;
  while (count > 1 && wanted.slice(0, count).join("\n").length > FILE_CHARS) count -= 1;
  const whole = wanted.slice(0, count).join("\n");
  const text = whole.slice(0, FILE_CHARS);
  const next = start + count;
  const more = next <= all.length;
  const truncated = more || text.length < whole.length;
  const note = text.length < whole.length ? `\n\n[Line ${start} goes on: ${whole.length - text.length} characters were left out.]` : "";
  const rest = more ? `\n\n[More lines: use from=${next}.]` : "";
  return { path: name, text: count ? text + note + rest : "", from: start, lines: count, ...(truncated && { truncated }), ...(more && { nextFrom: next }) };
}

/** The three tools of the slot, for one session of an agent. */
export function memoryTools(server: Server, config: Config, session: string, workspace?: string): AnyAgentTool[] {
  const scope = config.scope ?? "";
  const folder = workspace ?? config.workspace;
  const search: AnyAgentTool = {
    name: "memory_search", label: "Search memory",
    description: "Procedures (what to do) and guardrails (what to avoid) that fit a task. Read one with memory_get; say afterwards with memory_feedback which were of use.",
    parameters: schema({ query: text("The task, in words"), maxResults: count("5 if not given"), minScore: count("0 takes all; 1 is a whole match") }, ["query"]),
    async execute(_id: string, params: Json) {
      const found = await server.call("memory_search", { query: params.query, k: params.maxResults ?? 5, min_score: params.minScore ?? 0, scope, session });
      const results = found.hits.map((hit: Json) => ({
        id: hit.id, path: PATH + hit.id, startLine: 1, endLine: Math.max(1, Math.ceil(hit.chars / LINE)), score: hit.score,
        snippet: `${hit.title}: ${hit.snippet}`, source: "memory", polarity: hit.polarity, ...(hit.flags && { flags: hit.flags }),
      }));
      return told({ results, provider: "rbkit", sessionId: session, searchId: found.search, ...(found.note && { note: found.note }), ...(found.waiting && { waiting: found.waiting }) });
    },
  };
  const get: AnyAgentTool = {
    name: "memory_get", label: "Read memory",
    description: `One item that memory_search found, by its path, or a memory file of the workspace (${ROOT_FILES[0]}, memory/YYYY-MM-DD.md). from and lines read a part of it; a line of an item has ${LINE} characters.`,
    parameters: schema({ path: text(`As memory_search gave it, or ${ROOT_FILES[0]} or memory/NAME.md`), from: count("First line, from 1"), lines: count("How many") }, ["path"]),
    async execute(_id: string, params: Json) {
      const path = String(params.path).trim();
      const isItem = path.startsWith(PATH) || !(/[/\\]/.test(path) || path.endsWith(".md"));
      if (!isItem) {
        if (!folder) throw new Error(`${JSON.stringify(path)} is a file, and no workspace is known; say "workspace" in the plugin's config.`);
        return told(await readMemoryFile(folder, path, params.from, params.lines));
      }
      const id = path.replace(PATH, "");
      const offset = (Math.max(1, params.from ?? 1) - 1) * LINE;
      const part = await server.call("memory_quote", { id, offset, max_chars: Math.min(8000, params.lines ? params.lines * LINE : 8000), scope });
      return told({ path: params.path, text: part.text, ...(part.next && { truncated: true, nextFrom: Math.floor(part.next / LINE) + 1 }), ...(part.flags && { flags: part.flags, note: part.note }) });
    },
  };
  const feedback: AnyAgentTool = {
    name: "memory_feedback", label: "Memory feedback",
    description: "Record which memories of a search were useful; none is feedback as well. Without searchId, the session must have exactly one search that waits for feedback.",
    parameters: schema({ searchId: text("As memory_search gave it"), sessionId: text("As memory_search gave it; needed without searchId"), usedMemoryIds: { type: "array", items: { type: "string" } }, success: { type: "boolean", description: "Did the task succeed? Left out where nobody can say" } }, ["usedMemoryIds"]),
    async execute(_id: string, params: Json) {
      const used = params.usedMemoryIds.map((id: string) => id.replace(PATH, ""));
      const said = await server.call("memory_feedback", { search: params.searchId ?? "", session: params.searchId ? "" : params.sessionId ?? "", used, success: params.success ?? null, scope });
      return told({ success: true, searchId: said.search ?? params.searchId, isNew: said.new, credited: said.credited });
    },
  };
  return [search, get, feedback];
}

const plugin: OpenClawPluginDefinition = {
  id: "memory-rbkit",
  name: "rbkit memory",
  description: "A bank of rbkit in the memory slot",
  register(api: OpenClawPluginApi) {
    const config = (api.pluginConfig ?? {}) as Config;
    const server = new Server(config);
    const make = (context: OpenClawPluginToolContext) => memoryTools(server, config, context.sessionId ?? context.sessionKey ?? "openclaw", context.workspaceDir);
    api.registerTool(make, { names: ["memory_search", "memory_get", "memory_feedback"] });
  },
};

export default plugin;
