// OpenClaw's memory slot over a bank of rbkit: memory_search, memory_get and memory_feedback, each a call to `rbkit serve mcp --http`.
import type { AnyAgentTool, OpenClawPluginApi, OpenClawPluginDefinition, OpenClawPluginToolContext } from "openclaw/plugin-sdk/plugin-entry";

type Json = Record<string, any>;
type Config = { url?: string; token?: string; scope?: string };

const PATH = "rbkit/"; // before an item's id, where the slot has the path of a file
const PROTOCOL = "2025-06-18";
const LINE = 80; // characters; an item has no lines of its own to be counted by

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

/** The three tools of the slot, for one session of an agent. */
export function memoryTools(server: Server, config: Config, searches: Map<string, string>, session: string): AnyAgentTool[] {
  const scope = config.scope ?? "";
  const search: AnyAgentTool = {
    name: "memory_search", label: "Search memory",
    description: "Procedures (what to do) and guardrails (what to avoid) that fit a task. Read one with memory_get; say afterwards with memory_feedback which were of use.",
    parameters: schema({ query: text("The task, in words"), maxResults: count("5 if not given"), minScore: count("0 takes all; 1 is a whole match") }, ["query"]),
    async execute(_id: string, params: Json) {
      const found = await server.call("memory_search", { query: params.query, k: params.maxResults ?? 5, min_score: params.minScore ?? 0, scope, session });
      searches.set(session, found.search);
      const results = found.hits.map((hit: Json) => ({
        id: hit.id, path: PATH + hit.id, startLine: 1, endLine: Math.max(1, Math.ceil(hit.chars / LINE)), score: hit.score,
        snippet: `${hit.title}: ${hit.snippet}`, source: "memory", polarity: hit.polarity, ...(hit.flags && { flags: hit.flags }),
      }));
      return told({ results, provider: "rbkit", sessionId: session, ...(found.note && { note: found.note }) });
    },
  };
  const get: AnyAgentTool = {
    name: "memory_get", label: "Read memory",
    description: `One item that memory_search found, by its path; from and lines read a part of it, a line having ${LINE} characters.`,
    parameters: schema({ path: text("As memory_search gave it"), from: count("First line, from 1"), lines: count("How many") }, ["path"]),
    async execute(_id: string, params: Json) {
      const id = String(params.path).replace(PATH, "");
      const offset = (Math.max(1, params.from ?? 1) - 1) * LINE;
      const part = await server.call("memory_quote", { id, offset, max_chars: Math.min(8000, params.lines ? params.lines * LINE : 8000), scope });
      return told({ path: params.path, text: part.text, ...(part.flags && { flags: part.flags, note: part.note }) });
    },
  };
  const feedback: AnyAgentTool = {
    name: "memory_feedback", label: "Memory feedback",
    description: "Record which memories of the latest search were useful; none is feedback as well.",
    parameters: schema({ sessionId: text("As memory_search gave it"), usedMemoryIds: { type: "array", items: { type: "string" } } }, ["sessionId", "usedMemoryIds"]),
    async execute(_id: string, params: Json) {
      const name = searches.get(params.sessionId);
      if (!name) throw new Error(`No search in session ${JSON.stringify(params.sessionId)}; give sessionId as memory_search returned it.`);
      const used = params.usedMemoryIds.map((id: string) => id.replace(PATH, ""));
      await server.call("memory_feedback", { search: name, used, scope });
      return told({ success: true });
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
    const searches = new Map<string, string>(); // session -> its latest search
    const make = (context: OpenClawPluginToolContext) => memoryTools(server, config, searches, context.sessionId ?? context.sessionKey ?? "openclaw");
    api.registerTool(make, { names: ["memory_search", "memory_get", "memory_feedback"] });
  },
};

export default plugin;
