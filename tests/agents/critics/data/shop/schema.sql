CREATE TABLE people (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('customer', 'clerk')),
  balance_cents INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE products (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, price_cents INTEGER NOT NULL CHECK (price_cents >= 0),
  stock INTEGER NOT NULL, prepare_minutes INTEGER NOT NULL DEFAULT 0, position INTEGER NOT NULL
) STRICT;
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES people (id),
  status TEXT NOT NULL CHECK (status IN ('draft', 'placed', 'shipped', 'cancelled')),
  placed_at TEXT NOT NULL, due_on TEXT NOT NULL, total_cents INTEGER NOT NULL, title TEXT, note TEXT
) STRICT;
CREATE TABLE items (
  id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
  product_id INTEGER NOT NULL REFERENCES products (id), quantity INTEGER NOT NULL CHECK (quantity > 0)
) STRICT;
CREATE TABLE visits (
  id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), starts_at TEXT NOT NULL, ends_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX items_bulk ON items (product_id) WHERE quantity > 50;
CREATE TABLE order_events (
  id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
  kind TEXT NOT NULL CHECK (kind IN ('placed', 'shipped', 'cancelled')), at TEXT NOT NULL
) STRICT;
