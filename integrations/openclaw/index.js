const PATH = "rbkit/"; // before an item's id, where the slot has the path of a file
const PROTOCOL = "2025-06-18";
const LINE = 80; // characters; an item has no lines of its own to be counted by
/** The server, over streamable HTTP; a session that is gone, since the server was started anew, is opened again. */
export class Server {
    session = "";
    last = 0;
    url;
    token;
    constructor(config) {
        this.url = config.url ?? "http://127.0.0.1:8377/mcp";
        this.token = config.token ?? process.env.RBKIT_TOKEN ?? "";
    }
    async post(method, params, notify = false) {
        const headers = {
            Authorization: `Bearer ${this.token}`, Accept: "application/json, text/event-stream",
            "Content-Type": "application/json", "MCP-Protocol-Version": PROTOCOL,
        };
        if (this.session)
            headers["Mcp-Session-Id"] = this.session;
        const id = notify ? {} : { id: ++this.last };
        return fetch(this.url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...id, method, params }) });
    }
    async open() {
        this.session = "";
        const hello = await this.post("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo: { name: "openclaw", version: "0.1.0" } });
        if (!hello.ok)
            throw new Error(`${this.url} answers ${hello.status}; is RBKIT_TOKEN the token of rbkit serve mcp --http?`);
        this.session = hello.headers.get("mcp-session-id") ?? "";
        await hello.text();
        await (await this.post("notifications/initialized", {}, true)).text();
    }
    async call(name, args) {
        if (!this.session)
            await this.open();
        let answer = await this.post("tools/call", { name, arguments: args });
        if (answer.status === 404) {
            await this.open();
            answer = await this.post("tools/call", { name, arguments: args });
        }
        if (!answer.ok)
            throw new Error(`${name}: the server answers ${answer.status}`);
        const { result, error } = (await answer.json());
        if (error)
            throw new Error(`${name}: ${error.message}`);
        if (result.isError)
            throw new Error(result.content[0].text);
        return result.structuredContent;
    }
}
function told(details) {
    return { content: [{ type: "text", text: JSON.stringify(details) }], details };
}
function text(description) { return { type: "string", description }; }
function count(description) { return { type: "number", description }; }
function schema(properties, required) { return { type: "object", properties, required, additionalProperties: false }; }
/** The three tools of the slot, for one session of an agent. */
export function memoryTools(server, config, searches, session) {
    const scope = config.scope ?? "";
    const search = {
        name: "memory_search", label: "Search memory",
        description: "Procedures (what to do) and guardrails (what to avoid) that fit a task. Read one with memory_get; say afterwards with memory_feedback which were of use.",
        parameters: schema({ query: text("The task, in words"), maxResults: count("5 if not given"), minScore: count("0 takes all; 1 is a whole match") }, ["query"]),
        async execute(_id, params) {
            const found = await server.call("memory_search", { query: params.query, k: params.maxResults ?? 5, min_score: params.minScore ?? 0, scope, session });
            searches.set(session, found.search);
            const results = found.hits.map((hit) => ({
                id: hit.id, path: PATH + hit.id, startLine: 1, endLine: Math.max(1, Math.ceil(hit.chars / LINE)), score: hit.score,
                snippet: `${hit.title}: ${hit.snippet}`, source: "memory", polarity: hit.polarity, ...(hit.flags && { flags: hit.flags }),
            }));
            return told({ results, provider: "rbkit", sessionId: session, ...(found.note && { note: found.note }) });
        },
    };
    const get = {
        name: "memory_get", label: "Read memory",
        description: `One item that memory_search found, by its path; from and lines read a part of it, a line having ${LINE} characters.`,
        parameters: schema({ path: text("As memory_search gave it"), from: count("First line, from 1"), lines: count("How many") }, ["path"]),
        async execute(_id, params) {
            const id = String(params.path).replace(PATH, "");
            const offset = (Math.max(1, params.from ?? 1) - 1) * LINE;
            const part = await server.call("memory_quote", { id, offset, max_chars: Math.min(8000, params.lines ? params.lines * LINE : 8000), scope });
            return told({ path: params.path, text: part.text, ...(part.flags && { flags: part.flags, note: part.note }) });
        },
    };
    const feedback = {
        name: "memory_feedback", label: "Memory feedback",
        description: "Record which memories of the latest search were useful; none is feedback as well.",
        parameters: schema({ sessionId: text("As memory_search gave it"), usedMemoryIds: { type: "array", items: { type: "string" } } }, ["sessionId", "usedMemoryIds"]),
        async execute(_id, params) {
            const name = searches.get(params.sessionId);
            if (!name)
                throw new Error(`No search in session ${JSON.stringify(params.sessionId)}; give sessionId as memory_search returned it.`);
            const used = params.usedMemoryIds.map((id) => id.replace(PATH, ""));
            await server.call("memory_feedback", { search: name, used, scope });
            return told({ success: true });
        },
    };
    return [search, get, feedback];
}
const plugin = {
    id: "memory-rbkit",
    name: "rbkit memory",
    description: "A bank of rbkit in the memory slot",
    register(api) {
        const config = (api.pluginConfig ?? {});
        const server = new Server(config);
        const searches = new Map(); // session -> its latest search
        const make = (context) => memoryTools(server, config, searches, context.sessionId ?? context.sessionKey ?? "openclaw");
        api.registerTool(make, { names: ["memory_search", "memory_get", "memory_feedback"] });
    },
};
export default plugin;
