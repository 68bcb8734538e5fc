-- Plans kept for ever.

CREATE TABLE quotes (
    number       INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    key_id       TEXT NOT NULL,
    title        TEXT,
    created_us   INTEGER NOT NULL,
    valid_to     INTEGER,
    basis_json   TEXT NOT NULL,
    request_json TEXT NOT NULL,
    answer_json  TEXT NOT NULL,
    signature    TEXT NOT NULL
) STRICT;
CREATE INDEX quotes_by_key ON quotes (key_id);
CREATE TRIGGER quotes_unchanged BEFORE UPDATE ON quotes
BEGIN SELECT RAISE(ABORT, 'quotes are never changed'); END;
CREATE TRIGGER quotes_kept BEFORE DELETE ON quotes
BEGIN SELECT RAISE(ABORT, 'quotes are never deleted'); END;
