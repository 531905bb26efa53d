"An agent of one's own with a memory that lasts"
from rbkit import Bank, Item

def lesson(question: str, bank: Bank) -> str:
    hits = bank.search(question, k=1, polarity="success")
    return hits[0].item.content if hits else ""

with Bank("memory.db") as bank:
    ids: list[str] = bank.add(Item("Count per group", "How many of each", "GROUP BY the group."))
    bank.record_exposure("run 1", ids)
    bank.outcome("run 1", won=True)
    believed: Item = bank.trust(ids[0], 2, why="it worked") # a method that another chapter adds
    print(believed.title, lesson("How many proteins does each species have?", bank))
