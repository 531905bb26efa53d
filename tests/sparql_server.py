"A SPARQL 1.1 service on this machine, and what public ones refuse; a second opinion beside oxigraph's own server"
import re, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs
import pyoxigraph as ox

PAGE = b"<!DOCTYPE html><html><head><title>Query is too long</title><style>p {}</style></head><body><p>Sorry.</p></body></html>"

def dripping(handler):
    "A byte every tenth of a second, for as long as somebody listens"
    handler.start(200, "application/sparql-results+json")
    for _ in range(600):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(.1)

def endless(handler):
    "300 MB of an answer"
    handler.start(200, "application/sparql-results+json")
    handler.wfile.write(b'{"head": {"vars": ["x"]}, "results": {"bindings": [')
    row = b'{"x": {"type": "literal", "value": "%s"}},' % (b"x"*1_000_000)
    for _ in range(300): handler.wfile.write(row)

def says(status, body=b"", kind="text/plain", **headers):
    "A refusal, as something to do with a request"
    def say(handler): handler.say(status, body, kind, **headers)
    return say

STRICT = { # pattern of a query -> what a public service does with it
    r"GROUP\s+BY": says(400, b"GROUP BY is not supported by this endpoint"),
    r"COUNT\s*\(": says(500, b"java.util.concurrent.TimeoutException\n\tat java.util.concurrent.FutureTask.get(FutureTask.java:205)"),
    r"(?s).{2000}": says(400, PAGE, "text/html"),
}

class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        said = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        with self.server.lock: self.server.heard.append(said["query"][0])
        refusal = next((do for pattern, do in self.server.refuses.items() if re.search(pattern, said["query"][0], re.I)), self.answer)
        self.said = said
        try: refusal(self)
        except OSError: pass # nobody listens any more
    do_GET = do_POST
    def answer(self, _=None):
        graphs = [ox.NamedNode(g) for g in self.said.get("default-graph-uri", ())]
        try: found = self.server.store.query(self.said["query"][0], default_graph=graphs or None)
        except SyntaxError as e: return self.say(400, str(e).encode(), "text/plain")
        if isinstance(found, ox.QueryTriples): self.say(200, ox.serialize(found, format=ox.RdfFormat.N_TRIPLES), "application/n-triples")
        else: self.say(200, found.serialize(format=ox.QueryResultsFormat.JSON), "application/sparql-results+json")
    def start(self, status, kind, **headers):
        self.send_response(status)
        for name, value in dict(Content_Type=kind, **headers).items(): self.send_header(name.replace("_", "-"), value)
        self.end_headers()
    def say(self, status, body, kind, **headers):
        self.start(status, kind, Content_Length=str(len(body)), **headers)
        self.wfile.write(body)
    def log_message(self, *args): pass

class Standin(ThreadingHTTPServer):
    "A service that holds files; `refuses` maps a pattern of queries to what is done with them, `heard` are the queries that came"
    def __init__(self, *files, refuses=None, graph=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.store, self.refuses, self.heard, self.lock = ox.Store(), dict(refuses or {}), [], threading.Lock()
        for file in files: self.store.load(path=str(file), to_graph=ox.NamedNode(graph) if graph else None)
        self.url = f"http://127.0.0.1:{self.server_port}/sparql"
        threading.Thread(target=self.serve_forever, daemon=True).start()
    def close(self): self.shutdown(); self.server_close()
