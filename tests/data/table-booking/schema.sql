CREATE TABLE restaurants (
  id INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  neighborhood TEXT NOT NULL,
  cuisine TEXT NOT NULL,
  price_level INTEGER NOT NULL CHECK (price_level BETWEEN 1 AND 4),
  rating REAL NOT NULL CHECK (rating BETWEEN 0 AND 5),
  takes_large_parties INTEGER NOT NULL DEFAULT 0 CHECK (takes_large_parties IN (0, 1))
) STRICT;

CREATE TABLE people (
  id INTEGER NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('diner', 'host')),
  restaurant_id INTEGER REFERENCES restaurants (id),
  CHECK ((role = 'host') = (restaurant_id IS NOT NULL))
) STRICT;
CREATE INDEX people_name ON people (name);

CREATE TABLE dining_tables (
  id INTEGER NOT NULL PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants (id),
  label TEXT NOT NULL,
  seats INTEGER NOT NULL CHECK (seats BETWEEN 1 AND 20),
  features TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(features)),
  UNIQUE (restaurant_id, label)
) STRICT;

CREATE TABLE bookings (
  id INTEGER NOT NULL PRIMARY KEY,
  confirmation_code TEXT NOT NULL UNIQUE,
  table_id INTEGER NOT NULL REFERENCES dining_tables (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  starts_at TEXT NOT NULL,
  ends_at TEXT NOT NULL,
  party_size INTEGER NOT NULL CHECK (party_size > 0),
  status TEXT NOT NULL DEFAULT 'confirmed' CHECK (status IN ('confirmed', 'seated', 'done', 'cancelled', 'no_show')),
  note TEXT,
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  cancelled_at TEXT,
  CHECK (starts_at < ends_at)
) STRICT;
CREATE INDEX bookings_table ON bookings (table_id, starts_at);
CREATE INDEX bookings_person ON bookings (person_id);

CREATE TABLE booking_events (
  id INTEGER NOT NULL PRIMARY KEY,
  booking_id INTEGER NOT NULL REFERENCES bookings (id),
  kind TEXT NOT NULL CHECK (kind IN ('booked', 'moved', 'cancelled', 'no_show')),
  at TEXT NOT NULL
) STRICT;

CREATE TABLE waitlist (
  id INTEGER NOT NULL PRIMARY KEY,
  restaurant_id INTEGER NOT NULL REFERENCES restaurants (id),
  person_id INTEGER NOT NULL REFERENCES people (id),
  party_size INTEGER NOT NULL CHECK (party_size > 0),
  wanted_on TEXT NOT NULL,
  position INTEGER NOT NULL CHECK (position > 0),
  created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  UNIQUE (restaurant_id, person_id)
) STRICT;
