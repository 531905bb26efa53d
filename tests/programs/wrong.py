"Mistakes that a type checker has to find, each on a line that says so"
from rbkit import Bank, Item, Service

bank = Bank()
bank.trust("id") # mistake: which tier?
bank.trust("id", "curated") # mistake: a tier is a number
bank.serach("How many?") # mistake: no such method
hit: Item = bank.search("How many?")[0] # mistake: a hit is not an item
service = Service(bank="shared.db") # mistake: a bank, not its file
shown: list[str] = service.retrieve_strategies("a task") # mistake: items come back
