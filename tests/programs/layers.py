"One question with two layers of memory, put to the simulated model"
from rbkit import Bank, ContextBuilder, load_graph, run_agent
from rbkit.agents.code import Attempt
from rbkit.context import Context
from rbkit.models.connect import connect

graph = load_graph("seeds/toy/graph.ttl", name="toy")
builder = ContextBuilder(["L0", "L2"], profile="compact")
context: Context = builder.build("Which proteins are human?", graph, bank=Bank())
attempt: Attempt = run_agent("Which proteins are human?", graph, context, connect("sim"))
print(attempt.answer, len(context.text))
