"Three calls for any agent"
from rbkit import Bank, Item, Service

service = Service(bank=Bank("shared.db"), gate="gated")
shown: list[Item] = service.retrieve_strategies("book a flight", k=2, run="episode 7")
decisions = service.add_experiences(dict(run="episode 7", task="book a flight", success=True, said="done"))
names: list[str] = [item.title for item in shown]
print(names, len(decisions))
