"Questions to a graph, and results that are referred to"
from rbkit import load_graph, make_tools
from rbkit.graphs.graph import Graph
from rbkit.handles import BlobStore, Ref

graph: Graph = load_graph("seeds/toy/graph.ttl", name="toy")
tools = {tool.__name__: tool for tool in make_tools(graph)}
answer = tools["sparql_query"]("SELECT ?x WHERE { ?x a ?c }")

store = BlobStore(max_chars=100_000)
ref: Ref = store.put("a result of many lines\n"*1000, dtype="text")
size: int = ref.sz
first: str = store.get(ref)[:80]
print(answer, size, first, ref.to_dict()["key"])
