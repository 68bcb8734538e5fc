-- What suppliers uploaded, and what was read from it.

CREATE TABLE sheets (
    id          INTEGER PRIMARY KEY,
    supplier    TEXT NOT NULL REFERENCES suppliers (id),
    revision    INTEGER NOT NULL,
    status      INTEGER NOT NULL,  -- 0 current, 1 superseded, 2 withdrawn
    filename    TEXT,
    media_type  TEXT NOT NULL,
    format      TEXT NOT NULL,
    encoding    TEXT,
    sha256      BLOB NOT NULL CHECK (length(sha256) = 32),
    size        INTEGER NOT NULL,
    errors      INTEGER NOT NULL,
    warnings    INTEGER NOT NULL,
    skipped     INTEGER NOT NULL,
    first_offer INTEGER NOT NULL,  -- its offers have the ids first_offer, first_offer + 1, ...
    offer_count INTEGER NOT NULL,
    uploaded_us INTEGER NOT NULL,
    key_id      TEXT NOT NULL,
    ended_us    INTEGER NOT NULL,  -- when it ceased to be current; 0 = it is
    UNIQUE (supplier, revision)
) STRICT;
CREATE UNIQUE INDEX sheets_current ON sheets (supplier) WHERE status = 0;
CREATE TRIGGER sheets_unchanged BEFORE UPDATE OF id, supplier, revision, filename, media_type,
    format, encoding, sha256, size, errors, warnings, skipped, first_offer, offer_count,
    uploaded_us, key_id ON sheets
BEGIN SELECT RAISE(ABORT, 'sheets are never changed'); END;
CREATE TRIGGER sheets_kept BEFORE DELETE ON sheets
BEGIN SELECT RAISE(ABORT, 'sheets are never deleted'); END;

-- Apart from sheets, so that a list of sheets does not read over the files.
CREATE TABLE sheet_files (
    sheet_id      INTEGER PRIMARY KEY REFERENCES sheets (id),
    bytes         BLOB NOT NULL,
    problems_json TEXT NOT NULL,
    tables_json   TEXT
) STRICT;
CREATE TRIGGER sheet_files_unchanged BEFORE UPDATE ON sheet_files
BEGIN SELECT RAISE(ABORT, 'sheets are never changed'); END;
CREATE TRIGGER sheet_files_kept BEFORE DELETE ON sheet_files
BEGIN SELECT RAISE(ABORT, 'sheets are never deleted'); END;

-- Columns in the order of struct offer (server/offer/offer.h), where each is explained, with its
-- values for "not stated".
CREATE TABLE offers (
    id                  INTEGER PRIMARY KEY,
    sheet_id            INTEGER NOT NULL REFERENCES sheets (id),
    sheet_name          TEXT,
    row                 INTEGER NOT NULL,
    kind                INTEGER NOT NULL,
    origin              INTEGER NOT NULL,
    source              TEXT,
    observed_on         INTEGER,
    card                TEXT,
    title               TEXT,
    cards_per_server    INTEGER NOT NULL,
    servers_available   INTEGER NOT NULL,
    city                INTEGER NOT NULL,
    city_name           TEXT,
    site                TEXT,
    delivery            INTEGER NOT NULL,
    intra_link          INTEGER NOT NULL,
    inter_link          INTEGER NOT NULL,
    inter_gbps          REAL NOT NULL,
    cabinet_watts       INTEGER NOT NULL,
    cabinet_u           INTEGER NOT NULL,
    power_billing       INTEGER NOT NULL,
    line                TEXT,
    mbps_included       INTEGER NOT NULL,
    ips_included        INTEGER NOT NULL,
    min_term_months     INTEGER NOT NULL,
    availability_ppm    INTEGER NOT NULL,
    replacement_minutes INTEGER NOT NULL,
    support_24x7        INTEGER NOT NULL,
    new_cards           INTEGER NOT NULL,
    card_age_months     INTEGER NOT NULL,
    power_tier          TEXT,
    service_tier        TEXT,
    licences            TEXT,
    pue_milli           INTEGER NOT NULL,
    valid_from          INTEGER,
    valid_to            INTEGER,
    note                TEXT
) STRICT;
CREATE INDEX offers_by_card ON offers (card) WHERE card IS NOT NULL;
CREATE TRIGGER offers_unchanged BEFORE UPDATE ON offers
BEGIN SELECT RAISE(ABORT, 'offers are never changed'); END;
CREATE TRIGGER offers_kept BEFORE DELETE ON offers
BEGIN SELECT RAISE(ABORT, 'offers are never deleted'); END;

-- As struct price; position counts from 0 within the offer; low_micro NULL = no range.
CREATE TABLE prices (
    offer_id             INTEGER NOT NULL REFERENCES offers (id),
    position             INTEGER NOT NULL,
    item                 INTEGER NOT NULL,
    term                 INTEGER NOT NULL,
    amount_micro         INTEGER NOT NULL,
    unit_per             INTEGER NOT NULL,
    unit_per_count       INTEGER NOT NULL,
    unit_period          INTEGER NOT NULL,
    unit_period_count    INTEGER NOT NULL,
    currency             TEXT NOT NULL,
    tax                  INTEGER NOT NULL,
    tax_rate_bp          INTEGER NOT NULL,
    min_quantity         INTEGER NOT NULL,
    low_micro            INTEGER,
    as_quoted            TEXT,
    unit_text            TEXT,
    column_number        INTEGER NOT NULL,
    normalised_unit      INTEGER NOT NULL,
    normalised_micro     INTEGER NOT NULL,
    normalised_low_micro INTEGER,
    PRIMARY KEY (offer_id, position)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER prices_unchanged BEFORE UPDATE ON prices
BEGIN SELECT RAISE(ABORT, 'prices are never changed'); END;
CREATE TRIGGER prices_kept BEFORE DELETE ON prices
BEGIN SELECT RAISE(ABORT, 'prices are never deleted'); END;
