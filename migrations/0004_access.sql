-- Who may call, and what was answered to repeated calls. Secrets are kept as SHA-256 only.

CREATE TABLE keys (
    id            TEXT PRIMARY KEY,
    secret_sha256 BLOB NOT NULL CHECK (length(secret_sha256) = 32),
    role          TEXT NOT NULL CHECK (role IN ('admin', 'buyer', 'supplier', 'viewer')),
    supplier      TEXT REFERENCES suppliers (id),
    label         TEXT,
    created_us    INTEGER NOT NULL,
    created_by    TEXT NOT NULL,
    expires_us    INTEGER NOT NULL,  -- 0 = never
    revoked_us    INTEGER NOT NULL,  -- 0 = not
    last_used_us  INTEGER NOT NULL,  -- within an hour; 0 = never
    CHECK ((role = 'supplier') = (supplier IS NOT NULL))
) STRICT;

CREATE TABLE sessions (
    token_sha256 BLOB PRIMARY KEY CHECK (length(token_sha256) = 32),
    key_id       TEXT NOT NULL REFERENCES keys (id),
    created_us   INTEGER NOT NULL,
    expires_us   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_expiry ON sessions (expires_us);

-- Idempotency-Key: running while made and status are NULL.
CREATE TABLE once (
    key_id     TEXT NOT NULL,
    key        TEXT NOT NULL,
    request    BLOB NOT NULL CHECK (length(request) = 32),
    made       TEXT,     -- subject in the log of what the request made
    status     INTEGER,  -- of the answer
    body       BLOB,
    created_us INTEGER NOT NULL,
    PRIMARY KEY (key_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX once_by_age ON once (created_us);
