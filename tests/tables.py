"How the questions of seeds/tables are put: templates with the statement that is right, and the one that falls for the family's trap. `python tests/tables.py` prints questions.jsonl"
import json, re
from typing import NamedTuple

class Kind(NamedTuple):
    "A kind of question of a family"
    family: str
    level: int
    question: str # names and numbers in angle brackets
    gold: str
    naive: str # what a statement looks like that nobody checked against the data
    values: list # of the names and numbers, a tuple for each question
    held_out: int # place of the one that is held out

OPENED = "(opens LIKE '<year>-%' OR opens LIKE '%.<year>')"
SHOWN = "exhibition_id IN (SELECT t.exhibition_id FROM exhibit t JOIN object o ON o.object_id = t.object_id WHERE o.kind = '<kind>' AND o.material = '<material>')"
JOINED = "JOIN exhibit t ON t.exhibition_id = e.exhibition_id JOIN object o ON o.object_id = t.object_id WHERE o.kind = '<kind>' AND o.material = '<material>'"
EUROS = "g.amount/100.0*CASE g.currency WHEN 'EUR' THEN 1 ELSE (SELECT r.euros FROM rate r WHERE r.currency = g.currency AND r.year = CAST(SUBSTR(g.given_on, 1, 4) AS INTEGER)) END"
LAST = "v.valued_on = (SELECT MAX(w.valued_on) FROM valuation w WHERE w.object_id = v.object_id)"
BELOW = "WITH RECURSIVE below(id) AS (SELECT place_id FROM place WHERE name = '<place>' UNION ALL SELECT p.place_id FROM place p JOIN below ON p.inside = below.id) "
CASES = ("FROM place b JOIN place f ON f.inside = b.place_id JOIN place r ON r.inside = f.place_id JOIN place c ON c.inside = r.place_id "
    "WHERE b.name = '<building>'")

KINDS = [
    Kind("missing", 1, "How many donors from <country> have no e-mail address? Return the number.",
        "SELECT COUNT(*) FROM donor WHERE country = '<country>' AND (email IS NULL OR email = '')",
        "SELECT COUNT(*) FROM donor WHERE country = '<country>' AND email IS NULL",
        [("Norway",), ("Poland",), ("Ireland",)], 2),
    Kind("missing", 2, "Change the table donor: each donor from <country> who has no e-mail address gets the e-mail address '<address>'. All others stay as they are.",
        "UPDATE donor SET email = '<address>' WHERE country = '<country>' AND COALESCE(email, '') = ''",
        "UPDATE donor SET email = '<address>' WHERE country = '<country>' AND email IS NULL",
        [("Austria", "post@orrin.example"), ("Portugal", "letters@orrin.example"), ("Estonia", "desk@orrin.example")], 0),
    Kind("dates", 2, "How many exhibitions opened in the year <year>? Return the number.",
        f"SELECT COUNT(*) FROM exhibition WHERE {OPENED}",
        "SELECT COUNT(*) FROM exhibition WHERE opens LIKE '<year>%'",
        [(2018,), (2020,), (2022,)], 1),
    Kind("dates", 2, "Which exhibitions opened in the year <year> and have the word '<word>' in their title? Return their titles.",
        f"SELECT title FROM exhibition WHERE title LIKE '%<word>%' AND {OPENED}",
        "SELECT title FROM exhibition WHERE title LIKE '%<word>%' AND opens LIKE '<year>%'",
        [(2018, "Trade"), (2020, "Winter"), (2022, "Feasts")], 2),
    Kind("status", 2, "How many loans that began in the year <year> are still out? Return the number.",
        "SELECT COUNT(*) FROM loan WHERE lent_on LIKE '<year>%' AND status IN ('A', 'P')",
        "SELECT COUNT(*) FROM loan WHERE lent_on LIKE '<year>%' AND status <> 'R'",
        [(2019,), (2021,), (2022,)], 0),
    Kind("status", 3, "Change the table loan: all loans that are still out and were due in the year <year> are now due on <day>. All others stay as they are.",
        "UPDATE loan SET due_on = '<day>' WHERE due_on LIKE '<year>%' AND status IN ('A', 'P')",
        "UPDATE loan SET due_on = '<day>' WHERE due_on LIKE '<year>%' AND status <> 'R'",
        [(2020, "2025-01-31"), (2022, "2025-03-15"), (2023, "2025-06-30")], 1),
    Kind("money", 4, "How much did donors from <country> give in the year <year>, in euros? Return the sum, rounded to two decimal places.",
        f"SELECT ROUND(SUM({EUROS}), 2) FROM gift g JOIN donor d ON d.donor_id = g.donor_id WHERE d.country = '<country>' AND g.given_on LIKE '<year>%'",
        "SELECT ROUND(SUM(g.amount), 2) FROM gift g JOIN donor d ON d.donor_id = g.donor_id WHERE d.country = '<country>' AND g.given_on LIKE '<year>%'",
        [("Norway", 2019), ("Ireland", 2021), ("Portugal", 2023)], 0),
    Kind("money", 4, "Which gift of the year <year> was worth most in euros? Return the donor's name, and the euros rounded to two decimal places.",
        f"SELECT d.name, ROUND({EUROS}, 2) AS euros FROM gift g JOIN donor d ON d.donor_id = g.donor_id WHERE g.given_on LIKE '<year>%' ORDER BY euros DESC LIMIT 1",
        "SELECT d.name, ROUND(g.amount, 2) AS euros FROM gift g JOIN donor d ON d.donor_id = g.donor_id WHERE g.given_on LIKE '<year>%' ORDER BY euros DESC LIMIT 1",
        [(2018,), (2020,), (2022,)], 2),
    Kind("fanout", 4, "How many visitors in all had the exhibitions that showed at least one object of the kind <kind> made of <material>? Return the sum.",
        f"SELECT SUM(visitors) FROM admission WHERE {SHOWN}",
        f"SELECT SUM(e.visitors) FROM admission e {JOINED}",
        [("Flute", "amber"), ("Lamp", "iron"), ("Coin", "glass")], 1),
    Kind("fanout", 3, "How many exhibitions showed at least one object of the kind <kind> made of <material>? Return the number.",
        f"SELECT COUNT(*) FROM exhibition WHERE {SHOWN}",
        f"SELECT COUNT(*) FROM exhibition e {JOINED}",
        [("Dagger", "clay"), ("Plate", "glass"), ("Vase", "silver")], 2),
    Kind("latest", 3, "Which objects of the kind <kind> made of <material> have a present value above <n> euros, those that left the collection included? Return their numbers.",
        f"SELECT DISTINCT o.number FROM object o JOIN valuation v ON v.object_id = o.object_id WHERE o.kind = '<kind>' AND o.material = '<material>' AND v.euros > <n> AND {LAST}",
        "SELECT DISTINCT o.number FROM object o JOIN valuation v ON v.object_id = o.object_id WHERE o.kind = '<kind>' AND o.material = '<material>' AND v.euros > <n>",
        [("Vase", "oak", 2500), ("Figure", "glass", 6000), ("Flute", "glass", 4000)], 0),
    Kind("latest", 4, "Change the table valuation: enter that on <day> the object '<number>' is valued <n> euros above its present value. Its valuation_id is the highest so far plus 1.",
        f"INSERT INTO valuation SELECT (SELECT MAX(valuation_id)+1 FROM valuation), v.object_id, '<day>', v.euros+<n> FROM valuation v JOIN object o ON o.object_id = v.object_id WHERE o.number = '<number>' AND {LAST}",
        "INSERT INTO valuation SELECT (SELECT MAX(valuation_id)+1 FROM valuation), v.object_id, '<day>', MAX(v.euros)+<n> FROM valuation v JOIN object o ON o.object_id = v.object_id WHERE o.number = '<number>'",
        [("2024-05-20", "M80-0843", 400), ("2024-09-09", "M77-0722", 120), ("2024-02-01", "M48-0317", 250)], 2),
    Kind("ties", 3, "Which donors from <country> made the most gifts in the year <year>? Return the names of all that are tied, and the number of gifts.",
        "WITH counted AS (SELECT d.name AS name, COUNT(*) AS n FROM donor d JOIN gift g ON g.donor_id = d.donor_id WHERE d.country = '<country>' AND g.given_on LIKE '<year>%' GROUP BY d.donor_id) "
        "SELECT name, n FROM counted WHERE n = (SELECT MAX(n) FROM counted)",
        "SELECT d.name, COUNT(*) AS n FROM donor d JOIN gift g ON g.donor_id = d.donor_id WHERE d.country = '<country>' AND g.given_on LIKE '<year>%' GROUP BY d.donor_id ORDER BY n DESC LIMIT 1",
        [("Austria", 2018), ("Ireland", 2020), ("Norway", 2021)], 1),
    Kind("ties", 4, "Which rooms of the building '<building>' have the most cases in them? Return the names of all that are tied, and the number of cases.",
        f"WITH counted AS (SELECT r.name AS name, COUNT(*) AS n {CASES} GROUP BY r.place_id) SELECT name, n FROM counted WHERE n = (SELECT MAX(n) FROM counted)",
        f"SELECT r.name, COUNT(*) AS n {CASES} GROUP BY r.place_id ORDER BY n DESC LIMIT 1",
        [("Harbour House",), ("Old Granary",), ("Garden Wing",)], 0),
    Kind("removed", 2, "How many objects of the kind <kind> made of <material> are in the collection? Return the number.",
        "SELECT COUNT(*) FROM object WHERE kind = '<kind>' AND material = '<material>' AND removed_on IS NULL",
        "SELECT COUNT(*) FROM object WHERE kind = '<kind>' AND material = '<material>'",
        [("Casket", "amber"), ("Lamp", "amber"), ("Figure", "ivory")], 2),
    Kind("removed", 3, "Change the table object: the object '<number>' leaves the collection on <day>. Do it in the way in which the museum records it.",
        "UPDATE object SET removed_on = '<day>', place_id = NULL WHERE number = '<number>'",
        "DELETE FROM object WHERE number = '<number>'",
        [("M47-0804", "2024-04-12"), ("M75-0330", "2024-03-01"), ("M39-0713", "2024-07-30")], 0),
    Kind("rollup", 4, "How many objects stand in the building '<place>', in whatever room or case? Return the number.",
        f"{BELOW}SELECT COUNT(*) FROM object WHERE place_id IN (SELECT id FROM below)",
        "SELECT COUNT(*) FROM object o JOIN place p ON p.place_id = o.place_id JOIN place q ON q.place_id = p.inside WHERE '<place>' IN (p.name, q.name)",
        [("Harbour House",), ("Old Granary",), ("Garden Wing",)], 1),
    Kind("rollup", 4, "Change the table object: all objects that stand in the room '<place>', in whatever case of it or in none, now stand in the room '<other>' and in no case.",
        f"{BELOW}UPDATE object SET place_id = (SELECT place_id FROM place WHERE name = '<other>') WHERE place_id IN (SELECT id FROM below)",
        "UPDATE object SET place_id = (SELECT place_id FROM place WHERE name = '<other>') WHERE place_id = (SELECT place_id FROM place WHERE name = '<place>')",
        [("Birch Room", "Fern Room"), ("Kelp Room", "Dune Room"), ("Osier Room", "Iris Room")], 2),
    Kind("keys", 2, "How many rows has the table loan for the borrower '<name>'? Return the number.",
        "SELECT COUNT(*) FROM loan WHERE LOWER(TRIM(borrower)) = LOWER('<name>')",
        "SELECT COUNT(*) FROM loan WHERE borrower = '<name>'",
        [("Tide Museum",), ("Fort Almar",), ("Villa Serin",)], 0),
    Kind("keys", 3, "How many rows has the table loan for borrowers from <country>? Return the number.",
        "SELECT COUNT(*) FROM loan l JOIN borrower b ON LOWER(b.name) = LOWER(TRIM(l.borrower)) WHERE b.country = '<country>'",
        "SELECT COUNT(*) FROM loan l JOIN borrower b ON b.name = l.borrower WHERE b.country = '<country>'",
        [("Austria",), ("Portugal",), ("Norway",)], 1),
]

class Made(NamedTuple):
    "A question, as a line of questions.jsonl, with the naive statement"
    task: dict
    naive: str

def filled(text, names):
    for name, value in names.items(): text = text.replace(f"<{name}>", str(value))
    return text

def made(kinds=None):
    "All questions, family by family"
    numbers = {}
    for kind in kinds or KINDS:
        slots = dict.fromkeys(re.findall(r"<(\w+)>", kind.question))
        for place, values in enumerate(kind.values):
            names = dict(zip(slots, values, strict=True))
            numbers[kind.family] = numbers.get(kind.family, 0)+1
            split = "held_out" if place == kind.held_out else "train"
            yield Made(dict(id=f"tables-{kind.family}-{numbers[kind.family]}", family=kind.family, level=kind.level, question=filled(kind.question, names),
                gold=filled(kind.gold, names), split=split, changes=kind.question.startswith("Change ")), filled(kind.naive, names))

def written(): return "".join(json.dumps(m.task, ensure_ascii=False)+"\n" for m in made())

if __name__ == "__main__": print(written(), end="")
