"How the questions of seeds/firm are put: templates with the query that is right, and the one that falls for the family's trap. `python tests/firm.py` prints tasks.jsonl"
import json, re
from typing import NamedTuple

class Kind(NamedTuple):
    "A kind of question of a family"
    family: str
    level: int
    question: str # names and numbers in angle brackets
    gold: str
    naive: str # what a query looks like that nobody checked against the data
    values: list # of the names and numbers, a tuple for each question
    held_out: tuple # places of those that are held out

KG = "xsd:decimal(STRBEFORE(?text, ' '))"
DAYS = "xsd:integer(STRBEFORE(?text, ' '))"
INVOICES = "?i a erp:Invoice ; erp:amount ?a ; erp:date ?d ; "
IN_EUROS = "OPTIONAL { ?i erp:currency ?c . ?rate erp:of ?c ; erp:month ?month ; erp:euros ?e FILTER(?month = SUBSTR(STR(?d), 1, 7)) } "
WORTH = "?a * COALESCE(?e, 1)"
OF_MODEL = "?m erp:inHall ?h ; erp:model ?k . ?h rdfs:label '<hall>' . ?k erp:serviceInterval ?usual OPTIONAL { ?m erp:serviceInterval ?own } "
BELOW = "(hr:partOf|hr:formedBy)*"
LEVELS = " UNION ".join((
    "{ ?c erp:inside ?w ; erp:item ?p ; erp:count ?n }",
    "{ ?c erp:inside ?w ; erp:item ?q ; erp:count ?n1 . ?d erp:inside ?q ; erp:item ?p ; erp:count ?n2 BIND(?n1*?n2 AS ?n) }",
    "{ ?c erp:inside ?w ; erp:item ?q ; erp:count ?n1 . ?d erp:inside ?q ; erp:item ?r ; erp:count ?n2 . ?e erp:inside ?r ; erp:item ?p ; "
    "erp:count ?n3 BIND(?n1*?n2*?n3 AS ?n) }"))
PARTNERS = "SELECT ?m (COUNT(DISTINCT ?o) AS ?n) WHERE { ?m erp:inHall ?h . ?h rdfs:label '<hall>' . ?m (erp:exchangesToolsWith|^erp:exchangesToolsWith) ?o } GROUP BY ?m"

KINDS = [
    Kind("text", 4, "How many parts made of the material '<material>' weigh more than <n> kilograms? Return the number.",
        "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?p erp:material '<material>' ; erp:mass ?text "
        f"BIND({KG} * IF(STRENDS(?text, ' g'), 0.001, 1) AS ?kg) FILTER(?kg > <n>) }}",
        f"SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE {{ ?p erp:material '<material>' ; erp:mass ?text BIND({KG} AS ?kg) FILTER(?kg > <n>) }}",
        [("brass", 2), ("steel", 3), ("bronze", "1.5"), ("nylon", 4)], (3,)),
    Kind("text", 4, "Which parts of the family '<family>' have a lead time of more than <n> days, a week being seven days? Return their names.",
        "SELECT ?name WHERE { ?p erp:family ?f ; rdfs:label ?name ; erp:leadTime ?text . ?f rdfs:label '<family>' "
        f"BIND({DAYS} * IF(STRENDS(?text, ' weeks'), 7, 1) AS ?days) FILTER(?days > <n>) }}",
        f"SELECT ?name WHERE {{ ?p erp:family ?f ; rdfs:label ?name ; erp:leadTime ?text . ?f rdfs:label '<family>' BIND({DAYS} AS ?days) FILTER(?days > <n>) }}",
        [("Valves", 40), ("Shafts", 42), ("Flanges", 35), ("Springs", 38)], (1, 3)),
    Kind("money", 5, "What do the invoices from the supplier '<supplier>' come to in euros, each at the rate of the month of its date? "
        "Return the total, rounded to whole euros.",
        f"SELECT (ROUND(SUM({WORTH})) AS ?total) WHERE {{ {INVOICES}erp:from ?s . ?s rdfs:label '<supplier>' {IN_EUROS}}}",
        f"SELECT (ROUND(SUM(?a)) AS ?total) WHERE {{ {INVOICES}erp:from ?s . ?s rdfs:label '<supplier>' }}",
        [("Dorvane Freight",), ("Gorlin Works",), ("Havelor Works",), ("Rendal Metals",)], (2, 3)),
    Kind("money", 4, "Which invoices dated in <month> come to more than <n> euros, at the rate of that month? Return their names.",
        f"SELECT ?name WHERE {{ {INVOICES}rdfs:label ?name FILTER(SUBSTR(STR(?d), 1, 7) = '<month>') {IN_EUROS}FILTER({WORTH} > <n>) }}",
        f"SELECT ?name WHERE {{ {INVOICES}rdfs:label ?name FILTER(SUBSTR(STR(?d), 1, 7) = '<month>') FILTER(?a > <n>) }}",
        [("2024-03", 6000), ("2024-05", 5000), ("2024-08", 7000), ("2024-11", 6500)], (2,)),
    Kind("status", 5, "How many people are employed at present in the job '<job>'? Return the number.",
        "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?p hr:job '<job>' ; hr:status ?code FILTER(?code IN ('3', '1')) }",
        "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?p hr:job '<job>' }",
        [("Planner",), ("Welder",), ("Electrician",), ("Inspector",)], (1,)),
    Kind("status", 4, "Which people are employed at present directly in the unit '<unit>'? Return their names.",
        "SELECT ?name WHERE { ?p hr:memberOf ?u ; rdfs:label ?name ; hr:status ?code . ?u rdfs:label '<unit>' FILTER(?code IN ('3', '1')) }",
        "SELECT ?name WHERE { ?p hr:memberOf ?u ; rdfs:label ?name . ?u rdfs:label '<unit>' }",
        [("Gears Testing",), ("Pipework Assembly",), ("Field Service Assembly",), ("Pumps Testing",)], (2, 3)),
    Kind("subclass", 5, "How many <kind>s are based in the country '<country>'? Return the number.",
        "SELECT (COUNT(DISTINCT ?b) AS ?n) WHERE { ?b a/rdfs:subClassOf* erp:<Kind> ; erp:country '<country>' }",
        "SELECT (COUNT(DISTINCT ?b) AS ?n) WHERE { ?b a erp:<Kind> ; erp:country '<country>' }",
        [("supplier", "Norway"), ("customer", "Austria"), ("supplier", "Portugal"), ("customer", "Ireland")], (3,)),
    Kind("subclass", 4, "Which <kind> machines stand in the hall '<hall>'? Return their names.",
        "SELECT DISTINCT ?name WHERE { ?m a/rdfs:subClassOf* erp:<Kind>Machine ; erp:inHall ?h ; rdfs:label ?name . ?h rdfs:label '<hall>' }",
        "SELECT DISTINCT ?name WHERE { ?m a erp:<Kind>Machine ; erp:inHall ?h ; rdfs:label ?name . ?h rdfs:label '<hall>' }",
        [("cutting", "Hall 2"), ("forming", "Hall 3"), ("cutting", "Hall 5"), ("forming", "Hall 6")], (1, 2)),
    Kind("default", 3, "Which machines in the hall '<hall>' have a service interval of <n> days or less? Return their names.",
        f"SELECT ?name WHERE {{ ?m rdfs:label ?name . {OF_MODEL}FILTER(COALESCE(?own, ?usual) <= <n>) }}",
        "SELECT ?name WHERE { ?m erp:inHall ?h ; rdfs:label ?name ; erp:serviceInterval ?days . ?h rdfs:label '<hall>' FILTER(?days <= <n>) }",
        [("Hall 1", 60), ("Hall 6", 60), ("Hall 5", 45), ("Hall 7", 90)], (1,)),
    Kind("default", 5, "What is the average service interval, in days, of the machines in the hall '<hall>'? Return the average, rounded to one decimal place.",
        f"SELECT (ROUND(AVG(COALESCE(?own, ?usual))*10)/10 AS ?average) WHERE {{ {OF_MODEL}}}",
        "SELECT (ROUND(AVG(?days)*10)/10 AS ?average) WHERE { ?m erp:inHall ?h ; erp:serviceInterval ?days . ?h rdfs:label '<hall>' }",
        [("Hall 2",), ("Hall 3",), ("Hall 5",), ("Hall 8",)], (2, 3)),
    Kind("fanout", 5, "What is the total freight of the orders that have a line for a part of the family '<family>'? Return the total.",
        "SELECT (SUM(?value) AS ?total) WHERE { { SELECT DISTINCT ?o ?value WHERE { ?l erp:ofOrder ?o ; erp:item/erp:family ?f . ?f rdfs:label '<family>' . "
        "?o erp:freight ?value } } }",
        "SELECT (SUM(?value) AS ?total) WHERE { ?l erp:ofOrder ?o ; erp:item/erp:family ?f . ?f rdfs:label '<family>' . ?o erp:freight ?value }",
        [("Gaskets",), ("Bearings",), ("Housings",), ("Couplings",)], (1, 2)),
    Kind("fanout", 5, "What is the total headcount of the companies that hold a certificate from the auditor '<auditor>'? Return the total.",
        "SELECT (SUM(?value) AS ?total) WHERE { { SELECT DISTINCT ?o ?value WHERE { ?z erp:holder ?o ; erp:auditor ?b . ?b rdfs:label '<auditor>' . "
        "?o erp:headcount ?value } } }",
        "SELECT (SUM(?value) AS ?total) WHERE { ?z erp:holder ?o ; erp:auditor ?b . ?b rdfs:label '<auditor>' . ?o erp:headcount ?value }",
        [("Bureau Lindqvist",), ("Bureau Ferreira",), ("Bureau Kowal",), ("Bureau Tamm",)], (3,)),
    Kind("rollup", 3, "How many machines are operated by the unit '<unit>' or a unit below it, however deep? Return the number.",
        f"SELECT (COUNT(DISTINCT ?m) AS ?n) WHERE {{ ?m erp:operatedBy/{BELOW} ?u . ?u rdfs:label '<unit>' }}",
        "SELECT (COUNT(DISTINCT ?m) AS ?n) WHERE { ?m erp:operatedBy/hr:partOf* ?u . ?u rdfs:label '<unit>' }",
        [("Fluid Systems",), ("Services",), ("Drive Systems",), ("Central Functions",)], (1, 3)),
    Kind("rollup", 3, "How many pieces of the part '<part>' are in one '<whole>', counting those inside its assemblies, however deep? Return the number.",
        f"SELECT (SUM(?n) AS ?pieces) WHERE {{ ?p rdfs:label '<part>' . ?w rdfs:label '<whole>' . {LEVELS} }}",
        "SELECT (SUM(?n) AS ?pieces) WHERE { ?p rdfs:label '<part>' . ?w rdfs:label '<whole>' . ?w (^erp:inside/erp:item)* ?q . ?c erp:inside ?q ; erp:item ?p ; erp:count ?n }",
        [("Valve 3048", "Product 1"), ("Flange 3100", "Product 10"), ("Valve 3104", "Product 2"), ("Valve 3096", "Product 4")], (2,)),
    Kind("bothways", 2, "With which machines does the machine '<machine>' exchange tools? Return their names.",
        "SELECT DISTINCT ?name WHERE { ?m rdfs:label '<machine>' ; (erp:exchangesToolsWith|^erp:exchangesToolsWith) ?o . ?o rdfs:label ?name }",
        "SELECT DISTINCT ?name WHERE { ?m rdfs:label '<machine>' ; erp:exchangesToolsWith ?o . ?o rdfs:label ?name }",
        [("DX-203",), ("DX-213",), ("DX-224",), ("DX-227",)], (2,)),
    Kind("bothways", 5, "Which machines in the hall '<hall>' exchange tools with the most other machines? Return the names of all that are tied, and the number.",
        f"SELECT ?name ?n WHERE {{ {{ SELECT (MAX(?n) AS ?top) WHERE {{ {{ {PARTNERS} }} }} }} {{ {PARTNERS} }} FILTER(?n = ?top) ?m rdfs:label ?name }}",
        "SELECT ?name (COUNT(?o) AS ?n) WHERE { ?m erp:inHall ?h ; rdfs:label ?name ; erp:exchangesToolsWith ?o . ?h rdfs:label '<hall>' } "
        "GROUP BY ?name ORDER BY DESC(?n) LIMIT 1",
        [("Hall 3",), ("Hall 5",), ("Hall 6",), ("Hall 7",)], (1, 3)),
]

class Made(NamedTuple):
    "A question, as a line of tasks.jsonl, with the naive query"
    task: dict
    naive: str

def filled(text, names):
    for name, value in names.items(): text = text.replace(f"<{name}>", str(value))
    return text

def made(kinds=KINDS, suite="firm", also=lambda names: {}):
    "All questions, family by family; `also` gives further names that a query needs"
    numbers = {}
    for kind in kinds:
        slots = dict.fromkeys(re.findall(r"<(\w+)>", kind.question))
        for place, values in enumerate(kind.values):
            names = dict(zip(slots, values, strict=True))
            if "kind" in names: names["Kind"] = names["kind"].capitalize()
            names |= also(names)
            numbers[kind.family] = numbers.get(kind.family, 0)+1
            split = "held_out" if place in kind.held_out else "train"
            yield Made(dict(id=f"{suite}-{kind.family}-{numbers[kind.family]}", level=kind.level, question=filled(kind.question, names),
                gold=filled(kind.gold, names), split=split, ordered=False, ties=False, tags=[kind.family]), filled(kind.naive, names))

def written(questions): return "".join(json.dumps(m.task, ensure_ascii=False)+"\n" for m in questions)

if __name__ == "__main__": print(written(made()), end="")
