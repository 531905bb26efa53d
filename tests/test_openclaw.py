"The plugin for OpenClaw's memory slot, run by Node against the server"
import json, shutil, subprocess
from dataclasses import replace
import pytest
from house import clean_env, root, sh

pytest.importorskip("mcp", reason="needs mcp: pip install 'rbkit[mcp]'")
from rbkit import Bank
from test_mcp import TOKEN, SHARED, listening, made

node = shutil.which("node")
here = root/"integrations/openclaw"
pytestmark = pytest.mark.skipif(not node, reason="needs Node: the plugin is written for it")

VISIT = """
import plugin from %(plugin)s;
const tools = {};
const api = { pluginConfig: { url: %(url)s, token: %(token)s, scope: "ann" }, registerTool(make, options) {
  for (const tool of make({ sessionId: "s1" })) tools[tool.name] = tool;
  console.log(JSON.stringify(options.names));
} };
plugin.register(api);
const call = async (name, params) => { try { return (await tools[name].execute("1", params)).details } catch (e) { return { error: e.message } } };
const found = await call("memory_search", { query: "When do I deploy?", maxResults: 2, minScore: 0.1 });
const best = found.results?.[0] ?? {};
const part = await call("memory_get", { path: best.path, from: 2, lines: 3 });
const whole = await call("memory_get", { path: best.path });
const told = await call("memory_feedback", { sessionId: found.sessionId, usedMemoryIds: [best.path] });
const wrong = [await call("memory_get", { path: "rbkit/nothing" }), await call("memory_feedback", { sessionId: "other", usedMemoryIds: [] })];
console.log(JSON.stringify({ found, part, whole, told, wrong }));
"""

def visit(url, token=TOKEN):
    said = dict(plugin=json.dumps((here/"index.js").as_uri()), url=json.dumps(url), token=json.dumps(token))
    r = sh(node, "--input-type=module", "-e", VISIT % said, check=True)
    names, found = map(json.loads, r.stdout.strip().splitlines())
    assert names == ["memory_search", "memory_get", "memory_feedback"]
    return found

def test_the_slot_is_served(tmp_path):
    "Shapes and names of the slot; feedback reaches the bank; a wrong token is said in a line"
    bank = made(tmp_path)
    with listening(bank) as (p, url, said):
        first = visit(url)
        wrong = visit(url, "wrong")
    [hit] = first["found"]["results"]
    assert {*hit} >= {"path", "startLine", "endLine", "score", "snippet", "source"} and hit["path"] == f"rbkit/{SHARED.id}" and first["found"]["sessionId"] == "s1"
    assert first["part"]["text"] == SHARED.content[80:320] and first["whole"]["text"] == SHARED.content[:8000] and first["told"] == dict(success=True, searchId=first["found"]["searchId"], isNew=True, credited=1)
    assert "No item" in first["wrong"][0]["error"] and "No search of session 'other' waits" in first["wrong"][1]["error"]
    assert "401" in wrong["found"]["error"] and "RBKIT_TOKEN" in wrong["found"]["error"]
    with Bank(bank, journal="wal") as b: assert [(u["item"], u["used"]) for u in b.usage()] == [(SHARED.id, True)]

def test_flags_reach_the_slot(tmp_path):
    from test_adapters import SLY, is_plain
    bank = made(tmp_path)
    with Bank(bank, journal="wal") as b: b.add(replace(SLY, title="Deploy when"))
    with listening(bank) as (p, url, said): first = visit(url)
    flagged, = [hit for hit in first["found"]["results"] if "flags" in hit]
    assert flagged["flags"] == ["reads like a command", "names an address"] and first["found"]["note"] and is_plain(first["found"])

def test_a_server_that_was_started_anew_is_found_again(tmp_path):
    "One plugin, two servers at the same address after each other"
    bank = made(tmp_path)
    code = """
import { Server } from %s;
const server = new Server({ url: process.argv[1], token: %s });
for await (const line of process.stdin) console.log((await server.call("memory_search", { query: "tea" })).hits.length);
""" % (json.dumps((here/"index.js").as_uri()), json.dumps(TOKEN))
    with listening(bank) as (p, url, said):
        n = subprocess.Popen([node, "--input-type=module", "-e", code, url], env=clean_env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        def ask():
            n.stdin.write("again\n"); n.stdin.flush()
            return n.stdout.readline().strip()
        try:
            first = ask()
            p.kill(); p.wait()
            with listening(bank, "--port", url.split(":")[2].split("/")[0]) as (q, again, said): assert again == url and first == ask() == "1"
        finally: n.kill(); n.wait()

def test_the_manifest_names_what_the_plugin_registers():
    manifest = json.loads((here/"openclaw.plugin.json").read_text())
    assert manifest["kind"] == "memory" and manifest["contracts"]["tools"] == ["memory_search", "memory_get", "memory_feedback"]
    assert (here/"index.js").read_text().count("name: \"memory_") == 3

@pytest.mark.slow
def test_types_and_build(tmp_path):
    "Against the types of the openclaw package, where it was installed beside the plugin: npm install"
    tsc = here/"node_modules/.bin/tsc"
    if not tsc.exists(): pytest.skip("needs the plugin's packages: npm install in integrations/openclaw")
    sh(tsc, "--outDir", tmp_path, cwd=here, check=True)
    assert (tmp_path/"index.js").read_text() == (here/"index.js").read_text(), "npm run build"
