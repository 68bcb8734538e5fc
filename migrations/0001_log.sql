-- The one row of counters, and the log of every change.
--
-- Conventions of all tables: ..._us are microseconds since 1970 in UTC, days are counted from
-- 1970-01-01 (NULL = not stated), money is an integer of 10^-6 of its currency, enums are the
-- numbers of the C enums (pinned in the .c file that writes them), hashes are 32 bytes.

CREATE TABLE meta (
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    revision    INTEGER NOT NULL,  -- of the catalogue
    audit_count INTEGER NOT NULL,  -- id of the newest row of audit
    audit_hash  BLOB NOT NULL,     -- its hash
    pings       INTEGER NOT NULL   -- raised to prove that a write can be made durable
) STRICT;
INSERT INTO meta VALUES (1, 0, 0, zeroblob(32), 0);

CREATE TABLE audit (
    id         INTEGER PRIMARY KEY,
    at_us      INTEGER NOT NULL,
    key_id     TEXT NOT NULL,
    request_id TEXT,
    action     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    before     TEXT,
    after      TEXT,
    hash       BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE INDEX audit_by_subject ON audit (subject);
CREATE TRIGGER audit_unchanged BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'audit rows are never changed'); END;
CREATE TRIGGER audit_kept BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'audit rows are never deleted'); END;
