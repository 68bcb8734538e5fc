-- Of a table that stands on its side, prices of one offer stand in several rows.

ALTER TABLE prices ADD COLUMN row_number INTEGER NOT NULL DEFAULT 0; -- 0 = the offer's row
