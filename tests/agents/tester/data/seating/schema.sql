CREATE TABLE managers (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE dining_tables (
  id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, seats INTEGER NOT NULL CHECK (seats > 0)
) STRICT;
CREATE TABLE layouts (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, seats INTEGER NOT NULL CHECK (seats > 0),
  is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1))
) STRICT;
CREATE TABLE layout_tables (
  layout_id INTEGER NOT NULL REFERENCES layouts (id), table_id INTEGER NOT NULL REFERENCES dining_tables (id),
  PRIMARY KEY (layout_id, table_id)
) STRICT;
CREATE TABLE reservations (
  id INTEGER PRIMARY KEY, guest TEXT NOT NULL, party_size INTEGER NOT NULL CHECK (party_size > 0),
  status TEXT NOT NULL CHECK (status IN ('confirmed', 'cancelled')), cancelled_at TEXT,
  table_id INTEGER REFERENCES dining_tables (id), layout_id INTEGER REFERENCES layouts (id),
  CHECK (table_id IS NULL OR layout_id IS NULL)
) STRICT;
CREATE TABLE rewards (
  id INTEGER PRIMARY KEY, reservation_id INTEGER NOT NULL REFERENCES reservations (id),
  status TEXT NOT NULL CHECK (status IN ('applied', 'returned'))
) STRICT;
