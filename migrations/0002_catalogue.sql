-- Who sells, where, and the operator's own reference data.

CREATE TABLE suppliers (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    name_en    TEXT,
    origin     INTEGER NOT NULL,
    source     TEXT,
    note       TEXT,
    version    INTEGER NOT NULL,
    updated_us INTEGER NOT NULL
) STRICT;

CREATE TABLE sites (
    id         TEXT PRIMARY KEY,
    supplier   TEXT NOT NULL REFERENCES suppliers (id),
    name       TEXT NOT NULL,
    city       INTEGER NOT NULL,
    city_name  TEXT,
    pue_milli  INTEGER NOT NULL,
    power_tier TEXT,
    source     TEXT,
    version    INTEGER NOT NULL,
    updated_us INTEGER NOT NULL
) STRICT;
CREATE INDEX sites_by_supplier ON sites (supplier);

-- csv: two lines, header and row, as in schema/reference/.
CREATE TABLE reference (
    kind       INTEGER NOT NULL,
    id         TEXT NOT NULL,
    csv        TEXT NOT NULL,
    version    INTEGER NOT NULL,
    updated_us INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- CNY per kWh by band; NULL = not known.
CREATE TABLE tariffs (
    id           TEXT PRIMARY KEY,
    city         INTEGER NOT NULL,
    name         TEXT,
    hours_id     TEXT,
    valley_micro INTEGER,
    flat_micro   INTEGER,
    peak_micro   INTEGER,
    sharp_micro  INTEGER,
    tax          INTEGER NOT NULL,
    valid_from   INTEGER,
    valid_to     INTEGER,
    origin       INTEGER NOT NULL,
    source       TEXT,
    version      INTEGER NOT NULL,
    updated_us   INTEGER NOT NULL
) STRICT;

-- CNY for one unit of a currency.
CREATE TABLE fx (
    currency  TEXT NOT NULL,
    on_day    INTEGER NOT NULL,
    per_unit_micro INTEGER NOT NULL CHECK (per_unit_micro > 0),
    source    TEXT,
    PRIMARY KEY (currency, on_day)
) STRICT, WITHOUT ROWID;
