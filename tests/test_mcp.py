"The bank as a server: the protocol's own client over both transports, and whoever does not keep to the protocol"
import asyncio, json, os, re, signal, subprocess, sys, threading, time
from contextlib import asynccontextmanager, contextmanager
import pytest
from rbkit import Bank, Item
from rbkit.integrations.memory import AgentMemory
from rbkit.policies.forgetting import purge
from house import bins, clean_env, rbkit, sh, slow

pytest.importorskip("mcp", reason="needs mcp: pip install 'rbkit[mcp]'")
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation

TOKEN = "a-token-for-these-tests-only"
SHARED = Item("Deploy on green", "Before a deployment", "Deploy once the tests have passed. "*300)
LESSON = dict(title="Look twice", description="Before a deployment", content="Look at the log, too.")

def me(name): return Implementation(name=name, version="1")



def test_a_memory_that_is_opened_again_does_not_build_its_index_anew(tmp_path, monkeypatch):
    monkeypatch.setattr("rbkit.retrieval.snapshots.LEAST_SAVED", 3)
    bank = made(tmp_path)
    first = AgentMemory(bank) # stays open: what was killed has kept its index as well
    with AgentMemory(bank) as m:
        assert m.layer.ranker.stamp and m.layer.ranker.keys() == first.layer.ranker.keys()
        m.bank.add(Item("One more", "Questions about cocoa", "cocoa is stirred."))
        found = m.search("cocoa")["hits"][0]["id"]
    first.close()
    with AgentMemory(bank) as m: assert m.layer.ranker.stamp["version"] == len(first.layer) == 6 and m.search("cocoa")["hits"][0]["id"] == found

def argv(bank, *more): return ["serve", "mcp", "--bank", str(bank), *map(str, more)]

def made(folder):
    with Bank(folder/"m.db", journal="wal") as b:
        b.add(SHARED)
        b.add(*[Item(f"Rule {i} of {word}", f"Questions about {word}", f"{word} is rule {i}.") for i, word in enumerate(["tea", "coffee", "cocoa", "water"])])
    return folder/"m.db"

@pytest.fixture
def bank(tmp_path): return made(tmp_path)

@pytest.fixture(scope="module")
def served(tmp_path_factory):
    "One server for the tests that leave nothing behind which another would trip over: its bank and address"
    folder = tmp_path_factory.mktemp("served")
    (folder/"tokens").write_text(f"{TOKEN}\n{TOKEN}-of-ann ann\n")
    with listening(made(folder), "--token-file", folder/"tokens", token=None) as (p, url, said):
        assert TOKEN not in said, "a token that is known already is not printed"
        yield folder/"m.db", url
        assert p.poll() is None, "nothing that the tests did ended the server"

@contextmanager
def listening(bank, *more, token=TOKEN):
    "A server process; its address"
    p = subprocess.Popen([bins/"rbkit", *argv(bank, "--http", *(more if "--port" in more else ("--port", 0, *more)))], env=clean_env(**(dict(RBKIT_TOKEN=token) if token else {})), stderr=subprocess.PIPE, text=True)
    said = []
    try:
        while not (found := re.search(r"http://\S+/mcp", line := p.stderr.readline())): assert line, f"the server ended: {said}"; said.append(line)
        threading.Thread(target=p.stderr.read, daemon=True).start() # so that it is never full
        yield p, found[0], line
    finally:
        p.kill(); p.wait()

def over_stdio(bank, name="tester", *more):
    return Client(StdioServerParameters(command=str(bins/"rbkit"), args=argv(bank, *more), env=clean_env()), client_info=me(name))

@asynccontextmanager
async def over_http(url, name="tester", token=TOKEN, **kw):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        async with Client(streamable_http_client(url, http_client=http), client_info=me(name), **kw) as client: yield client

async def call(client, tool, **arguments):
    r = await client.call_tool(tool, arguments)
    assert not r.is_error, r.content[0].text
    return r.structured_content

async def refused(client, tool, **arguments):
    r = await client.call_tool(tool, arguments)
    assert r.is_error, r.structured_content
    return r.content[0].text

async def visit(client, name):
    "Everything that a client can do, once"
    assert {t.name for t in (await client.list_tools()).tools} == {f"memory_{x}" for x in ("search", "get", "quote", "add", "feedback", "health")}
    found = await call(client, "memory_search", query="When do I deploy?", k=3, session="monday")
    assert [h["title"] for h in found["hits"]] == ["Deploy on green"] and len(found["hits"][0]["snippet"]) == 200
    id = found["hits"][0]["id"]
    [item] = (await call(client, "memory_get", ids=[id]))["items"]
    text, offset = item["content"], len(item["content"])
    while "rest" in item or offset:
        part = await call(client, "memory_quote", id=id, offset=offset, max_chars=700)
        text += part["text"]; offset = part.get("next", 0); item.pop("rest", None)
    assert text == SHARED.content.rstrip()
    [end] = (await call(client, "memory_get", ids=[id], offset=len(text)-5))["items"]
    assert end["content"] == text[-5:] and "next" not in end
    assert "give 0 or more" in await refused(client, "memory_get", ids=[id], offset=-1)
    added = await call(client, "memory_add", **LESSON)
    assert added["status"] == "quarantined"
    assert "quarantined" in await refused(client, "memory_get", ids=[added["id"]])
    assert [h["title"] for h in (await call(client, "memory_search", query="look at the log"))["hits"]] == []
    assert await call(client, "memory_feedback", search=found["search"], used=[id], success=True) == dict(new=True, credited=1)
    assert (await call(client, "memory_feedback", search=found["search"], used=[id], success=True))["new"] is False
    health = await call(client, "memory_health", examine=True)
    assert health["quarantined"] == 1 and health["size"] == 5 and health["learned"]["with_feedback"] == 1
    page = (await client.read_resource(f"memory://items/{id}")).contents[0].text
    assert page.splitlines()[1].startswith("# Deploy on green [success]") and "memory_quote" in page
    with pytest.raises(MCPError): await client.read_resource(f"memory://items/{added['id']}")
    for bad, why in ((dict(query=""), "give text"), (dict(query="x", k=0), "1 to 50"), (dict(query="x", k="many"), "k"), (dict(query="x", min_score=-1), "min_score"),
        (dict(query="x", polarity="good"), "success, failure"), (dict(query="x", tier=0), "1 to 3"), (dict(query="x", scope="a/b"), "printable"), (dict(), "query")):
        assert why in await refused(client, "memory_search", **bad)
    assert "memory_search" in await refused(client, "memory_feedback", search="nothing", used=[])
    assert "'unheard of' was not shown by search" in await refused(client, "memory_feedback", search=(await call(client, "memory_search", query="tea"))["search"], used=["unheard of"])
    return added["id"]

def check_left(bank, name, id):
    "What the visit left in the bank's file"
    with Bank(bank, journal="wal") as b:
        item, used = b.get(id), b.search("deploy")[0].item
        assert item.provenance == dict(source=f"agent {name}", run=f"agent {name}", scope="") and (item.status, item.tier) == ("quarantined", 0)
        assert (used.shown, used.uses, used.wins, used.tier) == (1, 1, 1, 1) and b.verify() is not None
        assert [d.op for d in purge(b, f"agent {name}")] == ["purge"]

def test_over_stdio(bank):
    async def go():
        async with over_stdio(bank, "clerk") as client: return await visit(client, "clerk")
    check_left(bank, "clerk", asyncio.run(go()))

@pytest.mark.parametrize("mode", ["auto", slow("legacy")])
def test_over_http(bank, mode):
    async def go(url):
        async with over_http(url, "clerk", mode=mode) as client: return await visit(client, "clerk")
    with listening(bank) as (p, url, said):
        assert TOKEN not in said, "a token of the environment is not printed"
        id = asyncio.run(go(url))
    check_left(bank, "clerk", id)

def test_what_the_owner_trusts_is_found_at_once(served):
    "While the server runs, and by nobody before"
    bank, url = served
    async def go():
        async with over_http(url) as client:
            id = (await call(client, "memory_add", **LESSON))["id"]
            before = (await call(client, "memory_search", query="look at the log"))["hits"]
            rbkit("bank", "trust", bank, id, check=True)
            after = (await call(client, "memory_search", query="look at the log"))["hits"]
            trusted = (await call(client, "memory_search", query="look at the log", tier=2))["hits"]
            return id, before, after, trusted
    id, before, after, trusted = asyncio.run(go())
    assert before == trusted == [] and [h["id"] for h in after] == [id]

def test_a_token_is_needed_and_binds_to_its_scope(served):
    bank, url = served
    ping = dict(jsonrpc="2.0", id=1, method="ping")
    accept = {"Accept": "application/json, text/event-stream"}
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Basic {TOKEN}"}, {"Authorization": f"Bearer {TOKEN[:-1]}"}, {"Authorization": f"Bearer {TOKEN} x"}):
        assert httpx2.post(url, json=ping, headers={**accept, **headers}).status_code == 401
    from_a_page = {"Authorization": f"Bearer {TOKEN}", "Host": "evil.example", **accept}
    assert httpx2.post(url, json=ping, headers=from_a_page).status_code in (400, 403, 421), "names that lead here from a page are refused"
    async def go():
        async with over_http(url, token=f"{TOKEN}-of-ann") as client:
            mine = (await call(client, "memory_search", query="tea"))["search"]
            assert mine.startswith("ann/") and "not yours" in await refused(client, "memory_search", query="tea", scope="ben")
            id = (await call(client, "memory_add", **dict(LESSON, title="Ann's")))["id"]
        async with over_http(url) as client: return id, await call(client, "memory_search", query="tea", scope="ben")
    id, found = asyncio.run(go())
    assert found["search"].startswith("ben/")
    with Bank(bank, journal="wal") as b: assert b.get(id).provenance["scope"] == "ann"

@pytest.mark.slow
def test_a_new_token_is_said_once(bank):
    with listening(bank, token=None) as (p, url, said):
        token = said.split("token ")[1].strip()
        async def go():
            async with over_http(url, token=token) as client: return await call(client, "memory_search", query="tea")
        assert asyncio.run(go())["hits"]
    r = rbkit(*argv(bank, "--http", "--host", "0.0.0.0"))
    assert r.returncode == 1 and "reached from outside" in r.stderr and "Traceback" not in r.stderr

async def _fill(client, n, name, found):
    for i in range(n):
        found.append((await call(client, "memory_add", title=f"{name} {i}", description=f"Case {i}", content=f"Do {name} {i}."))["id"])
        hits = await call(client, "memory_search", query="tea or coffee", session=f"{name} {i}")
        await call(client, "memory_feedback", search=hits["search"], used=[hits["hits"][0]["id"]], success=True)

def test_two_clients_at_once(served):
    "Nothing is lost, and nothing is counted twice"
    bank, url = served
    two_clients(bank, lambda name: over_http(url, name))

@pytest.mark.slow
def test_two_servers_at_once(bank):
    "Each client with a server of its own, on one bank"
    two_clients(bank, lambda name: over_stdio(bank, name))

def two_clients(bank, connect):
    ann, ben = [], []
    def counted():
        with AgentMemory(bank) as m: return sum(x.wins for x in m.bank.all()), m.health()["learned"]["with_feedback"]
    async def go():
        async with connect("ann") as first, connect("ben") as second: await asyncio.gather(_fill(first, 8, "ann", ann), _fill(second, 8, "ben", ben))
    before = counted()
    asyncio.run(go())
    assert [a-b for a, b in zip(counted(), before)] == [16, 16]
    with Bank(bank, journal="wal") as b: sources = {b.get(id).provenance["source"] for id in ann}, {b.get(id).provenance["source"] for id in ben}
    assert len({*ann, *ben}) == 16 and sources == ({"agent ann"}, {"agent ben"})

def test_killed_in_the_middle_nothing_acknowledged_is_lost(bank):
    kept, told = [], []
    async def go(p, url):
        async with over_http(url) as client:
            for i in range(1000):
                if i == 12: threading.Timer(.1, p.send_signal, [signal.SIGKILL]).start()
                kept.append((await call(client, "memory_add", title=f"T {i}", description="D", content=f"C {i}."))["id"])
                found = await call(client, "memory_search", query="tea")
                await call(client, "memory_feedback", search=found["search"], used=[found["hits"][0]["id"]])
                told.append(found["search"])
    async def again(url):
        async with over_http(url) as client:
            before = await call(client, "memory_feedback", search=told[-1], used=[])
            return before, await call(client, "memory_health"), (await call(client, "memory_search", query="tea"))["search"]
    with listening(bank) as (p, url, said):
        with pytest.raises(BaseException): asyncio.run(go(p, url))
    with listening(bank) as (p, url, said): before, health, name = asyncio.run(again(url))
    assert len(kept) >= 12 and before["new"] is False and name not in told
    assert health["quarantined"] >= len(kept) and health["learned"]["with_feedback"] >= len(told)
    with Bank(bank, journal="wal") as b:
        assert all(id in b for id in kept) and {*told} <= {u["run"] for u in b.usage() if u["told"]}

BROKEN = [b"", b"{", b"nonsense", b"[]", b"null", b"\xff\xfe\x00", b'{"jsonrpc":"2.0"}', b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}', b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}', b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":[]}',
    b'{"jsonrpc":"2.0","id":9,"result":{}}', b"["*5000, b'{"a":'*5000, b'"'+b"x"*300_000+b'"']

HELLO = dict(protocolVersion="2025-06-18", capabilities={}, clientInfo=dict(name="raw", version="1"))
def frame(method, params=None, id=None): return json.dumps(dict(jsonrpc="2.0", method=method, **(dict(id=id) if id else {}), **(dict(params=params) if params else {}))).encode()

def test_malformed_frames_on_stdio(bank):
    "Before and after the handshake; the next call is answered as if nothing had been"
    p = subprocess.Popen([bins/"rbkit", *argv(bank)], env=clean_env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    watch = threading.Timer(60, p.kill); watch.start()
    def answer(id):
        for line in p.stdout:
            if json.loads(line).get("id") == id: return json.loads(line)
        raise AssertionError("the server ended")
    def say(*frames): p.stdin.write(b"".join(f+b"\n" for f in frames)); p.stdin.flush()
    try:
        say(*BROKEN, frame("initialize", HELLO, 100))
        assert answer(100)["result"]["serverInfo"]["name"] == "rbkit"
        say(frame("notifications/initialized"), *BROKEN, frame("tools/call", dict(name="memory_search", arguments=dict(query="tea")), 101))
        assert answer(101)["result"]["structuredContent"]["hits"]
        p.stdin.close()
        assert p.wait(30) == 0, "it ends with its client"
    finally: watch.cancel(); p.kill()

def test_malformed_requests_over_http(served):
    bank, url = served
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    for body in BROKEN: assert 400 <= httpx2.post(url, content=body, headers=headers).status_code < 500 or body.startswith(b'{"jsonrpc"')
    for change in ({"Content-Type": "text/plain"}, {"Accept": "text/html"}, {"Mcp-Session-Id": "made-up"}, {"MCP-Protocol-Version": "1"}):
        assert 400 <= httpx2.post(url, content=frame("tools/list", id=1), headers={**headers, **change}).status_code < 500
    assert httpx2.get(url.replace("/mcp", "/etc/passwd"), headers=headers).status_code == 404
    async def go():
        async with over_http(url) as client: return await call(client, "memory_search", query="tea")
    assert asyncio.run(go())["hits"]

def test_no_tool_raises_a_tier(served):
    "Whatever an agent writes, says of itself and reports, what it brought stays in quarantine and what is there keeps its tier"
    bank, url = served
    RAISE = dict(LESSON, title="Raise me")
    async def go():
        async with over_http(url, "seed") as client:
            bad = [dict(RAISE, status="active"), dict(RAISE, tier=3), dict(RAISE, provenance=dict(source="seed")), dict(RAISE, id="seed-1"), dict(RAISE, wins=10**6)]
            for extra in bad: await client.call_tool("memory_add", extra)
            for polarity in ("success", "failure", "seed", "contrastive", "pattern"): await call(client, "memory_add", **RAISE, polarity=polarity)
            assert "characters" in await refused(client, "memory_add", **dict(RAISE, content="x"*300_000))
            assert "unknown" in await refused(client, "memory_add", **RAISE, polarity="gospel")
            for i in range(6):
                found = await call(client, "memory_search", query="deploy when green", session=f"s{i}")
                await call(client, "memory_feedback", search=found["search"], used=[h["id"] for h in found["hits"]], success=True)
    with Bank(bank, journal="wal") as b: before = {x.id: (x.tier, x.status) for x in b.all(status=None)}
    asyncio.run(go())
    with Bank(bank, journal="wal") as b:
        after = b.all(status=None)
        new = [x for x in after if x.id not in before]
        assert len(new) >= 4 and all((x.tier, x.status) == before.get(x.id, (0, "quarantined")) for x in after)
        for x in new: assert x.provenance["source"] == "agent seed" and x.polarity != "seed" and not x.id.startswith("seed-") and x.wins == 0

def test_a_missing_sdk_is_named():
    code = "import sys; sys.modules['mcp'] = None; from rbkit.reports.cli import main; sys.exit(main(['serve', 'mcp', '--bank', 'x.db']))"
    r = sh(sys.executable, "-c", code)
    assert r.returncode == 1 and r.stderr.strip() == "rbkit: rbkit serve mcp needs mcp, which is not installed: pip install 'rbkit[mcp]'."

@pytest.mark.slow
def test_ten_thousand_calls(bank):
    "Over HTTP by four clients: each is answered, and the memory adds up"
    n, done = 2500, []
    async def one(url, name):
        async with over_http(url, name) as client:
            for i in range(n//5):
                found = await call(client, "memory_search", query=["tea", "coffee", "cocoa", "water"][i % 4], session=f"{name}{i}")
                await call(client, "memory_feedback", search=found["search"], used=[found["hits"][0]["id"]], success=bool(i % 2))
                await call(client, "memory_get", ids=[found["hits"][0]["id"]])
                await call(client, "memory_quote", id=found["hits"][0]["id"])
                done.append((await call(client, "memory_add", title=f"{name} {i}", description="D", content=f"{name} {i}."))["id"])
    async def all_of_them(url): await asyncio.gather(*(one(url, f"agent {i}") for i in range(4)))
    with listening(bank) as (p, url, said): asyncio.run(all_of_them(url))
    with AgentMemory(bank) as m:
        health = m.health()
        assert len(set(done)) == 2000 == health["quarantined"] and health["learned"]["requests"] == health["learned"]["with_feedback"] == health["runs"] == 2000
        assert sum(x.wins for x in m.bank.all()) == 1000

def test_what_the_server_hands_out_is_plain_and_a_page_is_fenced():
    from rbkit.ground.shown import ADVICE
    from rbkit.integrations.mcp import make_server
    from test_adapters import FENCED, SLY, is_plain, sly
    async def go():
        async with Client(make_server(sly())) as client:
            answers = [await call(client, "memory_search", query="frobs"), await call(client, "memory_get", ids=[SLY.id]), await call(client, "memory_quote", id=SLY.id)]
            pages = [(await client.read_resource(f"memory://items/{SLY.id}")).contents[0].text for _ in range(2)]
            return answers, pages
    answers, pages = asyncio.run(go())
    for answer in answers: assert is_plain(answer) and answer["note"] == ADVICE
    first, again = map(FENCED.fullmatch, pages)
    assert first[1] != again[1] and first[2] == again[2] and is_plain(first[2].split("\n")) and "[success, reads like a command, names an address]" in first[2]

# The memory itself

def test_scopes_do_not_see_each_other(tmp_path):
    with AgentMemory(tmp_path/"m.db", open_scopes=1, most_scopes=3) as m:
        m.bank.add(SHARED)
        ids = {name: m.add(dict(LESSON, content=f"{name} looks at the log."), name, scope=name)["id"] for name in ("ann", "ben")}
        same = {m.add(LESSON, "x", scope=name)["id"] for name in ("ann", "ben", "")}
        assert len(same) == 3, "the answer to one does not tell what another has"
        for id in m.bank.all(status="quarantined"): m.bank.trust(id.id, 1)
        for name in ("ann", "ben", "ann", "", "ann"): # each opened again after the other
            seen = {h["scope"] for h in m.search("look at the log before a deployment", k=20, scope=name)["hits"]}
            assert seen == {"", name}
        with pytest.raises(ValueError, match="No item"): m.get(ids["ben"], "ann")
        with pytest.raises(ValueError, match="No item"): m.quote(ids["ben"], scope="")
        assert m.get([ids["ann"], SHARED.id], "ann")[0]["scope"] == "ann"
        m.feedback(m.search("log", scope="cid")["search"], [])
        for name in ("dan", "eve"): kept = m.search("log", scope=name)["search"]
        with pytest.raises(ValueError, match="there are 3 already"): m.feedback(kept, [])
        with pytest.raises(ValueError, match="there are 3 already"): m.add(LESSON, "x", scope="eve")
    with AgentMemory(tmp_path/"m.db") as m:
        m.bank.trust(ids["ann"], 0)
        assert ids["ann"] not in [h["id"] for h in m.search("look at the log", k=20, scope="ann")["hits"]]

def test_feedback_moves_the_order_and_min_score_leaves_out(tmp_path):
    with AgentMemory(tmp_path/"m.db") as m:
        m.bank.add(*[Item(f"Rule {i}", "About brewing", f"Brew at {i} degrees, says rule {i}.") for i in range(6)])
        last = m.search("how hot to brew", k=6)["hits"][-1]["id"]
        assert m.search("how hot to brew", k=1)["hits"][0]["id"] != last
        for i in range(4): m.feedback(m.search("how hot to brew", k=6, session=f"s{i}")["search"], [last], True)
        assert m.search("how hot to brew", k=1)["hits"][0]["id"] == last
        assert m.search("how hot to brew", k=1, scope="ann")["hits"][0]["id"] == last, "what all have learned lies below a scope"
        scores = [h["score"] for h in m.search("rule 3 on brewing", k=6)["hits"]]
        cut = sorted(scores)[-2]
        few = m.search("rule 3 on brewing", k=6, min_score=cut)
        assert [h["score"] for h in few["hits"]] == [s for s in scores if s >= cut] and len(few["hits"]) < len(scores)
        shown = [u["item"] for u in m.bank.usage(run=few["search"])]
        assert shown == [h["id"] for h in few["hits"]], "what is left out does not count as shown"
        assert m.search("rule 3 on brewing", min_score=50)["hits"] == []

def test_a_full_quarantine_takes_no_more():
    m = AgentMemory(most_held=2, share=1)
    for i in range(2): m.add(dict(LESSON, title=str(i)))
    with pytest.raises(ValueError, match="wait in quarantine"): m.add(LESSON)
    assert m.add(dict(LESSON, title="1"))["new"] is False, "what is there already is no more"

def test_a_layer_of_another_bank_is_made_anew(tmp_path):
    with AgentMemory(tmp_path/"m.db") as m: m.bank.add(SHARED); m.search("deploy")
    for p in tmp_path.glob("m.db*"):
        if "learned" not in p.name: p.unlink()
    with AgentMemory(tmp_path/"m.db") as m:
        m.bank.add(Item("Brew hot", "Tea", "Brew it hot."))
        assert m.search("deploy on green")["hits"] == [] and m.search("brew tea")["hits"]
