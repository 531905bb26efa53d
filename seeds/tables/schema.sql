CREATE TABLE place (place_id INTEGER PRIMARY KEY, name TEXT, kind TEXT, inside INTEGER REFERENCES place);
CREATE TABLE object (object_id INTEGER PRIMARY KEY, number TEXT, title TEXT, kind TEXT, material TEXT,
    made_in INTEGER, place_id INTEGER REFERENCES place, removed_on TEXT);
CREATE TABLE valuation (valuation_id INTEGER PRIMARY KEY, object_id INTEGER REFERENCES object, valued_on TEXT,
    euros INTEGER);
CREATE TABLE donor (donor_id INTEGER PRIMARY KEY, name TEXT, country TEXT, email TEXT);
CREATE TABLE gift (gift_id INTEGER PRIMARY KEY, donor_id INTEGER REFERENCES donor, given_on TEXT, amount INTEGER,
    currency TEXT);
CREATE TABLE rate (currency TEXT, year INTEGER, euros REAL);
CREATE TABLE exhibition (exhibition_id INTEGER PRIMARY KEY, title TEXT, opens TEXT, closes TEXT);
CREATE TABLE exhibit (exhibition_id INTEGER REFERENCES exhibition, object_id INTEGER REFERENCES object,
    stand INTEGER);
CREATE TABLE admission (exhibition_id INTEGER REFERENCES exhibition, month INTEGER, visitors INTEGER);
CREATE TABLE borrower (borrower_id INTEGER PRIMARY KEY, name TEXT, country TEXT);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, object_id INTEGER REFERENCES object, borrower TEXT, lent_on TEXT,
    due_on TEXT, status TEXT);
CREATE TABLE remark (about TEXT, text TEXT);
CREATE INDEX valuations_of ON valuation (object_id);
