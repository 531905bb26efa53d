"A stand-in on this machine that speaks the chat protocol of OpenAI, and whatever a real server does wrong"
import json, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = dict(prompt_tokens=100, completion_tokens=20, total_tokens=120, prompt_tokens_details=dict(cached_tokens=40))

def body_of(request, text, usage=USAGE):
    "The reply of a test server; `text` may be the fields of a message"
    message = text if isinstance(text, dict) else dict(content=text)
    body = dict(id="x", object="chat.completion", created=1, model=request["model"],
        choices=[dict(index=0, finish_reason="stop", message=dict(role="assistant", **message))])
    return {**body, "usage": usage} if usage else body

class Handler(BaseHTTPRequestHandler):
    "Answers what its server's script says: (status, text), and if wanted headers and a delay; text may be a whole body as bytes, or pieces of one"
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.heard.append((self.path, request))
            self.server.keys.append(self.headers.get("authorization"))
            n = len(self.server.heard)
        status, text, *more = self.server.script(request, n)
        headers, delay = more if more else ({}, 0)
        time.sleep(delay)
        if isinstance(text, (str, dict)): text = json.dumps(body_of(request, text, self.server.usage) if status == 200 else dict(error=dict(message=text, type="error", code=str(status)))).encode()
        pieces = [text] if isinstance(text, bytes) else list(text)
        self.send_response(status)
        for k, v in (("content-type", "application/json"), ("content-length", sum(map(len, pieces))), *headers.items()): self.send_header(k, str(v))
        try:
            self.end_headers()
            for piece in pieces:
                self.wfile.write(piece)
                if len(pieces) > 1: time.sleep(.2)
        except OSError: pass # the client did not wait
    def log_message(self, *args): pass

class Server(ThreadingHTTPServer):
    "A stand-in; `script(request, n)` answers the n-th request, `usage` is what it says of tokens"
    def __init__(self, script=None, usage=USAGE):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.usage, self.heard, self.keys, self.lock = script, usage, [], [], threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"
        threading.Thread(target=self.serve_forever, daemon=True).start()
    def close(self): self.shutdown(); self.server_close()

def said(request): return "\n".join(str(m["content"]) for m in request["messages"])
def is_agent(request): return "Reply with the word ok" not in said(request) # all but the preflight; dspy asks again as JSON after a bad reply

def simulated(profile):
    "A script by which the simulated model answers over HTTP"
    from rbkit.models.connect import SimEngine
    engine = SimEngine(profile) # a world's stand-in answers for itself
    def script(request, n):
        if not is_agent(request): return 200, "ok"
        system = "\n".join(m["content"] for m in request["messages"] if m["role"] == "system")
        user = "\n".join(m["content"] for m in request["messages"] if m["role"] != "system")
        return 200, engine.reply(system, user)
    return script
