"How the questions of seeds/merger are put, as those of seeds/firm: the naive query knows the firm's own habits and not those of the other books. `python tests/merger.py` prints tasks.jsonl"
from firm import IN_EUROS as FIRM_EUROS, INVOICES, LEVELS as FIRM_LEVELS, WORTH, Kind, made as made_of, written

NUM = "xsd:decimal(REPLACE(STRBEFORE(?text, ' '), ',', '.'))"
KG = NUM+" * IF(STRENDS(?text, ' g'), 0.001, 1)"
DAYS = NUM+" * IF(STRENDS(?text, ' weeks'), 7, 1)"
FAMILY = "?p (erp:variantOf*/erp:family)/rdfs:label '<family>'"
MONTH = "BIND(IF(CONTAINS(STR(?d), '.'), CONCAT(SUBSTR(STR(?d), 7, 4), '-', SUBSTR(STR(?d), 4, 2)), SUBSTR(STR(?d), 1, 7)) AS ?month)"
IN_EUROS = MONTH+" OPTIONAL { ?i erp:currency ?c . ?rate erp:of ?known ; erp:month ?m ; erp:euros ?e . ?known rdfs:label ?code FILTER(?m = ?month && (?c = ?known || ?c = ?code)) } "
PRESENT = "FILTER(?code IN ('3', '1', 'active', 'absent'))"
IN_HALL = "?m erp:inHall/erp:bayOf? ?h . ?h rdfs:label '<hall>' . "
DAYS_OF = "BIND(COALESCE(?own, ?usual) AS ?given) BIND(IF(DATATYPE(?given) = xsd:string, 7 * xsd:integer(STRBEFORE(STR(?given), ' ')), ?given) AS ?days) "
OF_MODEL = IN_HALL+"?m erp:model/erp:serviceInterval ?usual OPTIONAL { ?m erp:serviceInterval ?own } "
FIRM_MODEL = "?m erp:inHall ?h ; erp:model/erp:serviceInterval ?usual . ?h rdfs:label '<hall>' OPTIONAL { ?m erp:serviceInterval ?own } "
BELOW = "(hr:partOf|hr:formedBy|^hr:hasUnit)*"
LEVELS = " UNION ".join((
    "{ ?c erp:inside ?w ; erp:item ?p OPTIONAL { ?c erp:count ?n0 } BIND(COALESCE(?n0, 1) AS ?n) }",
    "{ ?c erp:inside ?w ; erp:item ?q . ?d erp:inside ?q ; erp:item ?p OPTIONAL { ?c erp:count ?n1 } OPTIONAL { ?d erp:count ?n2 } BIND(COALESCE(?n1, 1)*COALESCE(?n2, 1) AS ?n) }",
    "{ ?c erp:inside ?w ; erp:item ?q . ?d erp:inside ?q ; erp:item ?r . ?e erp:inside ?r ; erp:item ?p OPTIONAL { ?c erp:count ?n1 } OPTIONAL { ?d erp:count ?n2 } "
    "OPTIONAL { ?e erp:count ?n3 } BIND(COALESCE(?n1, 1)*COALESCE(?n2, 1)*COALESCE(?n3, 1) AS ?n) }"))
SHARES = "(erp:exchangesToolsWith|^erp:exchangesToolsWith|(^erp:between/erp:between))"
PARTNERS = f"SELECT ?m (COUNT(DISTINCT ?o) AS ?n) WHERE {{ {IN_HALL}?m {SHARES} ?o FILTER(?o != ?m) }} GROUP BY ?m"
FIRM_PARTNERS = "SELECT ?m (COUNT(DISTINCT ?o) AS ?n) WHERE { ?m erp:inHall/rdfs:label '<hall>' ; (erp:exchangesToolsWith|^erp:exchangesToolsWith) ?o } GROUP BY ?m"
FIRST = "?b owl:sameAs? ?o FILTER NOT EXISTS { ?o owl:sameAs ?other } "

def top(each): return f"SELECT ?name ?n WHERE {{ {{ SELECT (MAX(?n) AS ?top) WHERE {{ {{ {each} }} }} }} {{ {each} }} FILTER(?n = ?top) ?m rdfs:label ?name }}"

KINDS = [
    Kind("text", 4, "How many parts of the material '<material>' are heavier than <n> kilograms? Return the number.",
        f"SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE {{ ?p erp:material ?made ; erp:mass ?text FILTER(LCASE(?made) = '<material>') FILTER({KG} > <n>) }}",
        "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?p erp:material '<material>' ; erp:mass ?text FILTER(xsd:decimal(STRBEFORE(?text, ' ')) * IF(STRENDS(?text, ' g'), 0.001, 1) > <n>) }",
        [("steel", 2), ("bronze", 2), ("nylon", 2), ("brass", "1.5")], (3,)),
    Kind("text", 4, "Which parts of the family '<family>' take longer than <n> days to be delivered, a week being seven days? Return their names.",
        f"SELECT ?name WHERE {{ {FAMILY} ; rdfs:label ?name ; erp:leadTime ?text FILTER({DAYS} > <n>) }}",
        "SELECT ?name WHERE { ?p erp:family/rdfs:label '<family>' ; rdfs:label ?name ; erp:leadTime ?text FILTER(xsd:decimal(STRBEFORE(?text, ' ')) * IF(STRENDS(?text, ' weeks'), 7, 1) > <n>) }",
        [("Valves", 25), ("Shafts", 30), ("Flanges", 25), ("Springs", 25)], (1, 3)),
    Kind("money", 5, "What are all invoices of the supplier '<supplier>' worth in euros, each at the rate of the month of its date? Return the total, rounded to whole euros.",
        f"SELECT (ROUND(SUM({WORTH})) AS ?total) WHERE {{ {INVOICES}erp:from ?b . {FIRST} ?o rdfs:label '<supplier>' {IN_EUROS}}}",
        f"SELECT (ROUND(SUM({WORTH})) AS ?total) WHERE {{ {INVOICES}erp:from ?s . ?s rdfs:label '<supplier>' {FIRM_EUROS}}}",
        [("Pastrim Metals",), ("Belmar Trading",), ("Rendal Works",), ("Solvik Freight",)], (2, 3)),
    Kind("money", 4, "Which invoices of <month> are worth more than <n> euros at the rate of that month? Return their names.",
        f"SELECT ?name WHERE {{ {INVOICES}rdfs:label ?name {IN_EUROS} FILTER(?month = '<month>') FILTER({WORTH} > <n>) }}",
        f"SELECT ?name WHERE {{ {INVOICES}rdfs:label ?name FILTER(SUBSTR(STR(?d), 1, 7) = '<month>') {FIRM_EUROS}FILTER({WORTH} > <n>) }}",
        [("2024-01", 6000), ("2024-02", 5000), ("2024-03", 6000), ("2024-08", 5000)], (2,)),
    Kind("status", 5, "How many people does the company employ at present in the job '<job>'? Return the number.",
        f"SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE {{ ?p hr:job ?job ; hr:status ?code FILTER(LCASE(?job) = LCASE('<job>')) {PRESENT} }}",
        "SELECT (COUNT(DISTINCT ?p) AS ?n) WHERE { ?p hr:job '<job>' ; hr:status ?code FILTER(?code IN ('3', '1')) }",
        [("Planner",), ("Welder",), ("Electrician",), ("Controller",)], (1,)),
    Kind("status", 4, "Which people does the company employ at present in the unit '<unit>' itself? Return their names.",
        f"SELECT ?name WHERE {{ ?p (hr:memberOf|^hr:staff)/rdfs:label '<unit>' ; rdfs:label ?name ; hr:status ?code {PRESENT} }}",
        "SELECT ?name WHERE { ?p hr:memberOf/rdfs:label '<unit>' ; rdfs:label ?name ; hr:status ?code FILTER(?code IN ('3', '1')) }",
        [("Team Wryneck",), ("Team Redstart",), ("Team Nightjar",), ("Team Oriole",)], (2, 3)),
    Kind("subclass", 5, "How many <kind>s does the company have in the country '<country>'? Return the number.",
        f"SELECT (COUNT(DISTINCT ?o) AS ?n) WHERE {{ ?b a/rdfs:subClassOf* erp:<Kind> ; erp:country ?k FILTER(?k IN ('<country>', '<code>')) {FIRST} }}",
        "SELECT (COUNT(DISTINCT ?b) AS ?n) WHERE { ?b a/rdfs:subClassOf* erp:<Kind> ; erp:country '<country>' }",
        [("supplier", "Ireland"), ("customer", "Poland"), ("supplier", "Austria"), ("customer", "Norway")], (3,)),
    Kind("subclass", 4, "Which machines for <kind> are in the hall '<hall>'? Return their names.",
        f"SELECT DISTINCT ?name WHERE {{ {IN_HALL}?m rdfs:label ?name OPTIONAL {{ ?m erp:kind ?kind }} FILTER(?kind IN (<kinds>) || EXISTS {{ ?m a/rdfs:subClassOf* erp:<Kind>Machine }}) }}",
        "SELECT DISTINCT ?name WHERE { ?m a/rdfs:subClassOf* erp:<Kind>Machine ; erp:inHall/rdfs:label '<hall>' ; rdfs:label ?name }",
        [("cutting", "Hall 3"), ("forming", "Hall 5"), ("cutting", "Hall 6"), ("forming", "Hall 3")], (1, 2)),
    Kind("default", 3, "Which machines in the hall '<hall>' are to be serviced every <n> days or more often? Return their names.",
        f"SELECT ?name WHERE {{ {OF_MODEL}?m rdfs:label ?name {DAYS_OF}FILTER(?days <= <n>) }}",
        f"SELECT ?name WHERE {{ {FIRM_MODEL}?m rdfs:label ?name FILTER(COALESCE(?own, ?usual) <= <n>) }}",
        [("Hall 1", 63), ("Hall 6", 63), ("Hall 5", 63), ("Hall 7", 63)], (1,)),
    Kind("default", 5, "How many days lie on average between two services of a machine in the hall '<hall>'? Return the average, rounded to one decimal place.",
        f"SELECT (ROUND(AVG(?days)*10)/10 AS ?average) WHERE {{ {OF_MODEL}{DAYS_OF}}}",
        f"SELECT (ROUND(AVG(COALESCE(?own, ?usual))*10)/10 AS ?average) WHERE {{ {FIRM_MODEL}FILTER(ISNUMERIC(COALESCE(?own, ?usual))) }}",
        [("Hall 2",), ("Hall 3",), ("Hall 4",), ("Hall 8",)], (2, 3)),
    Kind("fanout", 5, "What does the freight of all orders that contain a part of the family '<family>' add up to? Return the total.",
        f"SELECT (SUM(?value) AS ?total) WHERE {{ {{ SELECT DISTINCT ?o ?value WHERE {{ ?l erp:ofOrder ?o ; erp:item ?p . {FAMILY} . ?o erp:freight ?value }} }} }}",
        "SELECT (SUM(?value) AS ?total) WHERE { { SELECT DISTINCT ?o ?value WHERE { ?l erp:ofOrder ?o ; erp:item/erp:family/rdfs:label '<family>' . ?o erp:freight ?value } } }",
        [("Bearings",), ("Flanges",), ("Couplings",), ("Housings",)], (1, 2)),
    Kind("fanout", 5, "How many people work for the companies that the auditor '<auditor>' has certified, all companies together? Return the total.",
        f"SELECT (SUM(?value) AS ?total) WHERE {{ {{ SELECT DISTINCT ?o ?value WHERE {{ ?z erp:holder ?b ; erp:auditor/rdfs:label '<auditor>' . {FIRST}?o erp:headcount ?value }} }} }}",
        "SELECT (SUM(?value) AS ?total) WHERE { { SELECT DISTINCT ?o ?value WHERE { ?z erp:holder ?o ; erp:auditor/rdfs:label '<auditor>' . ?o erp:headcount ?value } } }",
        [("Bureau Lindqvist",), ("Bureau Ostermann",), ("Bureau Dunmore",), ("Bureau Tamm",)], (3,)),
    Kind("rollup", 3, "How many machines do the unit '<unit>' and all units under it operate together? Return the number.",
        f"SELECT (COUNT(DISTINCT ?m) AS ?n) WHERE {{ ?m erp:operatedBy/{BELOW}/rdfs:label '<unit>' }}",
        "SELECT (COUNT(DISTINCT ?m) AS ?n) WHERE { ?m erp:operatedBy/(hr:partOf|hr:formedBy)*/rdfs:label '<unit>' }",
        [("Field Service",), ("Gears",), ("Services",), ("Central Functions",)], (1, 3)),
    Kind("rollup", 3, "How many pieces of the part '<part>' does one '<whole>' contain, at all depths together? Return the number.",
        f"SELECT (SUM(?n) AS ?pieces) WHERE {{ ?p rdfs:label '<part>' . ?w rdfs:label '<whole>' . {LEVELS} }}",
        f"SELECT (SUM(?n) AS ?pieces) WHERE {{ ?p rdfs:label '<part>' . ?w rdfs:label '<whole>' . {FIRM_LEVELS} }}",
        [("Flange 3188", "Product 7"), ("Valve 3184", "Product 4"), ("Valve 3176", "Product 2"), ("Valve 3168", "Product 1")], (2,)),
    Kind("bothways", 2, "Which machines share tools with the machine '<machine>'? Return their names.",
        f"SELECT DISTINCT ?name WHERE {{ ?m rdfs:label '<machine>' ; {SHARES} ?o FILTER(?o != ?m) ?o rdfs:label ?name }}",
        "SELECT DISTINCT ?name WHERE { ?m rdfs:label '<machine>' ; (erp:exchangesToolsWith|^erp:exchangesToolsWith) ?o . ?o rdfs:label ?name }",
        [("DX-325",), ("DX-225",), ("DX-218",), ("DX-256",)], (2,)),
    Kind("bothways", 5, "Which machines in the hall '<hall>' share tools with the most other machines? Return the names of all that are tied, and the number.",
        top(PARTNERS), top(FIRM_PARTNERS),
        [("Hall 1",), ("Hall 4",), ("Hall 5",), ("Hall 8",)], (1, 3)),
]
CODES = dict(Norway="NO", Austria="AT", Portugal="PT", Poland="PL", Ireland="IE", Estonia="EE")
KINDS_OF = dict(cutting="'lathe', 'mill', 'cutting'", forming="'press', 'bender', 'forming'")

def also(names):
    "The code of a country, the machines of a kind"
    return dict(code=CODES.get(names.get("country"), ""), kinds=KINDS_OF.get(names.get("kind"), ""))

def made(): return made_of(KINDS, "merger", also)

if __name__ == "__main__": print(written(made()), end="")
